import assert from 'node:assert/strict';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JoinOptions, joinPage } from '../../../cli/copies/join-page.ts';
import { erasedPersons } from '../../../cli/personal-data/erased-persons.ts';
import type { Item } from '../../../functions/history/item-keys.ts';
import { messageFromItem, messageItem } from '../../../functions/history/message-item.ts';
import { optOutFromItem } from '../../../functions/history/opt-out/opt-out.ts';
import { optOutItem } from '../../../functions/history/opt-out/opt-out-item.ts';
import { replyFromItem, replyItem } from '../../../functions/history/reply-item.ts';
import { deltasOf } from '../../../functions/insights/counters/deltas.ts';
import { messageEvents, replyEvents } from '../../../functions/publish/publisher/history-events.ts';
import { masked } from '../../../functions/query/api/mask.ts';
import { viewMessage, viewOptOut, viewReply } from '../../../functions/query/api/views/views.ts';
import { quarantinedFromItem } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { at, replied, report } from '../../support/suites/reports.ts';
import { fuzz } from './fuzz.ts';
import { assertShowsNoInsides } from './watch.ts';

const rules = {
  retentionDays: 400,
  listShards: 1,
  optOutsBySource: false,
  prefersCopy: false,
  isQuiet: true,
};
const now = Date.parse(at(60)) / 1000;
const latestExpiry = now + 400 * 86_400;

const facts = {
  phone: '+12025550100',
  sendId: 's',
  word: 'UNDELIV',
  errorCode: '30',
  errorReason: 'unreachable',
  errorText: 'off',
  price: '0.01',
  currency: 'USD',
  segments: 2,
  network: '31026',
  carrier: 'A',
  channel: 'whatsapp',
  partId: 'p',
} as const;
const answer = { to: '+12025550101', messageId: 'm', media: ['https://media.example/1'] };
const statement = { phone: '+12025550100', state: 'in', at: at(1), by: 'person', replyId: 'r' } as const;
const entry = { reason: 'bad-time', receivedAt: at(1), requestId: 'q', index: 0 };
const erasure = {
  state: 'done',
  startedAt: at(1),
  finishedAt: at(2),
  toolVersion: '1',
  keepOptOut: false,
  person: { number: 'n', spellings: ['s'], key: 'k' },
  listName: 'erasures',
  listedAt: at(1),
  messages: 1,
  replies: 0,
  optOuts: 0,
  quarantined: 0,
};

/** An item of each kind, as the pipeline writes it. */
const items = {
  message: messageItem(report('m', 'a', 'failed', 1, facts), 'g', 1, rules),
  reply: replyItem(replied('r', 'a', 1, answer), 'g', 1, rules),
  'opt-out': optOutItem([statement], rules),
  quarantined: marshall({
    pk: at(1).slice(0, 10),
    sk: `${at(1)}#q#0`,
    ...entry,
    headers: { 'x-signature': 's' },
    body: '{}',
    expiresAt: now + 90 * 86_400,
  }),
  erasure: marshall({ pk: 'erasure#e', ...erasure }),
} satisfies Record<string, Item>;

type Kind = keyof typeof items;

/** Joins an item of a copy into an empty history. */
async function joinOne(item: Item) {
  const written: Item[] = [];
  const here = {
    read: async () => new Map(),
    readQuarantine: async () => [],
    put: async (_table: string, write: { readonly Item: Item }) => {
      written.push(write.Item);
      return { kind: 'written' };
    },
  } as unknown as JoinOptions['here'];
  const erased = erasedPersons([], [], at(60));
  const options = { here, rules, erased, range: {}, now, isDryRun: false, newGeneration: () => 'n' };
  const [joined] = await joinPage([item], options);
  return { outcome: joined?.outcome ?? 'left out', written: written[0] };
}

const publishing = { everyEvent: true, keywordOf: () => undefined, mayMeanStop: () => false };

