import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { ReplyText } from '../../../../../contract/schema/sms-event.ts';
import {
  compareOptOutChanges,
  joinStatements,
  maxStatements,
  type OptOutStatement,
  readStatement,
  statementByHand,
} from '../../../../../functions/history/opt-out/opt-out.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import {
  envelopesOf,
  expectedState,
  minute,
  phone,
  saidReplies,
} from '../../../../support/opt-out-arrivals.ts';
import { presetContracts } from '../../../../support/preset-contracts.ts';
import { assertProperty } from '../../../../support/property.ts';

const replyText = (fields: Partial<ReplyText> = {}): ReplyText => ({
  eventId: 'e-1',
  replyId: 'r-1',
  from: phone,
  text: 'STOP',
  occurredAt: minute(1),
  isTimed: true,
  isDistinct: true,
  ...fields,
});
const statement = (state: 'out' | 'in', at: number, eventId: string): OptOutStatement => ({
  phone,
  state,
  at: minute(at),
  replyId: 'r-1',
  eventId,
});

describe('an entry by hand', () => {
  const byHand = (state: 'out' | 'in', now: number, known?: OptOutStatement) =>
    statementByHand({ phone, state, reason: 'called', id: `id-${now}`, now: Date.parse(minute(now)) }, known);

  it('counts after everything known, and until something newer arrives, in any order of arrival', () => {
    const states = fc.constantFrom('out' as const, 'in' as const);
    const replies = fc.array(fc.tuple(states, fc.integer({ min: 0, max: 20 })), { maxLength: 8 });
    assertProperty(
      fc.property(replies, states, fc.integer({ min: 0, max: 20 }), replies, (older, state, now, later) => {
        const known = joinStatements(
          [],
          older.map(([one, time], index) => statement(one, time, `a-${index}`)),
        );
        const own = byHand(state, now, known[0]);
        expect(joinStatements(known, [own])[0]).toEqual(own);
        const arriving = later.map(([one, time], index) => statement(one, time, `b-${index}`));
        const newest = joinStatements([], [own, ...arriving])[0];
        expect(joinStatements(joinStatements(known, [own]), arriving)[0]).toEqual(newest);
        expect(joinStatements(joinStatements(known, arriving), [own])[0]).toEqual(newest);
        const isNewer = arriving.some(({ at }) => at > own.at);
        if (isNewer) expect(newest).not.toEqual(own);
      }),
    );
  });

  it('has the reason and an id of its own, and the present time where nothing is known', () => {
    expect(byHand('out', 3)).toEqual({
      ...{ phone, state: 'out', at: minute(3), replyId: 'manual-id-3', reason: 'called' },
    });
  });
});

describe('the opt-out statement of a reply', () => {
  const read = (fields: Partial<ReplyText>, received = 2) =>
    readStatement(replyText(fields), minute(received), keywordOf);

  it('is absent, "out" or "in"', () => {
    expect(read({ text: 'help' })).toBeUndefined();
    expect(read({ text: 'Stop!' })).toEqual(statement('out', 1, 'e-1'));
    expect(read({ text: 'start' })).toEqual(statement('in', 1, 'e-1'));
  });

  it('has the time of receipt if the time of the reply cannot be read', () => {
    const { occurredAt: _, ...timeless } = replyText();
    expect(readStatement(timeless, minute(2), keywordOf)).toMatchObject({ at: minute(2), eventId: 'e-1' });
  });

  it.each([
    ['STOP', 7, 7],
    ['STOP', 8, 7],
    ['STOP', 100_000, 7],
    ['START', 1, 1],
    ['START', 3, 2],
    ['START', 7, 2],
    ['START', 8, 2],
    ['START', 100_000, 2],
  ])('%s of minute %i that is received in minute 2 has the time of minute %i', (text, said, counts) => {
    expect(read({ text, occurredAt: minute(said) })).toMatchObject({ at: minute(counts) });
  });

  it('is one statement for each reply id if the service reports no time', () => {
    const { eventId: _, ...expected } = statement('out', 1, '');
    expect(read({ isTimed: false })).toEqual(expected);
    // A database cannot distinguish the two ids.
    expect(read({ isTimed: false, replyId: 'r\ud800' })).toMatchObject({
      eventId: 'e-1',
      replyId: 'r\ufffd',
    });
  });

  it('is "out" at each receipt and "in" at the first, if neither a time nor an id distinguishes a second reply from a copy', () => {
    const contract = { isTimed: false, isDistinct: false, eventId: 'hash', replyId: 'hash' };
    const at = (text: string, received: number) =>
      read({ ...contract, text, occurredAt: minute(received) }, received) ?? statement('in', 0, '');
    const received = [at('STOP', 1), at('START', 2), at('STOP', 3), at('START', 4)];
    expect(joinStatements([], received.slice(0, 3))[0]).toMatchObject({ state: 'out', at: minute(3) });
    // The second START may be a copy of the first.
    expect(joinStatements([], received)[0]).toMatchObject({ state: 'out', at: minute(3) });
  });

  it('is the same before and after storage of a number that is not valid text', () => {
    expect(read({ from: 'Shop\ud800' })).toEqual(read({ from: 'Shop\ufffd' }));
  });

  it('is absent for a number of another country', () => {
    expect(read({ from: '+5500955550143', text: 'alto' })).toBeUndefined();
  });
});

