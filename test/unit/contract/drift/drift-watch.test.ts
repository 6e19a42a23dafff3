import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../../contract/document/expected.ts';
import { looksLikeVocabulary, shapeOf } from '../../../../contract/drift/drift-watch.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import {
  contracts,
  formContract,
  nestedContract,
  shippedContract,
} from '../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../support/property.ts';

const receivedAt = '2026-01-15T12:00:10.000Z';
const statusData = {
  id: 'm',
  send_id: 's',
  to: '+12025550143',
  status: 'delivered',
  occurred_at: '2026-01-15T12:00:05.000Z',
};
const status = (data: object = {}) => ({ type: 'sms.status', data: { ...statusData, ...data } });
const reply = (data: object = {}) => ({
  type: 'sms.reply',
  data: {
    id: 'r',
    message_id: 'm',
    from: '+12025550143',
    to: '+12025550100',
    text: 'hi',
    occurred_at: '2026-01-15T12:00:05.000Z',
    ...data,
  },
});

function mismatchesIn(body: unknown, contract: Contract = shippedContract) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return createMapper(contract, expectedOf(contract))(bytes, 'evt_1', receivedAt).flatMap(
    ({ mismatches = [] }) => mismatches.map(({ shape, ...mismatch }) => mismatch),
  );
}

describe('a charset of single bytes', () => {
  const contract: Contract = { ...formContract, webhook: { ...formContract.webhook, charset: 'iso-8859-1' } };
  const found = (letter: string) =>
    mismatchesIn(`From=%2B12025550143&MessageSid=m&ReplyText=n${letter}o&Time=1768478405`, contract).filter(
      ({ field }) => field === 'webhook.charset',
    );

  it.each(['%C3%A3', 'ã'])('is wrong if the letters are UTF-8: %s', (letter) => {
    expect(found(letter)).toEqual([
      { kind: 'format', field: 'webhook.charset', expected: 'iso-8859-1', found: 'utf-8' },
    ]);
  });

  it.each(['%E3', 'a', '%25'])('may be right otherwise: %s', (letter) => {
    expect(found(letter)).toEqual([]);
  });
});

describe('the drift watch reports nothing', () => {
  it.each(contracts)('for the samples of a contract: $name', ({ contract }) => {
    for (const { body } of contract.samples)
      expect(
        mismatchesIn(
          contract.webhook.bodyFormat === 'form'
            ? new URLSearchParams(Object(body)).toString()
            : JSON.stringify(body),
          contract,
        ),
      ).toEqual([]);
  });

  it('for a long number, which is read as text', () => {
    const body = { payload: { batches: [{ items: [{ type: 'DLR', ts: 1768478405000 }] }] } };
    const report =
      '"report":{"ref":12345678901234567890,"campaign":"c","msisdn":"12025550143","state":"DELIVRD"}';
    expect(mismatchesIn(JSON.stringify(body).replace('"ts"', `${report},"ts"`), nestedContract)).toEqual([]);
  });

  it('for the id of a chat, which is no phone number', () => {
    expect(mismatchesIn(status({ to: 'telegram:12025550143' }))).toEqual([]);
    expect(mismatchesIn(reply({ from: 'messenger:ann.example' }))).toEqual([]);
    const { events } = shippedContract;
    const withChannel = {
      ...shippedContract,
      events: {
        ...events,
        status: { ...events.status, channel: 'data.channel' },
        reply: { ...events.reply, channel: 'data.channel' },
      },
    };
    expect(mismatchesIn(status({ to: '12025550143', channel: 'Telegram' }), withChannel)).toEqual([]);
    expect(mismatchesIn(reply({ from: 'ann.example', channel: 'line' }), withChannel)).toEqual([]);
    expect(mismatchesIn(reply({ from: 'ann.example', channel: 'whatsapp' }), withChannel)).toMatchObject([
      { expected: 'phone number' },
    ]);
  });

  it('without expected events', () => {
    const [mapped] = createMapper(shippedContract)(Buffer.from('{"type":"other"}'), 'e', receivedAt);
    expect(mapped).not.toHaveProperty('mismatches');
  });

  it('for kinds and fields that no sample shows', () => {
    expect(mismatchesIn(status({ to: 'short', send_id: 7 }), { ...shippedContract, samples: [] })).toEqual(
      [],
    );
  });
});

