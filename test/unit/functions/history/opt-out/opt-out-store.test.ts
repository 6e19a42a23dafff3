import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOfSample } from '../../../../../contract/document/parse.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import {
  canonicalErrorReasons,
  canonicalStatuses,
  outcomeOf,
  type ReplyText,
  rankOf,
  type StatusEvent,
  unmappedRank,
} from '../../../../../contract/schema/sms-event.ts';
import {
  compareOptOutChanges,
  isOutOf,
  joinStatements,
  limitedToSource,
  maxImports,
  maxStatements,
  type OptOutStatement,
  readFailure,
  readStatement,
  statementByHand,
  stateOfNumber,
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
  isByReceipt: false,
  ...fields,
});
const statement = (state: 'out' | 'in', at: number, eventId: string): OptOutStatement => ({
  phone,
  state,
  at: minute(at),
  by: 'person',
  replyId: 'r-1',
  eventId,
});

describe('where opt-outs count by source', () => {
  const said = (state: 'out' | 'in', at: number, source?: string): OptOutStatement => ({
    ...statement(state, at, `e-${at}`),
    ...(source !== undefined && { source }),
  });
  const only = (state: 'out' | 'in', at: number, source?: string) => limitedToSource(said(state, at, source));
  const stateOf = (...statements: OptOutStatement[]) => stateOfNumber(joinStatements([], statements), true);

  it('a number is out of the sources whose newest statement says so', () => {
    expect(stateOf(only('out', 1), only('in', 2, 'backup'))).toMatchObject({
      state: 'out',
      at: minute(1),
      outOf: ['main'],
    });
    expect(stateOf(only('out', 1, 'backup'), only('in', 2, 'backup'), only('in', 3))).toEqual({
      phone,
      state: 'in',
      at: minute(3),
      by: 'person',
      replyId: 'r-1',
    });
    expect(stateOf(only('out', 2, 'backup'), only('out', 3))?.outOf).toEqual(['backup', 'main']);
    expect(stateOf()).toBeUndefined();
  });

  it('what was said before opt-outs counted by source stays valid for each source until one about it is newer', () => {
    const everywhere = said('out', 1);
    expect(stateOf(everywhere)?.outOfAllExcept).toEqual([]);
    // A second STOP at one source must not let the other send again.
    expect(stateOf(everywhere, only('out', 2))?.outOfAllExcept).toEqual([]);
    const startedAtMain = stateOf(everywhere, only('in', 2));
    expect(startedAtMain).toMatchObject({ state: 'out', at: minute(1), outOfAllExcept: ['main'] });
    expect(
      ['main', 'backup', 'added-later'].filter((source) => isOutOf(source, startedAtMain as never)),
    ).toEqual(['backup', 'added-later']);
    // A START about all, after opt-outs no longer count by source, is newer than everything.
    expect(stateOf(only('out', 1, 'backup'), said('in', 2))).toMatchObject({ state: 'in' });
    expect(stateOf(only('out', 3, 'backup'), said('in', 2))?.outOf).toEqual(['backup']);
  });

  it('copies that differ in the sources that they are about: an opt-out counts for all, an opt-in for one', () => {
    const later = (statement: OptOutStatement) => ({ ...statement, at: minute(9) });
    for (const [state, isLimited] of [
      ['out', undefined],
      ['in', true],
    ] as const) {
      const [wide, narrow] = [said(state, 1), only(state, 1)];
      for (const copies of [
        [wide, narrow],
        [narrow, wide],
        [later(wide), narrow],
        [narrow, later(wide)],
        [later(narrow), wide],
      ]) {
        const joined = joinStatements([], copies);
        expect(joined.map(({ at, onlySource }) => [at, onlySource])).toEqual([[minute(1), isLimited]]);
        expect(joinStatements(joined, copies)[0]).toBe(joined[0]);
      }
    }
  });

  it('the statements of a busy source never replace the opt-out at a quiet one', () => {
    const failures = Array.from({ length: 3 * maxStatements }, (_, index) =>
      limitedToSource({ ...said('out', index + 2), by: 'provider' as const }),
    );
    const known = [only('out', 1, 'backup'), ...failures].reduce<OptOutStatement[]>(
      (before, one) => joinStatements(before, [one]),
      [],
    );
    expect(known).toHaveLength(maxStatements + 1);
    expect(stateOfNumber(known, true)?.outOf).toEqual(['backup', 'main']);
  });
});

