import { afterEach, describe, expect, it } from 'vitest';
import { createMapper, maxEventsPerBody } from '../../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../../contract/schema/contract-schema.ts';
import { upsertMessage } from '../../../../../functions/history/history-write-store.ts';
import { messageOf, replyOf } from '../../../../../functions/history/message.ts';
import { replyItem } from '../../../../../functions/history/reply-item.ts';
import { maxBodyBytes } from '../../../../../functions/receive/ingest/receive.ts';
import { formContract, shippedContract } from '../../../../../tools/support/contracts.ts';
import { magicNames } from '../../../hostile-input/hostile-values.ts';

const settings = { retentionDays: 400, listShards: 16 };
const generation = '010203040506';
const receivedAt = '2026-01-15T12:00:10.000Z';
const time = '2026-01-15T12:00:05Z';

const read = (body: string, contract: Contract = shippedContract) =>
  createMapper(contract)(Buffer.from(body), 'evt_1', receivedAt);

const problems = (body: string, contract?: Contract) =>
  read(body, contract).map((mapped) => (mapped.kind === 'event' ? mapped.event.kind : mapped.reason));

/** The items that DynamoDB would store. */
function stored(body: string, contract?: Contract) {
  return read(body, contract).map((mapped) => {
    if (mapped.kind === 'unreadable') return mapped.reason;
    const { event } = mapped;
    return event.kind === 'sms.status'
      ? upsertMessage(messageOf(event, receivedAt), generation, settings)
      : replyItem(replyOf(event, receivedAt), generation, 0, settings);
  });
}

const report = (data: string) => `{"type":"sms.status","data":{${data}}}`;
const good = `"id":"m-1","status":"sent","occurred_at":"${time}"`;

describe('names that mean something to JavaScript', () => {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Map.prototype];
  const before = prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

  afterEach(() => {
    expect(prototypes.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });

  it.each(magicNames)('%s beside the fields of an event changes nothing of what is stored', (name) => {
    const payload =
      '{"polluted":1,"id":"other","status":"delivered","constructor":{"prototype":{"polluted":1}}}';
    const plain = stored(report(good));
    expect(stored(report(`${good},"${name}":${payload}`))).toEqual(plain);
    expect(stored(`{"${name}":${payload},${report(good).slice(1)}`)).toEqual(plain);
    const fields = 'EventSid=E1&MessageSid=m-1&MessageStatus=done&Time=1768478405';
    for (const extra of [`${name}=1`, `${name}=1&${name}=2`, `${name}[polluted]=1`, `${name}.polluted=1`])
      expect(stored(`${extra}&${fields}`, formContract)).toEqual(stored(fields, formContract));
  });

  it.each(magicNames)('%s as a field does not lend an event what it lacks', (name) => {
    const lent = `{"type":"sms.status","data":{"id":"m-1","${name}":{"status":"read","occurred_at":"${time}"}}}`;
    expect(problems(lent)).toEqual(['missing-field']);
    expect(problems(`{"${name}":${report(good)}}`)).toEqual(['unknown-kind']);
    expect(problems(`${name}=${name}`, formContract)).toEqual(['missing-field']);
  });

  it.each(magicNames)('%s as a value is a text like any other', (name) => {
    const body = report(`"id":"${name}","send_id":"${name}","status":"${name}","occurred_at":"${time}"`);
    expect(read(body)).toMatchObject([{ event: { messageId: name, sendId: name, status: name, rank: 0 } }]);
    expect(stored(body)).toMatchObject([{ Key: { pk: { S: `message#${name}` } } }]);
  });

  it('do not leave expressions that copy objects', () => {
    const none = {
      sendId: null,
      recipient: null,
      errorCode: null,
      errorText: null,
      price: null,
      currency: null,
      segments: null,
      network: null,
      carrier: null,
      final: null,
      parentMessageId: null,
      channel: null,
    };
    const copying: Contract = {
      ...shippedContract,
      events: {
        ...shippedContract.events,
        list: '[merge(@, data)]',
        status: { messageId: 'id', status: 'status', occurredAt: 'occurred_at', ...none },
      },
    };
    expect(read(report(`${good},"__proto__":{"polluted":1,"send_id":"other"}`), copying)).toMatchObject([
      { event: { messageId: 'm-1', status: 'sent', occurredAt: '2026-01-15T12:00:05.000Z' } },
    ]);
  });
});

describe('bodies made to be expensive', () => {
  const fill = (piece: string, separator = '') =>
    Array.from(
      { length: Math.floor(maxBodyBytes / (piece.length + separator.length)) - 1 },
      () => piece,
    ).join(separator);

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['an event of arrays', '{"type":"sms.status","data":[', ']}'],
  ])('nested to the limit are rejected as a whole: %s', (_, open, close) => {
    const depth = Math.floor(maxBodyBytes / (open.length + close.length)) - 8;
    expect(problems(`${open.repeat(depth)}0${close.repeat(depth)}`)).toEqual(['too-deep']);
  });

  it('with more elements than the maximum of events are kept as one entry', () => {
    expect(problems(`[${fill('0', ',')}]`)).toHaveLength(1);
    const elements = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
    expect(problems(elements(maxEventsPerBody + 1))).toEqual(['too-many-events']);
    expect(problems(elements(maxEventsPerBody))).toHaveLength(maxEventsPerBody);
  });

  it('of very many names are read: their hashes are seeded, and names that are numbers no exception', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => index * 65_536);
    const json = names.map((name) => `"${name}":0`).join();
    expect(problems(`{${json},${report(good).slice(1)}`)).toEqual(['sms.status']);
    const fields = names.map((name) => `${name}=`).join('&');
    const event = 'MessageSid=m&MessageStatus=done&Time=1768478405';
    expect(problems(`${fields}&${event}`, formContract)).toEqual(['sms.status']);
    expect(problems(fill('MessageSid=m', '&'), formContract)).toEqual(['missing-field']);
  });

  it.each(['1e400', '-1e400', `1e${'9'.repeat(1000)}`])(
    'with a number beyond the range of the store contain no infinity: case %#',
    (number) => {
      // As an id it is a text with the digits as received.
      const isLong = number.length > 1000;
      const asId = `"id":${number},"status":"sent","occurred_at":"${time}"`;
      expect(problems(report(asId))).toEqual(['sms.status']);
      const asTime = `"id":"m","status":"sent","occurred_at":${number}`;
      expect(problems(report(asTime))).toEqual([isLong ? 'field-too-long' : 'bad-time']);
    },
  );
});
