import { gzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  createPersonalDataSources,
  personalRecords,
  textsOf,
} from '../../../../cli/personal-data/sources.ts';
import { explainError } from '../../../../cli/target/errors.ts';
import type { Item } from '../../../../functions/history/item-keys.ts';
import { quarantinedFromItem } from '../../../../functions/receive/io.ts';
import { answering, anyAccount } from '../support/aws.ts';

const phone = '+12025550143';
const entry: Item = {
  pk: { S: '2026-01-15' },
  sk: { S: '2026-01-15T12:00:05.000Z#0f8fad5b-d9cb-469f-a165-70867728950e#0' },
  reason: { S: 'bad-time' },
  receivedAt: { S: '2026-01-15T12:00:05.000Z' },
  requestId: { S: '0f8fad5b-d9cb-469f-a165-70867728950e' },
  body: { S: '{}' },
};

/** What the user reads if the tables have these items. */
async function failureWith({ history = [], quarantine = [] }: Record<string, readonly Item[]>) {
  const client = answering(new DynamoDBClient(anyAccount), (command, input) => {
    if (command === 'ScanCommand') return { Items: quarantine };
    if (command === 'QueryCommand') return { Items: history };
    const { Keys } = (input.RequestItems as { History: { Keys: readonly Item[] } }).History;
    const wanted = new Set(Keys.map(({ pk }) => pk?.S));
    return { Responses: { History: history.filter(({ pk }) => wanted.has(pk?.S)) } };
  });
  const sources = createPersonalDataSources(client, { history: 'History', quarantine: 'Quarantine' });
  try {
    for await (const _ of personalRecords(sources, phone));
  } catch (error) {
    return explainError(error) ?? error;
  }
  return undefined;
}

it('an entry of the quarantine that can be read ends no search for a person', async () => {
  const long = { ...entry, expiresAt: { N: '1e30' }, index: { N: '0' }, masked: { BOOL: true } };
  expect(await failureWith({ quarantine: [entry, long] })).toBeUndefined();
});

it.each<[string, Item]>([
  ['headers of another kind', { headers: { NULL: true } }],
  ['a header that is no text', { headers: { M: { 'x-signature': { N: '5' } } } }],
  ['a query that is no text', { query: { L: [{ S: phone }] } }],
  ['a reason that is no text', { reason: { N: '1' } }],
  ['a position that is too large', { index: { N: '1e30' } }],
  ['a position that is no number', { index: { S: phone } }],
])('an entry of the quarantine with %s is named by its table and key', async (_name, spoiled) => {
  const failure = await failureWith({ quarantine: [entry, { ...entry, ...spoiled }] });
  expect(failure).toMatch(/^An item of the history cannot be read/);
  expect(failure).toContain(`in table Quarantine, key ${entry.pk?.S} ${entry.sk?.S}`);
  expect(failure).not.toContain('5550143');
});

it.each([
  ['message#order-5', 'message#order-5'],
  ['message#1202556', 'message#1202556'],
  [`message#12025550143-7`, 'message#•••0143-7'],
  [`reply#${phone}`, 'reply#•••0143'],
])('the item %s of the history is named as %s', async (pk, shown) => {
  const spoiled = { pk: { S: pk }, phone: { S: phone } };
  expect(await failureWith({ history: [spoiled] })).toContain(`in table History, key ${shown})`);
});

it('an opt-out is named without its number', async () => {
  const spoiled = { pk: { S: `optout#${phone}` }, state: { S: 'out' } };
  expect(await failureWith({ history: [spoiled] })).toContain('in table History, key optout#•••0143)');
});

it('names entries of the quarantine that have more than is searched, and in which the number was not found', async () => {
  const withBody = (requestId: string, body: Buffer) => ({
    ...entry,
    sk: { S: `2026-01-15T12:00:05.000Z#${requestId}#0` },
    requestId: { S: requestId },
    body: { S: body.toString('base64') },
    bodyEncoding: { S: 'base64' },
  });
  const much = 'x'.repeat(2_000_000);
  const Items = [
    withBody('without', gzipSync(much)),
    withBody('with', gzipSync(`${phone}${much}`)),
    withBody('small', gzipSync('{}')),
  ];
  const client = answering(new DynamoDBClient(anyAccount), () => ({ Items }));
  const unsearched: string[] = [];
  const tables = { history: 'History', quarantine: 'Quarantine' };
  const { quarantine } = createPersonalDataSources(client, tables, undefined, (id) => unsearched.push(id));
  const found = [];
  for await (const { place } of quarantine(phone)) found.push(place.Key.sk?.S);
  expect(found).toEqual([Items[1]?.sk.S]);
  expect(unsearched).toEqual([Items[0]?.sk.S]);
});

describe('gzip in base64 makes an entry one that is not searched as a whole', () => {
  const inBase64 = gzipSync(JSON.stringify({ to: phone, text: 'x'.repeat(300) })).toString('base64');
  const wholeOf = (raw: Uint8Array, headers = {}) =>
    textsOf({ ...quarantinedFromItem(entry), raw, headers }).isWhole;

  it.each([
    ['in JSON', JSON.stringify({ data: inBase64 })],
    ['in JSON with escapes', JSON.stringify({ data: inBase64 }).replaceAll('H', '\\u0048')],
    ['in a form', new URLSearchParams({ data: inBase64 }).toString()],
    ['in a form in a form', `data=${encodeURIComponent(inBase64.replace('H', '%48'))}`],
    ['in HTML', inBase64.replace('H', '&#72;').replaceAll('+', '&#43;')],
    ['in quoted-printable', inBase64.replace(/.{75}/g, '$&=\r\n')],
    ['behind other base64, over the end of a line', `${'eHh4'.repeat(18)}H4\r\n${inBase64.slice(2)}`],
    ['in the alphabet of URLs', inBase64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
    ['in UTF-16', [...inBase64].join('\0')],
    ['behind a long text', `${' '.repeat(299_998)}${inBase64}`],
  ])('%s', (_, text) => {
    expect(wholeOf(Buffer.from(text))).toBe(false);
    expect(wholeOf(gzipSync(text))).toBe(false);
    expect(wholeOf(Buffer.from('{}'), { 'x-body': text })).toBe(false);
  });

  it('and other base64 does not', () => {
    expect(wholeOf(Buffer.from(JSON.stringify({ data: Buffer.from(phone).toString('base64') })))).toBe(true);
  });
});
