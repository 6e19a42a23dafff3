import { expect, it } from 'vitest';
import { outputsReference } from '../../../../tools/generate/outputs-reference.ts';

it('outputs are listed by stack, and those of one meaning share a line', () => {
  const events = { BusName: 'The bus of the events', BusArn: 'The bus of the events' };
  const pipeline = { ApiId: 'The HTTP API', AlarmNames: 'Alarms for sms doctor --test-alarm' };
  expect(outputsReference({ Events: events, Pipeline: pipeline })).toBe(`**Events**

- \`BusName\`, \`BusArn\`: bus of the events

**Pipeline**

- \`ApiId\`: HTTP API
- \`AlarmNames\`: alarms for \`sms doctor --test-alarm\``);
});
