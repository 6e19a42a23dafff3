import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, rankOf } from '../../../../contract/schema/sms-event.ts';
import type { Item } from '../../../../functions/history/item-keys.ts';
import {
  isSameReply,
  type JoinRules,
  joinItem,
  keysOfSameReply,
  timesOf,
} from '../../../../functions/history/join/join-item.ts';
import {
  foldMessages,
  foldReplies,
  type Message,
  messageOf,
  messageWithoutImport,
  type Reply,
  versionsOf,
} from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../../functions/history/message-item.ts';
import {
  joinStatements,
  maxStatements,
  type OptOutStatement,
  statementsFromItem,
} from '../../../../functions/history/opt-out/opt-out.ts';
import { optOutItem } from '../../../../functions/history/opt-out/opt-out-item.ts';
import { replyFromItem, replyItem } from '../../../../functions/history/reply-item.ts';
import { assertProperty } from '../../../support/property.ts';
import { at, replied, report } from '../../../support/suites/reports.ts';

const rules: JoinRules = {
  retentionDays: 400,
  listShards: 1,
  optOutsBySource: false,
  prefersCopy: false,
  isQuiet: true,
  erased: { until: () => undefined },
};
const expiresAt = 1_800_000_000;

const stored = (message: Message): Item => messageItem(message, 'g', expiresAt, rules);
const storedReply = (reply: Reply): Item => replyItem(reply, 'g', expiresAt, rules);

/** The item after a join, without what says that it was written. */
function joinInto(copy: Item, here: Item | undefined, changed: Partial<JoinRules> = {}) {
  const { outcome, write } = joinItem(copy, here, 'new', { ...rules, ...changed });
  return { outcome, item: write?.Item ?? here, isWritten: write !== undefined };
}

const statusReports = fc.array(
  fc
    .record({
      eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      status: fc.constantFrom(...canonicalStatuses),
      second: fc.nat(3),
      received: fc.integer({ min: 40, max: 44 }),
      phone: fc.constantFrom(undefined, '+12025550100', '(202) 555-0100'),
      sendId: fc.constantFrom(undefined, 's1', 's2'),
      price: fc.constantFrom(undefined, '0.01'),
    })
    .map(({ eventId, status, second, phone, sendId, price, received }) =>
      report('m', eventId, status, second, {
        received,
        ...(phone && { phone }),
        ...(sendId && { sendId }),
        ...(price && { price, currency: 'USD' }),
      }),
    ),
  { minLength: 1, maxLength: 5 },
);

const fold = ([first, ...others]: readonly Message[]): Message =>
  foldMessages([first ?? report('m', 'a', 'sent', 1), ...others]);

