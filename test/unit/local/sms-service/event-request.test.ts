import { expect, it } from 'vitest';
import { parseEventRequest } from '../../../../local/sms-service/event-request.ts';

const event = { kind: 'sms.status', fields: { messageId: 'm1' } };

it.each<[string, unknown, string, string[]]>([
  ['no json', '{', '', ['$']],
  ['an empty list', [], '', ['events']],
  ['an unknown field', { events: [event], repeat: 1 }, '', ['repeat']],
  ['an unknown kind', [event, { kind: 'sms.other', fields: {} }], '', ['events.1.kind']],
  [
    'options out of bounds',
    { events: [event], options: { repeats: -1, concurrency: 0, ratePerSecond: 1001, shuffled: true } },
    '',
    ['options.repeats', 'options.concurrency', 'options.ratePerSecond', 'options.shuffled'],
  ],
  ['a query that is none', [event], 'shuffle=maybe&attempts=0', ['options.shuffle', 'options.attempts']],
])('a request to send events is rejected for %s, with the paths', (_, body, query, paths) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(parseEventRequest(text, new URLSearchParams(query))).toEqual({
    kind: 'error',
    problems: paths.map((path) => ({ path, message: expect.any(String) })),
  });
});