describe('the statements of a number', () => {
  it('give the latest statement, and "out" for two of the same time', () => {
    const [first] = joinStatements([statement('in', 2, 'z')], [statement('out', 1, 'y')]);
    expect(first).toMatchObject({ state: 'in' });
    const [atOnce] = joinStatements([statement('in', 2, 'z')], [statement('out', 2, 'a')]);
    expect(atOnce).toMatchObject({ state: 'out' });
  });

  it('use the earliest time of a copy', () => {
    const joined = joinStatements(
      [statement('in', 9, 'a'), statement('out', 5, 'b')],
      [statement('in', 1, 'a')],
    );
    expect(joined).toEqual([statement('out', 5, 'b'), statement('in', 1, 'a')]);
  });

  it('remain the same objects if a copy changes nothing', () => {
    const known = joinStatements([], [statement('in', 1, 'a'), statement('out', 5, 'b')]);
    const again = joinStatements(known, [statement('in', 3, 'a'), statement('out', 5, 'b')]);
    expect(again.every((one, index) => one === known[index])).toBe(true);
  });

  it('are the newest ones above the limit, in any order, as long as times remain the same', () => {
    const all = Array.from({ length: maxStatements + 20 }, (_, index) =>
      statement(index % 3 === 0 ? 'out' : 'in', index, `e-${index}`),
    );
    const newest = all.slice(20).reverse();
    assertProperty(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(shuffled.reduce<OptOutStatement[]>((known, one) => joinStatements(known, [one]), [])).toEqual(
          newest,
        );
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(presetContracts)('the replies of $name', ({ contract }) => {
  const map = createMapper(contract);

  it('give the same statements in any order and with any number of copies', () => {
    assertProperty(
      fc.property(saidReplies, fc.infiniteStream(fc.nat(999)), (replies, numbers) => {
        const read = replies
          .flatMap((reply) => envelopesOf(contract, reply))
          .flatMap(({ body, signedId, receivedAt }) =>
            map(body, signedId, receivedAt).flatMap(
              ({ replyText: text }) => (text && readStatement(text, receivedAt, keywordOf)) ?? [],
            ),
          );
        const all = joinStatements([], read);
        const shuffled = [...read, ...read]
          .map((one) => ({ one, rank: numbers.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        expect(shuffled.reduce<OptOutStatement[]>((known, one) => joinStatements(known, [one]), [])).toEqual(
          all,
        );
        const { state, changedAt } = expectedState(contract, replies);
        expect(all[0]).toMatchObject({ state, at: changedAt });
      }),
      { numRuns: 100 },
    );
  });
});

const said = (state: 'out' | 'in', second: number, replyId: string) => ({
  state,
  at: `2026-01-15T12:00:0${second}.000Z`,
  replyId,
});

it('statements of a number are ordered by time, then with the opt-out last, then by reply', () => {
  const ordered = [said('out', 1, 'r-9'), said('in', 2, 'r-9'), said('out', 2, 'r-1'), said('out', 2, 'r-2')];
  expect([...ordered].reverse().sort(compareOptOutChanges)).toEqual(ordered);
  expect(compareOptOutChanges(said('in', 1, 'r'), said('in', 1, 'r'))).toBe(0);
});