describe('a message', () => {
  it('is the fold of all reports of both copies, in any order and any number of times', () => {
    assertProperty(
      fc.property(statusReports, statusReports, (a, b) => {
        const [here, copy] = [stored(fold(a)), stored(fold(b))];
        const one = joinInto(copy, here).item ?? {};
        const other = joinInto(here, copy).item ?? {};
        const whole = fold([...a, ...b]);
        expect(messageFromItem(one)).toEqual(whole);
        expect(messageFromItem(other)).toEqual(whole);
        const { generation: _, quiet: _quiet, ...state } = one;
        const { generation: _g, ...expected } = stored(whole);
        expect(state).toEqual({ ...expected, expiresAt: state.expiresAt });
        for (const again of [copy, here, one]) {
          const { isWritten, outcome } = joinInto(again, one);
          expect({ isWritten, outcome }).toEqual({
            isWritten: false,
            outcome: expect.stringMatching(/^(equal|newer|conflict)$/),
          });
        }
      }),
    );
  });

  const sent = report('m', 'a', 'sent', 1, { phone: '+12025550100' });
  const delivered = report('m', 'b', 'delivered', 2, { phone: '+12025550100' });

  it.each([
    ['equal', sent, sent, false],
    ['newer', sent, fold([sent, delivered]), false],
    ['completed', fold([sent, delivered]), sent, true],
    ['completed', report('m', 'a', 'sent', 1, { phone: '+12025550100', received: 49 }), sent, true],
    ['conflict', report('m', 'a', 'delivered', 1), sent, true],
    ['conflict', report('m', 'a', 'queued', 1, { phone: '+12025550100' }), sent, false],
    ['conflict', report('m', 'a', 'sent', 1, { phone: '+12025550101' }), sent, false],
    ['newer', report('m', 'a', 'sent', 1, { phone: '+12025550100', received: 51 }), sent, false],
    ['newer', report('m', 'a', 'sent', 9, { phone: '+12025550100' }), sent, false],
  ] as const)('is %s', (outcome, copy, here, isWritten) => {
    expect(joinInto(stored(copy), stored(here))).toMatchObject({ outcome, isWritten });
  });

  it('is added under the condition that it is still missing', () => {
    expect(joinItem(stored(sent), undefined, 'new', rules)).toMatchObject({
      outcome: 'added',
      write: {
        Item: { pk: { S: 'message#m' }, generation: { S: 'new' }, quiet: { BOOL: true } },
        ConditionExpression: 'attribute_not_exists(#read)',
        ExpressionAttributeNames: { '#read': 'pk' },
      },
    });
    expect(
      joinItem(stored(sent), undefined, 'new', { ...rules, isQuiet: false }).write?.Item,
    ).not.toHaveProperty('quiet');
  });

  it('is completed under the condition that it is as it was read, and never expires sooner', () => {
    const here = { ...stored(sent), expiresAt: { N: '4000000000' } };
    expect(joinItem(stored(delivered), here, 'new', rules).write).toMatchObject({
      Item: { expiresAt: { N: '4000000000' } },
      ConditionExpression: '#read = :read',
      ExpressionAttributeNames: { '#read': 'generation' },
      ExpressionAttributeValues: { ':read': { S: 'g' } },
    });
  });

  it.each([
    ['its status', { status: { S: 'failed' } }],
    ['its number', { phone: { S: '+12025550199' } }],
    ['its list', { listName: { S: 'failed#2026-01-15' }, listedAt: { S: at(1) } }],
    ['its count', { reportCount: { N: '7' } }],
  ])('is repaired if a script changed %s', (_, spoiled) => {
    const copy = stored(fold([sent, delivered]));
    const { outcome, item } = joinInto(copy, { ...copy, ...spoiled }, { prefersCopy: true });
    expect(['repaired', 'conflict']).toContain(outcome);
    expect(item).toEqual({
      ...copy,
      generation: { S: 'new' },
      quiet: { BOOL: true },
      expiresAt: item?.expiresAt,
    });
  });

  it('is repaired if a script removed its attributes', () => {
    const copy = stored(fold([sent, delivered]));
    const { status: _, rank: _rank, statusAt: _at, ...spoiled } = copy;
    const { outcome, item } = joinInto(copy, spoiled);
    expect(outcome).toBe('repaired');
    expect(item).toMatchObject({ status: { S: 'delivered' }, statusAt: { S: at(2) } });
  });

  it.each(['generation', 'expiresAt'])(
    'is repaired if a script removed its %s, without which nothing can be written',
    (name) => {
      const copy = stored(sent);
      const { [name]: _, ...spoiled } = copy;
      const { outcome, item } = joinInto(copy, spoiled);
      expect(outcome).toBe('repaired');
      expect(item).toHaveProperty(name);
      expect(joinInto(copy, { ...copy, [name]: { BOOL: true } })).toMatchObject({ outcome: 'repaired' });
    },
  );

  it('keeps a report that a script changed only without prefersCopy', () => {
    const copy = stored(sent);
    const spoiled = stored(report('m', 'a', 'failed', 1, { phone: '+12025550100' }));
    expect(joinInto(copy, spoiled).item).toMatchObject({ status: { S: 'failed' } });
    const restored = joinInto(
      copy,
      { ...spoiled, ...stored(fold([report('m', 'a', 'failed', 1), delivered])) },
      {
        prefersCopy: true,
      },
    );
    expect(restored.outcome).toBe('conflict');
    expect(messageFromItem(restored.item ?? {})).toEqual({ ...fold([sent, delivered]) });
  });

  it('gets back a time that a script made earlier, only with prefersCopy', () => {
    const copy = stored(fold([sent, delivered]));
    const spoiled = stored(fold([sent, report('m', 'b', 'delivered', 0, { phone: '+12025550100' })]));
    expect(joinInto(copy, spoiled)).toMatchObject({ outcome: 'newer', isWritten: false });
    const { outcome, item } = joinInto(copy, spoiled, { prefersCopy: true });
    expect(outcome).toBe('conflict');
    expect(messageFromItem(item ?? {})).toEqual(fold([sent, delivered]));
  });

  it('keeps what each import says with prefersCopy, so that each can be undone', () => {
    const row = (importId: string, status: 'sent' | 'delivered') =>
      messageOf(
        {
          kind: 'sms.status',
          messageId: 'm',
          eventId: 'import:1',
          status,
          rank: rankOf(status),
          occurredAt: at(1),
          origin: 'import',
        },
        at(1),
        importId,
      );
    const reporters = fc.subarray(['imp-a', 'imp-b', 'imp-c'], { minLength: 1 });
    const status = fc.constantFrom('sent' as const, 'delivered' as const);
    assertProperty(
      fc.property(reporters, status, reporters, status, (here, hereSays, copy, copySays) => {
        const of = (ids: readonly string[], says: 'sent' | 'delivered') =>
          fold(ids.map((id) => row(id, says)));
        const { item } = joinInto(stored(of(copy, copySays)), stored(of(here, hereSays)), {
          prefersCopy: true,
        });
        const joined = messageFromItem(item ?? {});
        for (const id of ['imp-a', 'imp-b', 'imp-c']) {
          const others = [...new Set([...here, ...copy])].filter((one) => one !== id);
          const left = messageWithoutImport(joined, id);
          expect([...(left?.importedBy?.keys() ?? [])].sort()).toEqual(others.sort());
          expect(left === undefined).toBe(others.length === 0);
        }
      }),
    );
  });

  it('stays if it cannot be read, and is replaced with prefersCopy', () => {
    const copy = stored(sent);
    const broken: Item = { ...copy, 'report#a': { S: 'gone' } };
    expect(joinInto(copy, broken)).toMatchObject({ outcome: 'broken', isWritten: false });
    expect(joinInto(copy, broken, { prefersCopy: true })).toMatchObject({
      outcome: 'repaired',
      isWritten: true,
    });
    const { generation: _, ...without } = broken;
    expect(joinItem(copy, without, 'new', { ...rules, prefersCopy: true }).write).toMatchObject({
      ConditionExpression: 'attribute_not_exists(#read)',
      ExpressionAttributeNames: { '#read': 'generation' },
    });
  });

  it('is the same in another shard of its list and of its send', () => {
    const message = report('m', 'a', 'failed', 1, { sendId: 's' });
    const shards = { ...rules, listShards: 4 };
    const inOne = messageItem(message, 'g', expiresAt, { ...rules, listShards: 1 });
    const inFour = messageItem(message, 'g', expiresAt, shards);
    expect(joinInto(inFour, inOne, shards)).toMatchObject({ outcome: 'equal', isWritten: false });
    const ofOther = { ...inFour, listName: { S: 'failed#2026-01-16' } };
    expect(joinInto(inFour, ofOther, shards)).toMatchObject({ outcome: 'repaired' });
  });
});

