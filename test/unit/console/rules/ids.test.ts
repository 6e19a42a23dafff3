import { expect, it } from 'vitest';
import { withSources } from '../../../../console/rules/ids.ts';

it('ids of an answer get their source, and those of main stay', () => {
  const text = JSON.stringify({
    entries: [
      { messageId: 'm1', sendId: null },
      { source: 'backup', messageId: 'm1', sendId: 's1', events: [{ eventId: 'e1' }] },
    ],
  });
  expect(JSON.parse(text, withSources)).toEqual({
    entries: [
      { messageId: 'm1', sendId: null },
      { source: 'backup', messageId: 'backup/m1', sendId: 'backup/s1', events: [{ eventId: 'e1' }] },
    ],
  });
  expect(JSON.parse('{"source":"backup","messageId":"m1","sendId":null}', withSources)).toEqual({
    source: 'backup',
    messageId: 'backup/m1',
    sendId: null,
  });
});