describe('the drift watch reports', () => {
  it('an unlisted status, with the word unless it may be personal data', () => {
    const unlisted = { kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string' };
    expect(mismatchesIn(status({ status: 'held' }))).toEqual([{ ...unlisted, word: 'held' }]);
    expect(mismatchesIn(status({ status: 'sent to +12025550143' }))).toEqual([unlisted]);
  });

  it('a kind that the contract does not know', () => {
    const unknown = { kind: 'kind', field: 'events.kind', expected: 'sms.status or sms.reply' };
    expect(mismatchesIn({ type: 'sms.clicked' })).toEqual([
      { ...unknown, found: 'string', word: 'sms.clicked' },
    ]);
    expect(mismatchesIn({ type: 'to +12025550143' })).toEqual([{ ...unknown, found: 'string' }]);
    expect(mismatchesIn({ kind: 'sms.status' })).toEqual([{ ...unknown, found: 'null' }]);
  });

  it('a missing field that every sample has, required or not', () => {
    expect(mismatchesIn(status({ send_id: undefined, to: ' ' }))).toEqual([
      { kind: 'field-missing', field: 'events.status.recipient', expected: 'string', found: 'nothing' },
    ]);
    expect(mismatchesIn(status({ id: undefined, status: undefined }))).toMatchObject([
      { kind: 'field-missing', field: 'events.status.messageId' },
      { kind: 'field-missing', field: 'events.status.status' },
    ]);
    expect(mismatchesIn(reply({ text: undefined }))).toMatchObject([{ field: 'events.reply.text' }]);
  });

  it('an id that is missing at its place, because repeats would then be distinguished by their content', () => {
    const report = 'MessageSid=M&To=%28202%29+555-0143&MessageStatus=done&Time=1768478405';
    expect(mismatchesIn(`EventSid=E&${report}`, formContract)).toEqual([]);
    expect(mismatchesIn(report, formContract)).toEqual([
      { kind: 'field-missing', field: 'events.id.path', expected: 'string', found: 'nothing' },
    ]);
  });

  it('a value of another type, also of an error', () => {
    expect(mismatchesIn(status({ id: 7, error_code: 30003 }))).toEqual([
      { kind: 'format', field: 'events.status.messageId', expected: 'string', found: 'number' },
      { kind: 'format', field: 'events.status.errorCode', expected: 'string', found: 'number' },
    ]);
    expect(mismatchesIn(status({ to: ['+12025550143'] }))).toMatchObject([
      { field: 'events.status.recipient', expected: 'string', found: 'array' },
    ]);
  });

  it('a phone number that cannot be read', () => {
    const unreadable = { kind: 'format', expected: 'phone number', found: 'string' };
    expect(mismatchesIn(status({ to: 'SENDER' }))).toEqual([
      { ...unreadable, field: 'events.status.recipient' },
    ]);
    expect(mismatchesIn(reply({ from: 'SENDER' }))).toEqual([{ ...unreadable, field: 'events.reply.from' }]);
    expect(
      mismatchesIn('EventSid=E&MessageSid=M&To=x&MessageStatus=done&Time=1768478405', formContract),
    ).toEqual([{ ...unreadable, field: 'events.status.recipient' }]);
  });

  it('a time that cannot be read, once', () => {
    expect(mismatchesIn(status({ occurred_at: '15/01/2026' }))).toEqual([
      { kind: 'format', field: 'events.status.occurredAt', expected: 'iso8601', found: 'string' },
    ]);
    expect(mismatchesIn(status({ occurred_at: 1768478405 }))).toEqual([
      { kind: 'format', field: 'events.status.occurredAt', expected: 'string', found: 'number' },
    ]);
  });

  it('a body that is not JSON, or has no events at the expected place', () => {
    expect(mismatchesIn('a=1&b=2')).toEqual([
      { kind: 'format', field: 'webhook.bodyFormat', expected: 'json', found: 'other text' },
    ]);
    expect(mismatchesIn({ results: [] }, nestedContract)).toEqual([
      { kind: 'field-missing', field: 'events.list', expected: 'array', found: 'nothing' },
    ]);
    expect(mismatchesIn('')).toEqual([]);
  });

  it('a field whose expression fails', () => {
    const events = { ...shippedContract.events, kind: 'to_number(type) && length(type)' };
    expect(mismatchesIn(status(), { ...shippedContract, events, samples: [] })).toMatchObject([
      { kind: 'kind', found: 'null' },
    ]);
    const picky: Contract = {
      ...shippedContract,
      events: {
        ...shippedContract.events,
        status: { ...shippedContract.events.status, recipient: "join('-', data.send)" },
      },
      samples: [{ ...Object(shippedContract.samples[0]), body: status({ send: ['a', 'b'] }) }],
    };
    expect(mismatchesIn(status({ send: 7 }), picky)).toMatchObject([
      { kind: 'field-missing', field: 'events.status.recipient' },
    ]);
  });
});

it('a mismatch shows the shape of the event, and no value', () => {
  const [mapped] = createMapper(shippedContract, expectedOf(shippedContract))(
    Buffer.from(JSON.stringify(status({ status: 'held', to: '+12025550143' }))),
    'evt_1',
    receivedAt,
  );
  const shape = mapped?.mismatches?.[0]?.shape() ?? '';
  expect(JSON.parse(shape)).toMatchObject({ type: 'string', data: { to: 'string', status: 'string' } });
  expect(shape).not.toContain('held');
});

const shape = (value: unknown): unknown => JSON.parse(shapeOf(value));

it('shapeOf lists the keys of an event and the types of its values', () => {
  const event = {
    type: 'sms.status',
    test: false,
    data: { id: 7, to: null, tags: ['a', 'b'], empty: [], parts: [{ n: 1 }, { other: 2 }] },
  };
  expect(shape(event)).toEqual({
    type: 'string',
    test: 'boolean',
    data: { id: 'number', to: 'null', tags: ['string'], empty: [], parts: [{ n: 'number' }] },
  });
  expect(shapeOf('text')).toBe('"string"');
});

it('shapeOf hides keys that may be personal data, such as numbers', () => {
  expect(shape({ '+12025550143': { ok: true }, 'someone@example.com': 1, plain: 2 })).toEqual({
    '*': 'number',
    plain: 'number',
  });
});

it('shapeOf ends at six levels and at 200 keys', () => {
  expect(shape({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } })).toEqual({
    a: { b: { c: { d: { e: { f: '...' } } } } },
  });
  expect(shape([[[[[['deep', [1]]]]]]])).toEqual([[[[[['string']]]]]]);
  expect(shape([[[[[[[1]]]]]]])).toEqual([[[[[['...']]]]]]);
  const keys = Object.keys(
    Object(shape(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])))),
  );
  expect(keys).toHaveLength(201);
  expect(keys.at(-1)).toBe('...');
});