describe('a reply', () => {
  const versions = fc.array(
    fc
      .record({ eventId: fc.constantFrom('a', 'b', 'c'), second: fc.nat(3), text: fc.constantFrom('x', 'y') })
      .map(({ eventId, second, text }) => replied('r', eventId, second, { text })),
    { minLength: 1, maxLength: 4 },
  );
  const foldAll = ([first, ...others]: readonly Reply[]) =>
    foldReplies([first ?? replied('r', 'a', 1), ...others]);

  it('has every version of both copies', () => {
    assertProperty(
      fc.property(versions, versions, (a, b) => {
        const joined = joinInto(storedReply(foldAll(b)), storedReply(foldAll(a))).item ?? {};
        const whole = foldAll([...a, ...b]);
        expect(versionsOf(replyFromItem(joined))).toEqual(versionsOf(whole));
        expect(joinInto(joined, joined)).toMatchObject({ outcome: 'equal', isWritten: false });
      }),
    );
  });

  it('is put together from the parts of both copies', () => {
    const part = (number: number) =>
      replied('r', `p${number}`, 1, {
        text: `part ${number}`,
        part: { partId: `p${number}`, number, total: 2 },
      });
    const { outcome, item } = joinInto(storedReply(part(2)), storedReply(part(1)));
    expect(outcome).toBe('completed');
    expect(item).toMatchObject({ text: { S: 'part 1part 2' } });
  });

  it('without an id and a time is the same one if another pipeline received it seconds earlier', () => {
    const id = (period: number) => `${'a'.repeat(43)}.${period.toString(36)}`;
    const [copy, here] = [
      storedReply(replied(id(10), 'e', 1)),
      storedReply(replied(id(11), 'e', 1, { received: 52 })),
    ];
    expect(keysOfSameReply(copy)).toContain(here.pk?.S);
    expect(isSameReply(copy, here)).toBe(true);
    expect(isSameReply(copy, storedReply(replied(id(11), 'e', 1, { received: 58 })))).toBe(false);
    expect(isSameReply(copy, { pk: { S: `reply#${id(11)}` } })).toBe(false);
    expect(keysOfSameReply(storedReply(replied('SM0987', 'e', 1)))).toEqual([]);
  });
});