/** Does with an item what the functions of the pipeline do with each item. */
const uses: Readonly<Record<Kind, (item: Item) => void>> = {
  message(item) {
    const message = messageFromItem(item);
    masked(viewMessage(message));
    messageEvents({ before: undefined, after: message }, publishing);
    const change = { kind: 'message', before: undefined, after: message } as const;
    for (const { tally } of deltasOf([change], () => undefined).cohorts)
      for (const count of Object.values(tally)) assert(Number.isSafeInteger(count), 'a count is none');
  },
  reply(item) {
    const reply = replyFromItem(item);
    masked(viewReply(reply));
    replyEvents({ before: undefined, after: reply }, publishing);
    deltasOf([{ kind: 'reply', before: undefined, after: reply }], () => undefined);
  },
  'opt-out'(item) {
    const optOut = optOutFromItem(item);
    if (optOut !== undefined) masked(viewOptOut(optOut));
    assert(String(item.changedAt?.S) < at(60 + 3600), 'an opt-in outlasts later opt-outs');
  },
  quarantined: (item) => quarantinedFromItem(item),
  erasure(item) {
    erasedPersons([item], ['key'], at(60));
    assert.equal(item.listName?.S, 'erasures', 'a receipt is in a list of messages');
  },
};

const values = fc.constantFrom<Item[string]>(
  { S: 'zzz' },
  { S: '' },
  { S: 'Fri' },
  { S: '2026-01-15' },
  { S: '9999-12-31T23:59:59.000Z' },
  { S: '+275760-09-13T00:00:00.001Z' },
  { S: '__proto__' },
  { S: 'pending' },
  { S: 'gzip+base64' },
  { S: 'a'.repeat(3000) },
  { N: '5' },
  { N: '-1' },
  { N: '1e30' },
  { N: '253402300799' },
  { NULL: true },
  { BOOL: true },
  { M: {} },
  { M: { toString: { S: 'x' } } },
  { L: [] },
  { L: [{ NULL: true }] },
  { SS: ['a'] },
);

interface Attack {
  readonly kind: Kind;
  /** Chooses an attribute, or one within it. */
  readonly place: readonly number[];
  /** Null: the attribute is removed. */
  readonly value: Item[string] | null;
}

/** Replaces one value within an item. */
function replaced(item: Item, [first = 0, ...within]: readonly number[], value: Attack['value']): Item {
  const names = Object.keys(item);
  const name = names[first % Math.max(1, names.length)] ?? 'other';
  const old = item[name];
  if (within.length > 0 && old?.M !== undefined)
    return { ...item, [name]: { M: replaced(old.M, within, value) } };
  if (within.length > 0 && old?.L?.[0]?.M !== undefined)
    return { ...item, [name]: { L: [{ M: replaced(old.L[0].M, within, value) }] } };
  if (value !== null) return { ...item, [name]: value };
  const { [name]: _, ...others } = item;
  return others;
}

fuzz<Attack>(
  'history-copy',
  {
    inputs: fc.record({
      kind: fc.constantFrom<Kind>('message', 'reply', 'opt-out', 'quarantined', 'erasure'),
      place: fc.array(fc.nat(25), { minLength: 1, maxLength: 3 }),
      value: fc.option(values, { nil: null }),
    }),
    async attempt({ kind, place, value }) {
      const { outcome, written } = await joinOne(replaced(items[kind], place, value));
      if (written === undefined) return outcome;
      assertShowsNoInsides('the item', JSON.stringify(written));
      assert(Number(written.expiresAt?.N ?? 0) <= latestExpiry + 10 * 365 * 86_400, 'an item never expires');
      uses[kind](written);
      return outcome;
    },
  },
  ['added', 'unreadable', 'left out', 'unfinished'],
);

