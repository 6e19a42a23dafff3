import { expect, it } from 'vitest';
import { outputsReference } from '../../../../tools/generate/outputs-reference.ts';

it('outputs are listed by stack, and those of one meaning share a row', () => {
  const events = { BusName: 'The bus of the events', BusArn: 'The bus of the events' };
  const pipeline = { ApiId: 'The HTTP API', AlarmNames: 'The alarms that sms doctor --test-alarm sets off' };
  expect(outputsReference({ Events: events, Pipeline: pipeline })).toBe(`## Events

| output | what it is |
|---|---|
| \`BusName\`, \`BusArn\` | The bus of the events |

## Pipeline

| output | what it is |
|---|---|
| \`ApiId\` | The HTTP API |
| \`AlarmNames\` | The alarms that \`sms doctor --test-alarm\` sets off |`);
});