it.each([
  [
    'a message',
    stored(report('cut\ud83d', 'e\ud83d', 'sent', 1, { phone: '+12025550143\ud83d', sendId: 's\ud83d' })),
  ],
  ['a reply', storedReply(replied('cut\ud83d', 'e\ud83d', 1, { text: 'Hi \ud83d' }))],
  [
    'an opt-out',
    optOutItem([{ phone: 'cut\ud83d', state: 'out', at: at(1), by: 'person', replyId: 'cut\ufffd' }], rules),
  ],
])('%s whose id has half a surrogate pair is equal to itself', (_, item) => {
  for (const listShards of [1, 4])
    expect(joinInto(item, item, { listShards })).toMatchObject({ outcome: 'equal', isWritten: false });
});

describe('an opt-out', () => {
  const statements = fc.array(
    fc.record({
      phone: fc.constant('+12025550143'),
      state: fc.constantFrom('out' as const, 'in' as const),
      at: fc.constantFrom(at(1), at(2), at(3)),
      by: fc.constant('person' as const),
      replyId: fc.constantFrom('r1', 'r2', 'r3'),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const itemOf = (said: readonly OptOutStatement[]) => optOutItem(joinStatements([], said), rules);

  it('has the statements of both copies, and its state follows from them', () => {
    assertProperty(
      fc.property(statements, statements, (a, b) => {
        const here = itemOf(a);
        const { item } = joinInto(itemOf(b), here);
        const { quiet: _, ...joined } = item ?? {};
        expect(joined).toEqual(itemOf([...a, ...b]));
        expect(statementsFromItem(joined)).toEqual(joinStatements([], [...a, ...b]));
      }),
    );
  });

  const stop = { phone: '+12025550143', state: 'out', at: at(1), by: 'person', replyId: 'r1' } as const;

  it('lacks nothing of a copy with older statements than the register keeps', () => {
    const said = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...stop,
        at: new Date(Date.parse(at(1)) + index).toISOString(),
        replyId: `r-${index}`,
      }));
    const [copy, here] = [itemOf(said(maxStatements)), itemOf(said(2 * maxStatements))];
    expect(joinInto(copy, here)).toMatchObject({ outcome: 'newer', isWritten: false });
    const { outcome, item } = joinInto(here, copy);
    expect(outcome).toBe('completed');
    expect(item?.statements).toEqual(here.statements);
  });

  it('is repaired if a script changed its state, under the condition that its statements are as they were read', () => {
    const copy = itemOf([stop]);
    const { listName: _, ...without } = copy;
    const spoiled = { ...without, state: { S: 'in' } };
    const { outcome, write } = joinItem(copy, spoiled, 'new', rules);
    expect(outcome).toBe('repaired');
    expect(write).toMatchObject({
      Item: { state: { S: 'out' }, listName: { S: 'opted-out' } },
      ExpressionAttributeNames: { '#read': 'statements' },
    });
  });

  it('gets back the time of a STOP that a script made earlier than a START, only with prefersCopy', () => {
    const start = { ...stop, state: 'in', at: at(2), replyId: 'r2' } as const;
    const copy = itemOf([start, { ...stop, at: at(3), receivedAt: stop.at }]);
    const spoiled = itemOf([start, stop]);
    expect(spoiled.state).toEqual({ S: 'in' });
    expect(joinInto(copy, spoiled)).toMatchObject({ outcome: 'newer', isWritten: false });
    const { outcome, item } = joinInto(copy, spoiled, { prefersCopy: true });
    expect(outcome).toBe('conflict');
    expect(item).toMatchObject({ state: { S: 'out' }, changedAt: { S: at(3) } });
  });

  it('is repaired if a script let it expire', () => {
    const copy = itemOf([stop]);
    const { outcome, item } = joinInto(copy, { ...copy, expiresAt: { N: String(expiresAt) } });
    expect(outcome).toBe('repaired');
    expect(item).toEqual({ ...copy, quiet: { BOOL: true } });
  });

  it.each([
    ['none', undefined],
    ['no list of them', { S: 'out' }],
    ['an empty list of them', { L: [] }],
    ['another value among them', { L: [{ NULL: true }] }],
    [
      'one without its time',
      { L: [{ M: { phone: { S: stop.phone }, state: { S: 'out' }, by: { S: 'person' } } }] },
    ],
  ] as const)('cannot be read without its statements: %s', (_, spoiled) => {
    const { statements, ...others } = itemOf([stop]);
    const item: Item = { ...others, ...(spoiled !== undefined && { statements: spoiled as never }) };
    expect(() => joinItem(item, undefined, 'new', rules)).toThrow('an opt-out without its statements');
    expect(joinInto({ ...others, statements: statements ?? ({} as never) }, item)).toMatchObject({
      outcome: 'broken',
    });
  });
});

