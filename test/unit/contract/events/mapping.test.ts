import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../../contract/document/expected.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { renderEvent } from '../../../../contract/events/render.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { formContract, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';

const occurredAt = '2026-01-15T12:00:05.000Z';
const statusData = { id: 'm1', status: 'delivered', occurred_at: occurredAt };
const status = (data: object = {}) => ({ type: 'sms.status', data: { ...statusData, ...data } });
const reply = (data: object = {}) => ({
  type: 'sms.reply',
  data: { id: 'r1', from: '+12025550143', text: 'hi', occurred_at: occurredAt, ...data },
});

/** When the requests came. */
const receivedAt = '2026-01-15T12:00:10.000Z';

function map(
  body: unknown,
  { contract = shippedContract, signedId = 'evt_1' }: { contract?: Contract; signedId?: string } = {},
) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  return createMapper(contract)(bytes, signedId, receivedAt).map((mapped) => {
    if (mapped.kind === 'event') return mapped.event;
    return mapped.field === undefined ? mapped.reason : `${mapped.reason} ${mapped.field}`;
  });
}

describe('the shipped contract', () => {
  it('maps a delivery report', () => {
    const failed = { status: 'failed', error_code: 30003, error_message: 'no route' };
    expect(map(status({ send_id: 's1', to: '+1 (202) 555-0143', ...failed }))).toEqual([
      {
        kind: 'sms.status',
        eventId: 'evt_1',
        messageId: 'm1',
        sendId: 's1',
        phone: '+12025550143',
        status: 'failed',
        rank: 100,
        occurredAt,
        errorCode: '30003',
        errorText: 'no route',
      },
    ]);
  });

  it('adds the reason of an error code that the contract lists, and none to another code', () => {
    const contract: Contract = { ...shippedContract, errors: { '30003': 'unreachable' } };
    const reasons = [30003, '30003', '30008', 'constructor', undefined].map((error_code) =>
      map(status({ error_code }), { contract }).map((event) =>
        typeof event === 'object' && event.kind === 'sms.status' ? event.errorReason : event,
      ),
    );
    expect(reasons.flat()).toEqual(['unreachable', 'unreachable', undefined, undefined, undefined]);
    expect(map(status({ error_code: '30008' }), { contract })[0]).not.toHaveProperty('errorReason');
  });

  it('maps a reply, empty text and missing id included', () => {
    expect(map(reply({ message_id: 'm1', to: '12345' }))).toEqual([
      {
        kind: 'sms.reply',
        eventId: 'evt_1',
        replyId: 'r1',
        messageId: 'm1',
        from: '+12025550143',
        to: '12345',
        text: 'hi',
        occurredAt,
      },
    ]);
    const empty = reply({ id: null, text: '' });
    expect(map(empty)).toEqual([
      {
        kind: 'sms.reply',
        eventId: 'evt_1',
        replyId: 'evt_1',
        from: '+12025550143',
        text: '',
        occurredAt,
        // Perhaps the service sent media under a name that the contract does not have.
        original: JSON.stringify(empty),
      },
    ]);
  });

  it('numbers the events of a body with several, so that each has its own identity', () => {
    expect(map([status(), reply()]).map((event) => typeof event === 'object' && event.eventId)).toEqual([
      'evt_1:0',
      'evt_1:1',
    ]);
    expect(map([status()]).map((event) => typeof event === 'object' && event.eventId)).toEqual(['evt_1']);
  });

  it('keeps a status that the contract does not list, at the lowest rank', () => {
    const [event] = map(status({ status: 'teleported' }));
    expect(event).toMatchObject({ status: 'teleported', rank: 0 });
    expect(event).not.toHaveProperty('word');
  });

  it.each(['constructor', '__proto__', 'toString'])('treats the status %s as any other word', (word) => {
    expect(map(status({ status: word }))).toMatchObject([{ status: word, rank: 0 }]);
  });

  it.each([
    ['an empty body', '', 'empty-body'],
    ['no JSON', '{"type":', 'not-json'],
    ['null', 'null', 'no-events'],
    ['a list of a number', '[17]', 'unknown-kind kind'],
    ['10,000 nested arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'too-deep'],
    ['another kind', { type: 'sms.sent', data: {} }, 'unknown-kind kind'],
    ['no message id', status({ id: undefined }), 'missing-field messageId'],
    ['an object for a message id', status({ id: {} }), 'bad-field messageId'],
    ['a message id of 1,025 characters', status({ id: 'x'.repeat(1025) }), 'field-too-long messageId'],
    ['no status', status({ status: null }), 'missing-field status'],
    ['an impossible day', status({ occurred_at: '2026-02-30T00:00:00Z' }), 'bad-time occurredAt'],
    ['a blank message id', status({ id: '  ' }), 'missing-field messageId'],
    ['a number beyond all bounds', `{"type":"sms.status","data":{"id":1e400}}`, 'missing-field status'],
    ['a reply without a sender', reply({ from: undefined }), 'missing-field from'],
    ['a reply whose text is an object', reply({ text: {} }), 'bad-field text'],
    ['a reply whose text is a list of numbers', reply({ text: [1] }), 'bad-field text'],
  ])('reports the problem of %s', (_, body, problem) => {
    expect(map(body)).toEqual([problem]);
  });

  it('reports bytes that are not UTF-8, and returns an unreadable event itself for the quarantine', () => {
    const read = createMapper(shippedContract);
    expect(read(Buffer.from([0x7b, 0xff]), 'e', receivedAt)).toEqual([
      { kind: 'unreadable', reason: 'not-utf8' },
    ]);
    expect(read(Buffer.from('{"type":"x","a":1}'), 'e', receivedAt)).toEqual([
      { kind: 'unreadable', reason: 'unknown-kind', field: 'kind', content: { type: 'x', a: 1 } },
    ]);
    expect(map([status(), { type: 'sms.status' }, status()])).toMatchObject([
      { messageId: 'm1' },
      'missing-field status',
      { messageId: 'm1' },
    ]);
  });

  it('keeps every digit of a numeric id', () => {
    const number = /-?\d[\d.e]*/g;
    const body =
      '[9007199254740993,9007199254740992,1234567890123456789012,17,-9007199254740993,12345678901234567.0,1.2e19]';
    const ids = JSON.parse(body.replaceAll(number, '"$&"'));
    const events = body.replaceAll(
      number,
      '{"type":"sms.status","data":{"id":$&,"status":"sent","occurred_at":"2026-01-15T12:00:05Z"}}',
    );
    expect(
      map(events).map((event) => typeof event === 'object' && event.kind === 'sms.status' && event.messageId),
    ).toEqual(ids);
    expect(
      map('{"type":"sms.status","data":{"id":1e400,"status":"sent","occurred_at":"2026-01-15T12:00:05Z"}}'),
    ).toMatchObject([{ messageId: '1e400' }]);
    expect(
      map(
        '{"type":"sms.status","data":{"id":"m","status":"sent","occurred_at":"2026-01-15T12:00:05Z","n":1.0000000000000000001}}',
      ),
    ).toMatchObject([{ messageId: 'm' }]);
  });

  it('reports a list that is shorter than the body', () => {
    expect(map([null, status(), null])).toMatchObject([{ messageId: 'm1' }, 'events-dropped']);
  });

  it('uses the last of duplicate keys, as JSON parsers do', () => {
    expect(
      map(
        '{"type":"sms.sent","type":"sms.status","data":{"id":"a","id":"b","status":"sent","occurred_at":"2026-01-15T12:00:05Z"}}',
      ),
    ).toMatchObject([{ messageId: 'b', status: 'sent' }]);
  });

  it('keeps a text of 100 KB, and the original of one with a lone surrogate', () => {
    const text = 'é'.repeat(51_200);
    expect(map(reply({ text }))).toMatchObject([{ text }]);
    const [event] = map(
      '{"type":"sms.reply","data":{"id":"r","from":"+12025550143","text":"a\\ud800","occurred_at":"2026-01-15T12:00:05Z"}}',
    );
    expect(event).toMatchObject({ text: 'a\ud800', original: expect.stringContaining('"text":"a\\ud800"') });
    expect(map(reply())[0]).not.toHaveProperty('original');
  });

  it('reads the cost and the route of a message', () => {
    const contract: Contract = withCarrier('data.carrier');
    const cost = { price: -0.0158, currency: 'usd', segments: '2', network: '310-410', carrier: ' One ' };
    expect(map(status(cost), { contract })).toMatchObject([
      { price: '0.0158', currency: 'USD', segments: 2, network: '310410', carrier: 'One' },
    ]);
  });

  it('cuts the name of a carrier at 128 units and never through a character', () => {
    const carriers = ['x'.repeat(129), `${'x'.repeat(127)}😀`].map((carrier) =>
      map(status({ carrier }), { contract: withCarrier('data.carrier') }),
    );
    expect(carriers).toMatchObject([[{ carrier: 'x'.repeat(128) }], [{ carrier: 'x'.repeat(127) }]]);
  });

  it('leaves out a cost and a route that cannot be read, and a price and a currency without each other', () => {
    const broken = [
      { price: { amount: 1 }, currency: 'USD', segments: 'many', network: [], carrier: {} },
      { price: '0.01', currency: 'coins', segments: 0, network: 'x'.repeat(99), carrier: ' ' },
      { price: '0.01', segments: 1.5, network: null, carrier: null },
      { currency: 'USD' },
    ];
    for (const cost of broken) {
      const [event] = map(status(cost), { contract: withCarrier('data.carrier') });
      expect(event).toMatchObject({ kind: 'sms.status', status: 'delivered' });
      for (const name of ['price', 'currency', 'segments', 'network', 'carrier'])
        expect(event).not.toHaveProperty(name);
    }
  });

  it('reads a report whose cost or route is an expression that fails', () => {
    const contract = withCarrier("join('-', [data.missing, data.mnc])");
    expect(map(status({ segments: 2 }), { contract })).toMatchObject([{ status: 'delivered', segments: 2 }]);
  });

  it("cuts an error's text at 1,024 units and never through a character", () => {
    expect(map(status({ error_message: 'x'.repeat(1024) }))).toMatchObject([{ errorText: 'x'.repeat(1024) }]);
    expect(map(status({ error_message: 'x'.repeat(1025) }))).toMatchObject([{ errorText: 'x'.repeat(1024) }]);
    expect(map(status({ error_message: `${'x'.repeat(1023)}😀` }))).toMatchObject([
      { errorText: 'x'.repeat(1023) },
    ]);
  });

  it('keeps no part of a number where it cuts a text, because no mask would recognise it', () => {
    const ending = (length: number) => `${'x'.repeat(length - 6)} +12025550143`;
    const contract = withCarrier('data.carrier');
    const data = { error_message: ending(1024), carrier: ending(128), send_id: [ending(126)] };
    const [event] = map(status(data), { contract });
    expect(event).toMatchObject({
      errorText: `${'x'.repeat(1018)} +`,
      carrier: `${'x'.repeat(122)} +`,
      unread: { sendId: `["${'x'.repeat(120)} +` },
    });
  });
});

/** The shipped contract with an expression for the carrier. */
function withCarrier(carrier: string): Contract {
  const { events } = shippedContract;
  return { ...shippedContract, events: { ...events, status: { ...events.status, carrier } } };
}

describe('the text of a reply', () => {
  const textOf = (data: object, contract = shippedContract) =>
    createMapper(contract)(Buffer.from(JSON.stringify(reply(data))), 'evt_1', receivedAt).map(
      ({ kind, replyText }) => ({ kind, replyText }),
    );
  const whole = {
    eventId: 'evt_1',
    replyId: 'r1',
    from: '+12025550143',
    text: 'hi',
    occurredAt,
    isTimed: true,
    isDistinct: true,
    isByReceipt: false,
  };
  const { occurredAt: _, ...withoutTime } = whole;

  it.each([
    ['of one that can be read', {}, 'event', whole],
    ['the recipient cannot be read', { to: [1] }, 'unreadable', whole],
    ['the message id cannot be read', { message_id: {} }, 'unreadable', whole],
    ['the reply id cannot be read', { id: {} }, 'unreadable', { ...whole, replyId: 'evt_1' }],
    ['the time cannot be read', { occurred_at: 'soon' }, 'unreadable', withoutTime],
    ['the sender cannot be read', { from: {} }, 'unreadable', undefined],
    ['there is no sender', { from: ' ' }, 'unreadable', undefined],
    ['the text cannot be read', { text: { words: 'STOP' } }, 'unreadable', undefined],
    ['the text is a list', { text: ['no more', 'STOP'] }, 'event', { ...whole, text: 'no more\nSTOP' }],
  ])('%s', (_name, data, kind, replyText) => {
    expect(textOf(data)).toEqual([{ kind, replyText }]);
  });

  it('uses the id of the content if the expression of the id fails', () => {
    const { events } = shippedContract;
    const refusing: Contract = {
      ...shippedContract,
      events: { ...events, id: { from: 'body', path: 'abs(data.text)' } },
    };
    const byContent: Contract = { ...shippedContract, events: { ...events, id: { from: 'content' } } };
    const [expected] = textOf({}, byContent);
    expect(textOf({}, refusing)).toEqual([{ kind: 'unreadable', replyText: expected?.replyText }]);
  });

  it('reports whether replies of the contract carry a time', () => {
    const { events } = shippedContract;
    const timeless = {
      ...shippedContract,
      events: { ...events, reply: { ...events.reply, occurredAt: null } },
    };
    expect(textOf({ to: [1] }, timeless)).toEqual([
      { kind: 'unreadable', replyText: { ...withoutTime, isTimed: false } },
    ]);
  });

  it('is read although the query beside the body is no text', () => {
    const contract: Contract = {
      ...shippedContract,
      webhook: { ...shippedContract.webhook, reads: { query: 'unsigned' } },
    };
    const [only] = createMapper(contract)(
      Buffer.from(JSON.stringify(reply({ text: 'STOP' }))),
      'evt_1',
      receivedAt,
      {
        query: 'a=%FF',
      },
    );
    expect(only).toMatchObject({ kind: 'unreadable', reason: 'not-utf8', replyText: { text: 'STOP' } });
  });

  it('reports that a copy cannot be distinguished from another reply without a time and an id', () => {
    const { events } = shippedContract;
    const nameless = {
      ...shippedContract,
      events: {
        ...events,
        id: { from: 'content' } as const,
        reply: { ...events.reply, occurredAt: null, replyId: null },
      },
    };
    expect(textOf({}, nameless)).toMatchObject([{ replyText: { isDistinct: false, isByReceipt: true } }]);
    expect(textOf({ to: [1] }, nameless)).toMatchObject([
      { kind: 'unreadable', replyText: { isDistinct: false, isByReceipt: true } },
    ]);
    const withReplyId = {
      ...nameless,
      events: { ...nameless.events, reply: { ...events.reply, occurredAt: null } },
    };
    expect(textOf({}, withReplyId)).toMatchObject([{ replyText: { isDistinct: true, isByReceipt: false } }]);
    const withoutZone = {
      ...nameless,
      events: { ...nameless.events, reply: { ...events.reply, replyId: null } },
    };
    const inDoubt = { occurred_at: '2026-01-15 12:00' };
    for (const data of [inDoubt, { ...inDoubt, to: [1] }])
      expect(textOf(data, withoutZone)).toMatchObject([
        { replyText: { isDistinct: false, isByReceipt: false } },
      ]);
    expect(textOf({}, withoutZone)).toMatchObject([{ replyText: { isDistinct: true } }]);
  });
});

describe('a time that no event can have yet', () => {
  const dayLater = '2026-01-16T12:00:10.000Z';
  const later = ['2026-01-16T12:00:10.001Z', '2036-02-07T06:28:16Z', '2999-12-31T23:59:59Z'];

  it.each(later)('is kept as received, and the receipt counts: %s', (time) => {
    const expected = { occurredAt: receivedAt, timeIs: 'received', unread: { occurredAt: time } };
    expect(map(status({ occurred_at: time }))).toMatchObject([expected]);
    expect(map(reply({ occurred_at: time }))).toMatchObject([expected]);
    const [only] = createMapper(shippedContract, expectedOf(shippedContract))(
      Buffer.from(JSON.stringify(status({ occurred_at: time }))),
      'evt_1',
      receivedAt,
    );
    const mismatch = { field: 'events.status.occurredAt', found: 'after-receipt' };
    expect(only?.mismatches).toContainEqual(expect.objectContaining(mismatch));
  });

  it('leaves the ids of a reply the same in copies that are received later', () => {
    const { events } = shippedContract;
    const mapper = createMapper({
      ...shippedContract,
      events: { ...events, id: { from: 'content' }, reply: { ...events.reply, replyId: null } },
    });
    const body = Buffer.from(JSON.stringify(reply({ occurred_at: '2026-01-16T18:00:00Z' })));
    const idsAt = (time: string) =>
      mapper(body, undefined, time).map(
        (one) => one.kind === 'event' && [one.event.eventId, one.replyText?.replyId],
      );
    const [first] = idsAt(receivedAt);
    expect(first).toEqual([expect.any(String), expect.any(String)]);
    // The second is within a day, and its time counts.
    expect([...idsAt('2026-01-15T14:00:10.000Z'), ...idsAt('2026-01-16T12:00:10.000Z')]).toEqual([
      first,
      first,
    ]);
  });

  it('is not one within a day after the receipt', () => {
    expect(receivedAt < dayLater).toBe(true);
    expect(map(status({ occurred_at: dayLater }))).toEqual([
      expect.not.objectContaining({ timeIs: expect.anything() }),
    ]);
  });
});

describe('a value that a service does not have', () => {
  it.each(['0', '0000-00-00 00:00:00', '0001-01-01T00:00:00', '1970-01-01T00:00:00Z'])(
    'is the time %s: that of the receipt counts',
    (time) => {
      expect(map(status({ occurred_at: time }))).toMatchObject([
        { occurredAt: receivedAt, timeIs: 'received' },
      ]);
    },
  );

  it('is no time before the first SMS: a text in another unit is not read as 1970', () => {
    expect(map(status({ occurred_at: '1970-01-15T12:00:05.000Z' }))).toEqual(['bad-time occurredAt']);
  });
});

describe('a field that an event can do without', () => {
  it.each([
    ['send_id', { batch: 1 }, 'sendId'],
    ['error_code', 'x'.repeat(129), 'errorCode'],
    ['error_message', ['busy'], 'errorText'],
  ])('is kept as unread if it is no text, or too long: %s', (name, value, field) => {
    const [only] = createMapper(shippedContract)(
      Buffer.from(JSON.stringify(status({ [name]: value }))),
      'evt_1',
      receivedAt,
    );
    expect(only).toMatchObject({ kind: 'event', unread: [{ field, problem: 'unreadable-value' }] });
  });

  it('is noted if its expression fails', () => {
    const [only] = createMapper(withCarrier('length(data.carrier)'))(
      Buffer.from(JSON.stringify(status())),
      'evt_1',
      receivedAt,
    );
    expect(only).toMatchObject({
      kind: 'event',
      unread: [{ field: 'carrier', problem: 'unreadable-value' }],
    });
  });
});

describe('the identity of an event', () => {
  it('is the hash of an id that is not short printable text', () => {
    for (const signedId of ['two words', 'é', 'x'.repeat(129)]) {
      const [event] = map(status(), { signedId });
      expect(event).toMatchObject({ eventId: expect.stringMatching(/^[\w-]{43}$/) });
    }
    expect(map(status(), { signedId: 'x'.repeat(128) })).toMatchObject([{ eventId: 'x'.repeat(128) }]);
  });

  it('is the content if the contract says so, whatever the order of keys', () => {
    const item = (fields: object) => ({ payload: { batches: [{ items: [fields] }] } });
    const report = { ref: 'm', state: 'DELIVRD' };
    const ids = [
      item({ type: 'DLR', ts: 1768478405000, report }),
      item({ report: { state: 'DELIVRD', ref: 'm' }, ts: 1768478405000, type: 'DLR' }),
      item({ type: 'DLR', ts: 1768478405001, report }),
    ].map(
      (body) =>
        map(body, { contract: nestedContract }).map((event) => typeof event === 'object' && event.eventId)[0],
    );
    expect(ids[0]).toMatch(/^[\w-]{43}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('falls back to the content if the body has no id, and accepts numbers', () => {
    expect(map('MessageSid=m&MessageStatus=done&Time=1768478405', { contract: formContract })).toMatchObject([
      { eventId: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    const numeric: Contract = {
      ...shippedContract,
      events: { ...shippedContract.events, id: { from: 'body', path: 'n' } },
    };
    expect(map({ ...status(), n: 17 }, { contract: numeric })).toMatchObject([{ eventId: '17' }]);
  });
});

describe('the id of a chat, whose channel the event names', () => {
  const { events } = shippedContract;
  const contract: Contract = {
    ...shippedContract,
    events: { ...events, reply: { ...events.reply, channel: 'data.channel' } },
  };
  const body = (data: object) => reply({ from: '4790123456', channel: 'TELEGRAM', text: 'STOP', ...data });

  it('is no phone number', () => {
    expect(map(body({}), { contract })).toMatchObject([{ from: 'telegram:4790123456', channel: 'telegram' }]);
    expect(map(body({ channel: 'SMS' }), { contract })).toMatchObject([{ from: '+4790123456' }]);
  });

  it('with a plus counts for the number in doubt alone', () => {
    const [only] = createMapper(contract)(
      Buffer.from(JSON.stringify(body({ from: '+12025550143', channel: 'webchat' }))),
      'evt_1',
      receivedAt,
    );
    expect(only).toMatchObject({
      event: { from: 'webchat:+12025550143', channel: 'webchat' },
      replyText: { from: 'webchat:+12025550143', mayBeFrom: ['+12025550143'] },
    });
  });

  it('is none in a reply that cannot be read either', () => {
    const [only] = createMapper(contract)(
      Buffer.from(JSON.stringify(body({ occurred_at: 'never' }))),
      'evt_1',
      receivedAt,
    );
    expect(only).toMatchObject({
      kind: 'unreadable',
      reason: 'bad-time',
      replyText: { from: 'telegram:4790123456' },
    });
  });
});

describe('other contracts', () => {
  it('read form-encoded events with other words', () => {
    const body = 'EventSid=E9&MessageSid=SM1&To=%28202%29+555-0143&MessageStatus=bounced&Time=1768478405';
    expect(map(body, { contract: formContract })).toEqual([
      {
        kind: 'sms.status',
        eventId: 'E9',
        messageId: 'SM1',
        phone: '+12025550143',
        status: 'undelivered',
        word: 'bounced',
        rank: 100,
        occurredAt,
      },
    ]);
    expect(map('MessageSid=a&MessageSid=b&MessageStatus=done&Time=1', { contract: formContract })).toEqual([
      'bad-field messageId',
    ]);
  });

  it('read all events of several batches', () => {
    const item = (ref: string) => ({ type: 'DLR', ts: 1768478405000, report: { ref, state: 'ENROUTE' } });
    const body = { payload: { batches: [{ items: [item('a'), item('b')] }, { items: [item('c')] }] } };
    expect(map(body, { contract: nestedContract })).toMatchObject([
      { messageId: 'a' },
      { messageId: 'b' },
      { messageId: 'c', status: 'sent', rank: 30 },
    ]);
    expect(map({ payload: 'nothing' }, { contract: nestedContract })).toEqual(['no-events']);
  });

  it('report an expression that fails on a value', () => {
    const picky: Contract = {
      ...shippedContract,
      events: {
        ...shippedContract.events,
        status: { ...shippedContract.events.status, messageId: 'length(data.missing)' },
      },
    };
    expect(map(status(), { contract: picky })).toEqual(['expression-failed']);
    const list: Contract = { ...shippedContract, events: { ...shippedContract.events, list: 'keys(@)' } };
    expect(map('[]', { contract: list })).toEqual(['no-events']);
  });
});

describe('renderEvent', () => {
  it('rejects fields, kinds and expressions that it cannot write', () => {
    const event = { kind: 'sms.status', fields: { colour: 'red' } } as const;
    expect(() => renderEvent(shippedContract, event)).toThrow(/no field "colour"; it has messageId/);
    expect(() => renderEvent({ ...shippedContract, samples: [] }, { ...event, fields: {} })).toThrow(
      /no body with one sms.status event/,
    );
    const computed = {
      ...shippedContract.events,
      status: { ...shippedContract.events.status, messageId: 'length(data.id)' },
    };
    const named = { ...event, fields: { messageId: 'm9' } };
    expect(() => renderEvent({ ...shippedContract, events: computed }, named)).toThrow(
      /cannot write "messageId"/,
    );
  });

  it('writes the event id if the contract reads it from the body', () => {
    const fields = { messageId: 'm', status: 'delivered', occurredAt };
    const withId = renderEvent(formContract, { kind: 'sms.status', fields, eventId: 'EV77' });
    expect(map(Buffer.from(withId.body).toString(), { contract: formContract })).toMatchObject([
      { eventId: 'EV77' },
    ]);
    const without = renderEvent(formContract, { kind: 'sms.status', fields });
    expect(Buffer.from(without.body).toString()).not.toContain('EventSid');
    expect(
      Buffer.from(
        renderEvent(shippedContract, { kind: 'sms.status', fields, eventId: 'EV77' }).body,
      ).toString(),
    ).not.toContain('EV77');
  });
});
