import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  asStored,
  foldReplies,
  mergeReplies,
  type Reply,
  replyOf,
} from '../../../../functions/history/message.ts';
import { assertProperty } from '../../../support/property.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
const version = (eventId: string, second: number, received = 30, text = `text of ${eventId}`): Reply =>
  replyOf(
    {
      kind: 'sms.reply',
      eventId,
      replyId: 'r',
      from: '+12025550143',
      text,
      occurredAt: at(second),
    },
    at(received),
  );

it('the fold gives the same reply if a version has no time and each of its copies has one', () => {
  const [a, again, b] = [version('a', 31, 31), version('a', 39, 39), version('b', 35, 35)];
  const expected = mergeReplies(a, b);
  expect(expected.current.eventId).toBe('b');
  for (const [first, second, third] of [
    [a, b, again],
    [again, b, a],
    [b, again, a],
    [again, a, b],
  ] as const) {
    expect(foldReplies([first, second, third])).toEqual(expected);
    expect(mergeReplies(first, mergeReplies(second, third))).toEqual(expected);
    expect(mergeReplies(mergeReplies(first, second), third)).toEqual(expected);
  }
});

it('the fold gives the same reply in any order, with any repeats and grouping of several contents under one event id', () => {
  const arrivals = fc.array(
    fc
      .record({
        eventId: fc.constantFrom('a', 'b'),
        second: fc.option(fc.nat(2), { nil: undefined }),
        received: fc.integer({ min: 30, max: 33 }),
        text: fc.constantFrom('stop', 'hello'),
      })
      .map(({ eventId, second, received, text }) => version(eventId, second ?? received, received, text)),
    { minLength: 1, maxLength: 8 },
  );
  assertProperty(
    fc.property(
      arrivals.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
          fc.nat(all.length * 2 - 1),
        ),
      ),
      ([all, repeated, cut]) => {
        const expected = all.reduce(mergeReplies);
        const parts = [repeated.slice(0, cut), repeated.slice(cut)]
          .filter((part) => part.length > 0)
          .map((part) => part.reduce(mergeReplies));
        expect(parts.reduce(mergeReplies)).toEqual(expected);
        expect(mergeReplies(expected, expected)).toEqual(expected);
      },
    ),
    { numRuns: 1000 },
  );
});

it('the fold keeps the greater text of two contents under one event id, in any order of receipt', () => {
  for (const [hello, stop] of [
    [31, 32],
    [32, 31],
  ] as const) {
    const contents = [version('a', 1, hello, 'hello'), version('a', 1, stop, 'stop')] as const;
    expect(mergeReplies(...contents).current.text).toBe('stop');
    expect(mergeReplies(contents[1], contents[0]).current.text).toBe('stop');
  }
});

it('the fold makes the newest version current and keeps the others', () => {
  const reply = [version('a', 2), version('c', 1), version('b', 2)].reduce(mergeReplies);
  expect(reply.current.eventId).toBe('b');
  expect([...reply.olderVersions.keys()].sort()).toEqual(['a', 'c']);
  expect(reply.olderVersions.get('c')?.text).toBe('text of c');
});

it('asStored returns the stored versions of the received ones only', () => {
  const stored = mergeReplies(version('a', 31, 31), version('b', 35, 35));
  expect(asStored(version('a', 39, 39), stored)).toEqual(version('a', 31, 31));
  const arrived = mergeReplies(version('a', 39, 39), version('c', 33, 33));
  expect(asStored(arrived, stored)).toEqual(mergeReplies(version('a', 31, 31), version('c', 33, 33)));
});

it('asStored leaves a version that was received with another content as received, current or not', () => {
  for (const text of ['hello', 'zzz']) {
    const arrived = version('a', 39, 39, text);
    expect(asStored(arrived, mergeReplies(version('a', 31, 31, 'stop'), arrived))).toEqual(arrived);
  }
});