describe('a person who was erased', () => {
  const erased = {
    until: (number: string, kind: 'history' | 'opt-out') =>
      number === '+12025550143' ? (kind === 'history' ? at(45) : at(1)) : undefined,
  };
  const of = (eventId: string, received: number) =>
    report('m', eventId, 'sent', 1, { phone: '+12025550143', received });

  it('does not come back, and what was received after the erasure does', () => {
    for (const received of [44, 45])
      expect(joinInto(stored(of('a', received)), undefined, { erased })).toMatchObject({
        outcome: 'erased',
        isWritten: false,
      });
    const { outcome, item } = joinInto(stored(fold([of('a', 44), of('b', 46)])), undefined, { erased });
    expect(outcome).toBe('added');
    expect(messageFromItem(item ?? {})).toEqual(of('b', 46));
  });

  it('does not change when a message was first seen, if that was after the erasure', () => {
    // Of reports that overtake each other, the one that was stored first says when the message was first seen.
    const message = { ...fold([of('a', 44), of('b', 46), of('c', 48)]), firstSeenAt: at(48) };
    const { item } = joinInto(stored(message), undefined, { erased });
    expect(messageFromItem(item ?? {})).toEqual({ ...fold([of('b', 46), of('c', 48)]), firstSeenAt: at(48) });
  });

  it('loses the replies and the opt-out of before', () => {
    expect(joinInto(storedReply(replied('r', 'a', 1, { received: 44 })), undefined, { erased }).outcome).toBe(
      'erased',
    );
    const said = (second: number) =>
      ({ phone: '+12025550143', state: 'out', at: at(second), by: 'person', replyId: `r${second}` }) as const;
    const item = optOutItem(joinStatements([], [said(1), said(2)]), rules);
    expect(statementsFromItem(joinInto(item, undefined, { erased }).item ?? {})).toEqual([said(2)]);
  });
});

it('timesOf says when the facts of an item were received', () => {
  expect(
    timesOf(stored(fold([report('m', 'a', 'sent', 1, { received: 44 }), report('m', 'b', 'sent', 1)]))),
  ).toEqual([at(44), at(50)]);
  expect(() => joinItem({ pk: { S: 'drift#2026-01-15' } }, undefined, 'g', rules)).toThrow(
    'no message, reply or opt-out',
  );
});