describe('an entry by hand', () => {
  const byHand = (state: 'out' | 'in', now: number, known?: OptOutStatement) =>
    statementByHand({ phone, state, reason: 'called', id: `id-${now}`, now: Date.parse(minute(now)) }, known);

  it('never counts after its second, so that a STOP which arrives later wins', () => {
    const ahead = statement('out', 480, 'e-1');
    const own = byHand('in', 1, ahead);
    expect(Date.parse(own.at)).toBeLessThanOrEqual(Date.parse(minute(1)) + 1000);
    expect(stateOfNumber(joinStatements([], [own, statement('out', 2, 'e-2')]), false)?.state).toBe('out');
    // The time of AWS is that of the last full second.
    const sameSecond = { ...ahead, at: new Date(Date.parse(minute(1)) + 900).toISOString() };
    expect(joinStatements([sameSecond], [byHand('in', 1, sameSecond)])[0]?.state).toBe('in');
  });

  it('counts after everything known, and until something newer arrives, in any order of arrival', () => {
    const states = fc.constantFrom('out' as const, 'in' as const);
    const replies = fc.array(fc.tuple(states, fc.integer({ min: 0, max: 20 })), { maxLength: 8 });
    assertProperty(
      fc.property(replies, states, fc.integer({ min: 0, max: 20 }), replies, (older, state, now, later) => {
        const known = joinStatements(
          [],
          older.map(([one, time], index) => statement(one, Math.min(time, now), `a-${index}`)),
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
      phone,
      state: 'out',
      at: minute(3),
      by: 'operator',
      entryId: 'id-3',
      reason: 'called',
    });
  });
});

describe('the opt-out statement of a reply', () => {
  const read = (fields: Partial<ReplyText>, received = 2) =>
    readStatement(replyText(fields), minute(received), keywordOf);

  const receivedAt = minute(2);

  it('is absent, "out" or "in"', () => {
    expect(read({ text: 'help' })).toBeUndefined();
    expect(read({ text: 'Stop!' })).toEqual({ ...statement('out', 1, 'e-1'), receivedAt });
    expect(read({ text: 'start' })).toEqual({ ...statement('in', 1, 'e-1'), receivedAt });
  });

  it('is "out" if the service says so, whatever the words are', () => {
    for (const text of ['Basta', '', 'help', 'Start'])
      expect(read({ text, optOut: true })).toEqual({ ...statement('out', 1, 'e-1'), receivedAt });
  });

  it('has the time of receipt once, if it is received when it is said', () => {
    expect(read({ text: 'Stop!' }, 1)).toEqual(statement('out', 1, 'e-1'));
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
    expect(read({ isTimed: false })).toEqual({ ...expected, receivedAt });
    // A database cannot distinguish the two ids.
    expect(read({ isTimed: false, replyId: 'r\ud800' })).toMatchObject({
      eventId: 'e-1',
      replyId: 'r\ufffd',
    });
  });

  it('is "out" at each receipt and "in" at the first, if neither a time nor an id distinguishes a second reply from a copy', () => {
    const contract = {
      isTimed: false,
      isDistinct: false,
      isByReceipt: true,
      eventId: 'hash',
      replyId: 'hash',
    };
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

const failure = (fields: Partial<StatusEvent> = {}): StatusEvent => ({
  kind: 'sms.status',
  eventId: 'e-1',
  messageId: 'm-1',
  phone,
  status: 'failed',
  rank: rankOf('failed'),
  occurredAt: minute(1),
  errorCode: '21610',
  errorReason: 'opted_out',
  ...fields,
});

describe('the opt-out statement of a delivery report', () => {
  const expected = {
    phone,
    state: 'out',
    at: minute(1),
    receivedAt: minute(2),
    by: 'provider',
    messageId: 'm-1',
    eventId: 'e-1',
  };

  it.each(canonicalStatuses)('of the status %s needs the reason opted_out, and a failure', (status) => {
    for (const errorReason of canonicalErrorReasons) {
      const isOptOut = outcomeOf(rankOf(status)) === 'failure' && errorReason === 'opted_out';
      expect(readFailure(failure({ status, rank: rankOf(status), errorReason }), minute(2))).toEqual(
        isOptOut ? expected : undefined,
      );
    }
  });

  it('is absent if the contract does not list the status or the error code, or if the report has no number', () => {
    const { errorReason: _, phone: _phone, ...rest } = failure();
    expect(readFailure(failure({ status: 'refused', rank: unmappedRank }), minute(2))).toBeUndefined();
    expect(readFailure({ ...rest, phone }, minute(2))).toBeUndefined();
    expect(readFailure({ ...rest, errorReason: 'opted_out' }, minute(2))).toBeUndefined();
  });

  it.each([
    [7, 7],
    [8, 7],
    [100_000, 7],
  ])(
    'of minute %i that is received in minute 2 has the time of minute %i, as a STOP has',
    (failed, counts) => {
      const statement = readFailure(failure({ occurredAt: minute(failed) }), minute(2));
      expect(statement).toEqual({ ...expected, at: minute(counts) });
    },
  );

  it('is another one for another message, although the service uses the event id again', () => {
    const read = (messageId: string, at: number) =>
      readFailure(failure({ messageId, occurredAt: minute(at) }), minute(9)) ?? statement('in', 0, '');
    const joined = joinStatements([], [read('m-1', 1), read('m-2', 3), read('m-1', 4)]);
    expect(joined.map(({ messageId, at }) => [messageId, at])).toEqual([
      ['m-2', minute(3)],
      ['m-1', minute(1)],
    ]);
  });

  it('of several copies has the earliest time and the latest receipt, in any order', () => {
    const copies = [
      [1, 2],
      [1, 9],
      [4, 9],
      [3, 5],
    ].flatMap(
      ([said = 0, received = 0]) =>
        readFailure(failure({ occurredAt: minute(said) }), minute(received)) ?? [],
    );
    for (const said of [copies, copies.toReversed()])
      expect(joinStatements(said.slice(0, 1), said.slice(1))).toEqual([
        { ...expected, receivedAt: minute(9) },
      ]);
    const known = joinStatements([], copies);
    expect(joinStatements(known, copies)[0]).toBe(known[0]);
  });

  it('is the same before and after storage of texts that are not valid', () => {
    expect(readFailure(failure({ messageId: 'm\ud800', phone: 'Shop\ud800' }), minute(2))).toEqual(
      readFailure(failure({ messageId: 'm\ufffd', phone: 'Shop\ufffd' }), minute(2)),
    );
  });
});

/** A failure of each preset that knows a code for opted-out numbers: its own sample, with this code. */
const presetFailures = presetContracts.flatMap(({ name, contract }) => {
  const [code] = Object.entries(contract.errors).find(([, reason]) => reason === 'opted_out') ?? [];
  return contract.samples.flatMap((sample) => {
    const shown = (sample.becomes ?? []).flatMap((event) =>
      event.kind === 'sms.status' && event.errorReason !== undefined && event.errorCode !== undefined
        ? [String(event.errorCode)]
        : [],
    );
    if (code === undefined || shown[0] === undefined) return [];
    const body = Buffer.from(bodyOfSample(sample, contract.webhook)).toString('utf8');
    return [{ name, code, contract, body: body.replaceAll(shown[0], code) }];
  });
});

it('the presets of which a sample shows a failure include those of Twilio and Vonage', () => {
  const names = presetFailures.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['twilio.json', 'vonage-sms.json']));
});

it.each(presetFailures)(
  'a failure of $name with the code $code opts the number out',
  ({ contract, body }) => {
    const mapped = createMapper(contract)(Buffer.from(body), 'e-1', minute(2));
    const statements = mapped.flatMap((one) =>
      one.kind === 'event' && one.event.kind === 'sms.status' ? [readFailure(one.event, minute(2))] : [],
    );
    expect(statements).toContainEqual(
      expect.objectContaining({ by: 'provider', state: 'out', phone: expect.stringMatching(/^\+\d+$/) }),
    );
  },
);

describe('STOP, START and failures', () => {
  // Few minutes and ids, so that many facts compete for one moment. A copy may be received later.
  const fact = fc.record({
    kind: fc.constantFrom('STOP', 'START', 'failure'),
    id: fc.nat(2),
    at: fc.nat(5),
    receivedAt: fc.nat(12),
    isTimed: fc.boolean(),
  });
  type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never;

  const read = ({ kind, id, at, receivedAt, isTimed }: Fact) => {
    const eventId = `${kind} ${id} ${isTimed ? at : ''}`;
    const occurredAt = minute(isTimed ? at : receivedAt);
    return kind === 'failure'
      ? readFailure(failure({ eventId, messageId: `m-${id}`, occurredAt }), minute(receivedAt))
      : readStatement(
          replyText({ eventId, replyId: `r-${id}`, text: kind, occurredAt }),
          minute(receivedAt),
          keywordOf,
        );
  };

  /** Computes the state from all facts at once: of copies the earliest, of these the newest, and of one minute "out". */
  function expectedOf(facts: readonly Fact[]) {
    const earliest = new Map<string, { state: 'out' | 'in'; time: number }>();
    for (const { kind, id, at, receivedAt, isTimed } of facts) {
      const latest = kind === 'START' ? receivedAt : receivedAt + 5;
      const time = isTimed ? Math.min(at, latest) : receivedAt;
      const key = JSON.stringify([kind, id, isTimed && at]);
      const known = earliest.get(key)?.time ?? time;
      earliest.set(key, { state: kind === 'START' ? 'in' : 'out', time: Math.min(time, known) });
    }
    const newest = Math.max(...[...earliest.values()].map(({ time }) => time));
    const states = [...earliest.values()].filter(({ time }) => time === newest).map(({ state }) => state);
    return { state: states.includes('out') ? 'out' : 'in', at: minute(newest) };
  }

  it('give the same state in any order, with any copies and in any batches', () => {
    const cases = fc
      .array(fact, { minLength: 1, maxLength: 7 })
      .chain((facts) =>
        fc.tuple(
          fc.constant(facts),
          fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 }),
          fc.integer({ min: 1, max: 4 }),
        ),
      );
    assertProperty(
      fc.property(cases, ([facts, arrivals, batchSize]) => {
        let known: OptOutStatement[] = [];
        for (let start = 0; start < arrivals.length; start += batchSize) {
          const batch = arrivals.slice(start, start + batchSize).flatMap((one) => read(one) ?? []);
          known = joinStatements(known, batch);
        }
        expect(known).toEqual(
          joinStatements(
            [],
            facts.flatMap((one) => read(one) ?? []),
          ),
        );
        expect(known[0]).toMatchObject(expectedOf(facts));
      }),
      { numRuns: 500 },
    );
  });

  it('let a START after the failure opt in, and none before it', () => {
    const at = (kind: Fact['kind'], minutes: number): Fact => ({
      kind,
      id: 0,
      at: minutes,
      receivedAt: 9,
      isTimed: true,
    });
    const stateOf = (...facts: Fact[]) =>
      joinStatements(
        [],
        facts.flatMap((one) => read(one) ?? []),
      )[0]?.state;
    expect(stateOf(at('START', 3), at('failure', 2))).toBe('in');
    expect(stateOf(at('failure', 2), at('START', 1))).toBe('out');
    expect(stateOf(at('failure', 2), at('START', 2))).toBe('out');
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
    expect(joined).toEqual([statement('out', 5, 'b'), { ...statement('in', 1, 'a'), receivedAt: minute(9) }]);
  });

  it('remain the same objects if a copy changes nothing', () => {
    const known = joinStatements([], [statement('in', 1, 'a'), statement('out', 5, 'b')]);
    const again = joinStatements(known, [
      { ...statement('in', 3, 'a'), receivedAt: minute(1) },
      statement('out', 5, 'b'),
    ]);
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

describe('above the limit, statements of several reporters', () => {
  const imported = (importId: string, state: 'out' | 'in', at: number): OptOutStatement => ({
    ...statement(state, at, `${importId}-${at}`),
    importId,
  });
  const without = (importId: string, statements: readonly OptOutStatement[]) =>
    joinStatements(
      [],
      statements.filter((one) => one.importId !== importId),
    );
  const recorded = (statements: readonly OptOutStatement[]) => {
    let known: OptOutStatement[] = [];
    for (let start = 0; start < statements.length; start += 9)
      known = joinStatements(known, statements.slice(start, start + 9));
    return known;
  };

  it('of a large import leave the STOP of the person, and the import has only its newest one', () => {
    const stop = statement('out', 1, 'stop');
    const rows = Array.from({ length: 3 * maxStatements }, (_, index) => imported('imp-1', 'in', index + 2));
    const known = recorded([stop, ...rows]);
    expect(known).toEqual([rows.at(-1), stop]);
    expect(without('imp-1', known)).toEqual([stop]);
  });

  it('of a busy provider leave the newest of the person and that of the operator', () => {
    const operator: OptOutStatement = {
      phone,
      state: 'in',
      at: minute(2),
      by: 'operator',
      entryId: 'id',
      reason: 'called',
    };
    const failures = Array.from({ length: 3 * maxStatements }, (_, index) => ({
      ...statement('out', index + 3, `f-${index}`),
      by: 'provider' as const,
    }));
    const known = recorded([statement('out', 1, 'stop'), operator, ...failures]);
    expect(known.slice(-2)).toEqual([operator, statement('out', 1, 'stop')]);
  });

  const many = fc.array(
    fc.record({
      state: fc.constantFrom('out' as const, 'in' as const),
      at: fc.nat(400),
      by: fc.constantFrom('person' as const, 'provider' as const, 'operator' as const),
      importId: fc.option(fc.constantFrom('imp-1', 'imp-2', 'imp-3'), { nil: undefined, freq: 2 }),
      source: fc.constantFrom(undefined, 'backup'),
      isLimited: fc.boolean(),
    }),
    { minLength: maxStatements, maxLength: 5 * maxStatements, size: 'max' },
  );
  const statementsOf = (all: typeof many extends fc.Arbitrary<infer T> ? T : never) =>
    all.map(({ importId, source, isLimited, by, ...one }, index): OptOutStatement => {
      const imports = importId !== undefined && by !== 'operator' ? { importId } : {};
      const about = {
        ...(source !== undefined && { source }),
        ...(isLimited && { onlySource: true as const }),
      };
      return { ...statement(one.state, one.at, `e-${index}`), by, ...imports, ...about };
    });

  it('are the same in any order and any batches, and in the join of any two parts', () => {
    assertProperty(
      fc.property(many, fc.infiniteStream(fc.nat(999)), (all, numbers) => {
        const statements = statementsOf(all);
        const expected = joinStatements([], statements);
        const shuffled = statements
          .map((one) => ({ one, rank: numbers.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        let known: OptOutStatement[] = [];
        for (let start = 0; start < shuffled.length; ) {
          const end = start + 1 + (numbers.next().value % 20);
          known = joinStatements(known, shuffled.slice(start, end));
          start = end;
        }
        expect(known).toEqual(expected);
        const middle = numbers.next().value % shuffled.length;
        const [a, b] = [recorded(shuffled.slice(0, middle)), recorded(shuffled.slice(middle))];
        expect(joinStatements(a, b)).toEqual(expected);
        expect(joinStatements(b, a)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('are those that the register had without an import that is undone, in whichever order imports are undone', () => {
    assertProperty(
      fc.property(many, fc.shuffledSubarray(['imp-1', 'imp-2', 'imp-3'], { minLength: 1 }), (all, undone) => {
        const statements = statementsOf(all);
        const left = statements.filter(({ importId = '' }) => !undone.includes(importId));
        expect(undone.reduce((known, id) => without(id, known), recorded(statements))).toEqual(
          joinStatements([], left),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('of more imports than are kept still have the state', () => {
    const older = imported('imp-old', 'out', 1);
    const others = Array.from({ length: 3 * maxImports }, (_, index) => ({
      ...limitedToSource(imported(`imp-${index}`, 'in', index + 2)),
      source: 'backup',
    }));
    const known = recorded([older, ...others]);
    expect(known).toHaveLength(maxImports + 1);
    expect(stateOfNumber(known, true)).toMatchObject({ state: 'out', outOfAllExcept: ['backup'] });
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
      { numRuns: 30 },
    );
  });
});

const said = (state: 'out' | 'in', second: number, replyId: string) => ({
  state,
  at: `2026-01-15T12:00:0${second}.000Z`,
  by: 'person' as const,
  replyId,
});

it('statements of a number are ordered by time, then with the opt-out last, then by reply', () => {
  const ordered = [said('out', 1, 'r-9'), said('in', 2, 'r-9'), said('out', 2, 'r-1'), said('out', 2, 'r-2')];
  expect([...ordered].reverse().sort(compareOptOutChanges)).toEqual(ordered);
  expect(compareOptOutChanges(said('in', 1, 'r'), said('in', 1, 'r'))).toBe(0);
});