describe('a copy that a stranger wrote', () => {
  it('is joined where it has the form of the pipeline', async () => {
    for (const item of Object.values(items)) expect((await joinOne(item)).outcome).toBe('added');
  });

  const key = (pk: string): Item => ({ pk: { S: pk } });
  /** An item with more attributes, as a line of a file has them: with `__proto__` as a name like others. */
  const parsed = (text: string, item: object) =>
    JSON.parse(`${JSON.stringify(item).slice(0, -1)},${text.slice(1)}`);
  const inReport = (name: string, value: Item[string]): Item => {
    const found = items.message['report#a']?.M ?? {};
    return { ...items.message, 'report#a': { M: { ...found, [name]: value } } };
  };
  it.each<readonly [what: string, item: Item]>([
    ['a message under the key of another', { ...items.message, ...key('message#other') }],
    ['a reply under the key of another', { ...items.reply, ...key('reply#other') }],
    ['an opt-in under the number of another person', { ...items['opt-out'], ...key('optout#+12025550199') }],
    ...[statement.at, '2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'].map(
      (receivedAt): [string, Item] => [
        `an opt-in received at ${receivedAt}`,
        optOutItem([{ ...statement, receivedAt }], rules),
      ],
    ),
    ['an opt-in of the future', optOutItem([{ ...statement, at: '2999-01-01T00:00:00.000Z' }], rules)],
    ['a report that happened at no time', inReport('at', { S: 'zzz' })],
    ['a price that is no number', inReport('price', { S: '1e9' })],
    ['a report that was received in the future', inReport('receivedAt', { S: '2999-01-01T00:00:00.000Z' })],
    ['a receipt in the list of pending messages', { ...items.erasure, listName: { S: 'pending' } }],
    ['a receipt of the future', { ...items.erasure, finishedAt: { S: '2999-01-01T00:00:00.000Z' } }],
    [
      'an entry of the quarantine that never expires',
      { ...items.quarantined, expiresAt: { N: '99999999999' } },
    ],
    ['an entry under the key of another', { ...items.quarantined, sk: { S: `${at(1)}#other#0` } }],
    [
      'a receipt that inherits what it must have',
      parsed(`{"__proto__":{"M":${JSON.stringify(items.erasure)}}}`, {
        ...key('erasure#e'),
        state: items.erasure.state,
      }),
    ],
    ['an attribute called __proto__', parsed('{"__proto__":{"S":"x"}}', items.message)],
    [
      'a report with an attribute called __proto__',
      inReport('unread', JSON.parse('{"M":{"__proto__":{"S":"x"}}}')),
    ],
    ['an attribute without a value', parsed('{"x":null}', items.message)],
    ['an attribute that is a number', parsed('{"x":5}', items.message)],
    ['a report without a map', parsed('{"report#a":{"M":null}}', items.message)],
    ['a list without a value', parsed('{"statements":{"L":[null]}}', items['opt-out'])],
    ['a list that is a text', parsed('{"statements":{"L":"ab"}}', items['opt-out'])],
    ['a text that is an object', parsed('{"messageId":{"S":{"length":1}}}', items.message)],
    ['a key that is a number', parsed('{"sk":{"S":5}}', items.quarantined)],
    ['a number in hexadecimal', parsed('{"messages":{"N":" 0x10 "}}', items.erasure)],
    ['a number that is a list', parsed('{"messages":{"N":["5"]}}', items.erasure)],
    ['a value of two kinds', parsed('{"messages":{"N":"5","S":"x"}}', items.erasure)],
    [
      'maps within each other',
      parsed(`{"x":${'{"M":{"a":'.repeat(50_000)}{"S":"x"}${'}}'.repeat(50_000)}}`, items.message),
    ],
    [
      'a receipt whose key is too long for DynamoDB',
      { ...items.erasure, ...key(`erasure#${'x'.repeat(2050)}`) },
    ],
    [
      'an entry whose key is too long for DynamoDB',
      {
        ...items.quarantined,
        requestId: { S: 'x'.repeat(1024) },
        sk: { S: `${at(1)}#${'x'.repeat(1024)}#0` },
      },
    ],
  ])('is not joined: %s', async (_, item) => {
    expect(await joinOne(item)).toEqual({ outcome: 'unreadable', written: undefined });
  });
});