it('shapeOf shows no value and stays small for any event', () => {
  const secret = fc.constantFrom('+12025550143', 'the text of a message');
  assertProperty(
    fc.property(
      fc.object({ maxDepth: 8, maxKeys: 30, values: [secret], key: fc.oneof(secret, fc.string()) }),
      (event) => {
        const text = shapeOf(event);
        expect(text).not.toMatch(/2025550143/);
        expect(text).not.toContain(':"the text');
        expect(Buffer.byteLength(text)).toBeLessThan(6000);
      },
    ),
  );
  const long = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`${'x'.repeat(37)}${n}`, { a: [] }]),
  );
  expect(Buffer.byteLength(shapeOf(long))).toBeLessThan(6000);
});

it.each([
  'delivered',
  'DELIVRD',
  'not_delivered-2',
  'message.finalized',
  'HELD_BY_CARRIER',
  'code-300',
  'x'.repeat(40),
])('looksLikeVocabulary accepts %j', (text) => expect(looksLikeVocabulary(text)).toBe(true));

it.each([
  ['nothing', ''],
  ['a code', 'PIN-4711'],
  ['a name', 'Anna Schmidt'],
  ['the text of a person', 'Yes please stop'],
  ['a sentence too long', 'x'.repeat(41)],
  ['a number', '+12025550143'],
  ['its digits', '12025550143'],
  ['its digits apart', '202 555-01.43'],
  ['digits of another script', '١٢٣٤٥'],
  ['an address', 'someone@example.com'],
  ['lines', 'a\nb'],
  ['letters that may steer a terminal', '\u001b[31mred'],
])('looksLikeVocabulary rejects %s', (_, text) => expect(looksLikeVocabulary(text)).toBe(false));

describe('the drift watch reports a value that was kept as received', () => {
  it('instead of a number in another format, because it has an example', () => {
    expect(mismatchesIn(reply({ from: '4755550119' }))).toEqual([
      {
        kind: 'unread',
        field: 'events.reply.from',
        expected: 'phone number',
        found: 'ambiguous-number',
        example: '•••0119',
      },
    ]);
    expect(mismatchesIn(reply({ from: 'SUPPORT' }))).toMatchObject([{ kind: 'format', found: 'string' }]);
  });

  it.each([
    ['2026-01-15\u001b]0;x\u0007\u001b[2J', '9999-99-99�]9;a��[9a'],
    ['soon\r\n\u202e\u{e0041}\u200b', 'aaaa�����'],
    // The example ends within this emoji.
    [`${'x'.repeat(39)}🛑`, `${'a'.repeat(39)}�`],
  ])('with an example that steers no terminal and hides nothing', (network, example) => {
    expect(mismatchesIn(status({ network }))).toMatchObject([{ kind: 'unread', example }]);
  });

  it('with the offset from UTC that its time looks like, whatever zone the contract names', () => {
    const at = (timeZone: string | null): Contract => ({
      ...shippedContract,
      events: { ...shippedContract.events, timeZone },
    });
    const found = (time: string, timeZone: string | null) =>
      mismatchesIn(reply({ occurred_at: time }), at(timeZone)).map((mismatch) => mismatch.found);
    expect(found('2026-01-15 07:00:05', null)).toEqual(['looks-like-UTC-05:00']);
    expect(found('2026-01-15 12:00:05', null)).toEqual(['no-zone']);
    expect(found('2026-01-15 07:00:05', 'America/New_York')).toEqual([]);
    // The times are ahead of their receipt by the offset of New York, so they are of UTC.
    expect(found('2026-01-15 12:00:05', 'America/New_York')).toEqual(['looks-like-UTC+00:00']);
    // A retry hours later.
    expect(found('2026-01-15 05:00:05', 'America/New_York')).toEqual([]);
  });
});
