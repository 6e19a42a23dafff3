import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeReplies, type Reply, replyOf } from '../../../../functions/core/history/reply.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
const version = (eventId: string, second: number, received = 30): Reply =>
  replyOf(
    {
      kind: 'sms.reply',
      eventId,
      replyId: 'r',
      from: '+12025550143',
      text: `text of ${eventId}`,
      occurredAt: at(second),
    },
    at(received),
  );

it('gives the same reply for any order and any number of repeats', () => {
  const versions = fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^[a-z]{1,2}$/), fc.nat(2), fc.integer({ min: 30, max: 33 })),
    {
      selector: ([eventId]) => eventId,
      minLength: 1,
      maxLength: 6,
    },
  );
  const arrangement = versions.chain((once) =>
    fc.tuple(fc.constant(once), fc.shuffledSubarray([...once, ...once], { minLength: once.length * 2 })),
  );
  fc.assert(
    fc.property(arrangement, ([once, repeated]) => {
      const fold = (list: typeof once) => list.map((args) => version(...args)).reduce(mergeReplies);
      expect(fold(repeated)).toEqual(fold(once));
      expect(fold(once).superseded.size).toBe(once.length - 1);
    }),
  );
});

it('lets the newest version stand and keeps the others', () => {
  const reply = [version('a', 2), version('c', 1), version('b', 2)].reduce(mergeReplies);
  expect(reply.standing.eventId).toBe('b');
  expect([...reply.superseded.keys()].sort()).toEqual(['a', 'c']);
  expect(reply.superseded.get('c')?.text).toBe('text of c');
});

it('keeps the first arrival of a repeated version', () => {
  expect(mergeReplies(version('a', 1, 40), version('a', 1, 35))).toEqual(version('a', 1, 35));
  expect(mergeReplies(version('a', 1, 35), version('a', 1, 40))).toEqual(version('a', 1, 35));
});
