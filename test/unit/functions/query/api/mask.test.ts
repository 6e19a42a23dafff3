import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentId } from '../../../../../contract/events/body.ts';
import { encodeCursor } from '../../../../../functions/history/lists/cursor.ts';
import { createAnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { entriesShown, masked } from '../../../../../functions/query/api/mask.ts';
import {
  createIdMask,
  idMaskKeyBytes,
  surelyVisiblePart,
  visiblePart,
} from '../../../../../functions/query/api/masked-ids.ts';
import { dependencies, message, now, queryEvent } from './fakes.ts';

const payload = (role: string) => ({ sub: 'user-1', groups: [role] });
const tokenOf = (role: string) => ({ jwt: { claims: payload(role) } });
const bearerOf = (role: string) =>
  `Bearer e30.${Buffer.from(JSON.stringify(payload(role))).toString('base64url')}.c2ln`;

async function ask(role: string, target: string, parts: Parameters<typeof queryEvent>[1] = {}) {
  const { all, calls, recorded } = dependencies();
  const {
    statusCode,
    headers,
    body = '',
  } = await createAnswerQuery(all)(
    queryEvent(
      target,
      { ...parts, headers: { ...parts.headers, authorization: bearerOf(role) } },
      tokenOf(role),
    ),
  );
  return {
    statusCode,
    etag: String(headers?.etag),
    sent: headers,
    body,
    calls,
    lines: recorded.lines,
    text: recorded.text(),
  };
}

const search = { method: 'POST', body: '{"q":"+12025550143"}' };
const readable: readonly (readonly [target: string, parts?: typeof search])[] = [
  ['/v1/messages/msg-1'],
  ['/v1/messages?state=failed'],
  ['/v1/phones/+12025550143/timeline'],
  ['/v1/conversations/m~msg-1'],
  ['/v1/search', search],
  ['/v1/sends/send-1/messages'],
  ['/v1/sends/send-1/messages.csv'],
  ['/v1/replies'],
  ['/v1/quarantine'],
];
const revealing = ['/v1/opt-outs', '/v1/quarantine/2026-01-15T11:00:00.000Z#req-1#0'];

it('words of the service are masked, such as its channel', () => {
  const { channel, carrier } = masked({ channel: 'rcs 12025550143', carrier: 'Carrier 12025550143' });
  expect([channel, carrier]).toEqual(['rcs ***', 'Carrier ***']);
});

it('values that could not be read are masked, whichever field they are of, and times are not', () => {
  const unread = {
    from: '4795550143',
    sendId: '{"phone":"+12025550143"}',
    price: '0,0075 for 12025550143',
    occurredAt: '2026-01-15 12:00',
  };
  const shown = JSON.stringify(masked({ unread }));
  expect(shown).not.toMatch(/5550143/);
  expect(shown).toContain('2026-01-15 12:00');
  expect(shown).toContain('0,0075 for');
});

it('a number in the place of a time is masked, and a time that could not be read stays', () => {
  for (const [occurredAt, shown] of [
    ['12025550143', '***'],
    ['202-555-0143', '***'],
    ['+1 202 555 0143', '+***'],
    ['+82-10-1234-5678', '+***'],
    ['+56-9-8765-4321', '+***'],
    ['0151-12-34-56789', '***'],
    ['2025.55.01.43', '***'],
    ['1202/55/50/143', '***'],
    ['2026-01-15 12025550143', '***'],
    ['15.01.2026 10:00 +1 202 555 0143', '***'],
    ['15.01.2026 25:00', '15.01.2026 25:00'],
    ['01/15/2026 10:00', '01/15/2026 10:00'],
    ['2026/1/15', '2026/1/15'],
    ['2026-01-15T10:00:07.123+0100', '2026-01-15T10:00:07.123+0100'],
    ['yesterday', 'yesterday'],
  ])
    expect(masked({ unread: { occurredAt } })).toEqual({ unread: { occurredAt: shown } });
});

it('an event id that is a hash of the event is masked: numbers can be tried until one has this hash', () => {
  const ids = [
    contentId({ id: 'msg-1', to: '+12025550143' }),
    `import:${contentId('another')}`,
    'evt-1',
    'lookup:delivered',
  ];
  const message = { messageId: 'msg-1', phone: '+12025550143', events: ids.map((eventId) => ({ eventId })) };
  expect(masked({ entries: [message] })).toEqual({
    entries: [
      {
        messageId: 'msg-1',
        phone: '•••0143',
        events: ['•••1', '•••2', 'evt-1', 'lookup:delivered'].map((eventId) => ({ eventId })),
      },
    ],
  });
});

it('an id from which a number can be found is masked for a user, and other ids stay', () => {
  const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
  const hash = contentId(['+12025550143', 'a reply']);
  const hidden = [
    hash,
    `${hash}.kq1`,
    `parts:${hash}`,
    `import:${hash}`,
    `backup/${hash}`,
    `r~${hash}`,
    `r~backup/${hash}.kq1`,
    '1000001/12025550143',
  ];
  const shown = ['msg-1', '1000001', 'SM0123456789abcdef0123456789abcdef', '01J9ZQ3V6Y5Q0W8M7K2T4R1N6B'];
  for (const name of ['messageId', 'replyId', 'sendId', 'partId', 'of', 'id'])
    for (const id of [...hidden, ...shown]) {
      const found: Record<string, string> = masked({ [name]: id, phone: '+12025550143' }, idMask);
      expect([id, found[name] === id]).toEqual([id, shown.includes(id)]);
      expect(idMask.unmask(found[name] ?? '')).toBe(id);
      expect(masked({ [name]: id, phone: '+12025550143' })).toMatchObject({ [name]: id });
    }
});

it('the number at the end of an id is masked also where no number, or another one, is beside it', () => {
  const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
  const id = '1000001/12025550143';
  for (const beside of [{ phone: null }, { replyId: 'reply-1', from: '+12025550199' }])
    for (const shown of [
      { messageId: id },
      { partId: id },
      { of: `m~${id}` },
      { of: `m~backup/${id}` },
      { events: [{ eventId: id }] },
    ])
      expect(JSON.stringify(masked({ ...shown, ...beside }, idMask))).not.toContain('5550143');
  expect(visiblePart(id, [])).toBe('1000001/');
  // The digits behind a source alone are an id of the service.
  expect(masked({ of: 'm~backup/12025550143', phone: null }, idMask).of).toBe('m~backup/12025550143');
});

it('an id that has its number in Base64 or hexadecimal is masked for a user, wherever the digits begin', () => {
  const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
  const shownOf = (id: string) =>
    masked({ messageId: id, phone: '+12025550143', events: [{ eventId: id }] }, idMask);
  for (const before of ['', '\x1c\x18\x0b', 'a', 'ab', 'abc', '+'])
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const encoded = Buffer.from(`${before}12025550143\x15\x02`).toString(encoding);
      for (const id of [encoded, `wamid.${encoded}`, `backup/${encoded}`]) {
        const { messageId, events } = shownOf(id);
        expect([id, messageId.startsWith('masked-id.'), events]).toEqual([id, true, [{ eventId: '•••1' }]]);
        expect(visiblePart(id, []).length).toBeLessThan(id.length - encoded.length + before.length * 2 + 1);
        expect(surelyVisiblePart(id)).toBe(visiblePart(id, []));
      }
    }
  const random = Array.from({ length: 2000 }, (_, index) => contentId(index).slice(1));
  expect(random.filter((id) => shownOf(id).messageId !== id)).toEqual([]);
});

describe('the id of a bulk send', () => {
  const ofNumber = [
    'promo-12025550143',
    'promo-1-202-555-0143',
    'to 2025550143',
    '12025550143-20260115',
    '5511998765432',
  ];
  const others = [
    'spring-2026',
    '20260115',
    '2034072219640523072',
    '1-00000000000000000001',
    'SM0123456789abcdef0123456789abcdef',
    '3e09ac86-bd74-5465-8512-123456789012',
  ];

  it.each(ofNumber)('with a number is masked also where no number is known: %s', async (sendId) => {
    const { all } = dependencies();
    const idMask = await all.idMask();
    const known = await all.counters?.send('send-1');
    if (known === undefined) throw new Error('there is no send');
    const send = { ...known, sendId };
    const { counters = undefined } = all;
    if (counters === undefined) throw new Error('nothing is counted');
    const own = { send: async () => send, sends: async () => ({ sends: [send], next: undefined }) };
    const answer = createAnswerQuery({ ...all, counters: { ...counters, ...own } });
    const body = JSON.stringify({ q: idMask.mask(sendId) });
    for (const [target, parts] of [
      ['/v1/sends', {}],
      [`/v1/sends/${idMask.mask(sendId)}`, {}],
      ['/v1/search', { method: 'POST', body }],
      [`/v1/sends?idPrefix=${encodeURIComponent(sendId.slice(0, -2))}`, {}],
    ] as const) {
      const event = queryEvent(
        target,
        { ...parts, headers: { authorization: bearerOf('viewer') } },
        tokenOf('viewer'),
      );
      const shown = String((await answer(event)).body);
      expect(shown).not.toContain(sendId);
      expect([target, shown.includes(idMask.mask(sendId))]).toEqual([target, !target.includes('idPrefix')]);
    }
  });

  it.each(others)('without a number stays: %s', (sendId) => {
    const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
    expect(masked({ sendId, entries: [{ sendId }] }, idMask)).toEqual({ sendId, entries: [{ sendId }] });
  });
});

it.each([
  ['/v1/messages/ID', 'message', '1000001/12025550143'],
  ['/v1/sends/ID/messages', 'send', '1000001/12025550143'],
])('%s is asked with the id behind a masked one', async (target, name, id) => {
  const { all } = dependencies();
  const idMask = await all.idMask();
  const { calls } = await ask('viewer', target.replace('ID', idMask.mask(id)));
  expect(JSON.stringify(calls.find(([source]) => source === name))).toContain(id);
});

it('a masked position of a page, and a masked id in a search, are understood', async () => {
  const { all } = dependencies();
  const idMask = await all.idMask();
  const { sent, calls } = await ask('viewer', '/v1/sends/send-1/messages.csv');
  const [, query = ''] = /<\?(.*)>/.exec(String(sent?.link)) ?? [];
  expect(query).toMatch(/^cursor=masked-id\./);
  expect(calls).toHaveLength(1);
  const again = await ask('viewer', `/v1/sends/send-1/messages?${query}`);
  expect(JSON.stringify(again.calls)).toContain('"next-cursor"');
  const id = 'a "quoted"/12025550143';
  const searched = await ask('viewer', '/v1/search', {
    method: 'POST',
    body: JSON.stringify({ q: idMask.mask(id) }),
  });
  expect(searched.statusCode).toBe(200);
  expect(searched.calls).toContainEqual(['message', id]);
});

it('a masked id is opened by no error, whatever has it', async () => {
  const { all } = dependencies();
  const masked = (await all.idMask()).mask('m-202-555-01-43');
  const body = JSON.stringify({ q: 'x', [masked]: 1, text: [masked] });
  const post = { method: 'POST', body };
  for (const [target, parts] of [
    [`/v1/messages?state=failed&${masked}=1`, {}],
    [`/v1/messages?state=${masked}&limit=${masked}&cursor=${masked}&source=${masked}`, {}],
    [`/v1/${masked}`, {}],
    [`/v1/quarantine?reason=${masked}`, {}],
    ['/v1/search', post],
    [`/v1/replies?text=ab&${masked}`, {}],
    [`/v1/replies?a=1%26${masked}`, {}],
  ] as const) {
    const answer = await ask('viewer', target, parts);
    expect([target, Number(answer.statusCode) < 500]).toEqual([target, true]);
    expect(answer.body + answer.text).not.toContain('202-555');
  }
});

it.each([
  ['viewer', {}, 400],
  ['support', { 'x-reveal': 'yes' }, 200],
  ['support', {}, 200],
])('a position that is not masked, from a %s with %j, is answered with %i', async (role, headers, status) => {
  for (const target of ['/v1/replies', '/v1/sends/send-1/messages', '/v1/conversations/m~msg-1']) {
    const { statusCode, body } = await ask(role, `${target}?cursor=next-cursor`, { headers });
    expect([target, statusCode]).toEqual([target, status]);
    if (status === 400) expect(JSON.parse(body).errors).toMatchObject([{ parameter: 'cursor' }]);
  }
});

it('a masked id is no position, also if the id of a send was chosen to be one', async () => {
  const idMask = await dependencies().all.idMask();
  const guess = { at: '2026-01-15T11:30:00.000Z', partition: 0, key: 'send#m-12025550143' };
  const sendId = encodeCursor(guess, ['sends']);
  const shown = masked({ sendId }, idMask).sendId;
  expect(shown).toMatch(/^masked-id\./);
  for (const cursor of [shown, `x/${shown}`, `x~${shown}`]) {
    const answer = await ask('viewer', `/v1/sends?cursor=${cursor}`);
    expect([answer.statusCode, JSON.stringify(answer.calls)]).toEqual([400, '[]']);
    expect(JSON.parse(answer.body).errors).toMatchObject([{ parameter: 'cursor' }]);
  }
  const position = await ask('viewer', `/v1/sends?cursor=${idMask.maskPosition(sendId)}`);
  expect(JSON.stringify(position.calls)).toContain('"send#m-12025550143"');
});

it('the number of a message is masked in the ids of its events, which some services make from it', () => {
  const events = ['msg-1:message-delivered:+12025550143', '86:12025550143:DELIVERED', '20260115:1234567890'];
  const message = { phone: '+12025550143', events: events.map((eventId) => ({ eventId })) };
  expect(masked({ kind: 'message', ...message })).toEqual({
    kind: 'message',
    phone: '•••0143',
    events: [
      { eventId: 'msg-1:message-delivered:•••0143' },
      { eventId: '86:•••0143:DELIVERED' },
      { eventId: '20260115:1234567890' },
    ],
  });
});

describe.each(['viewer', 'support', 'operator'])('a %s of the console', (role) => {
  it.each(readable.map(([target, parts = {}]) => ({ target, parts })))(
    'sees no whole number in $target',
    async ({ target, parts }) => {
      const { statusCode, body, lines } = await ask(role, target, parts);
      expect([statusCode, lines]).toEqual([200, []]);
      expect(body).not.toMatch(/2025550143/);
    },
  );
});

describe('a viewer', () => {
  it.each([...readable.map(([target]) => target), ...revealing])('cannot reveal %s', async (target) => {
    const parts = { headers: { 'x-reveal': 'yes' }, ...(target === '/v1/search' ? search : {}) };
    const { statusCode, body, calls, lines } = await ask('viewer', target, parts);
    expect([statusCode, JSON.parse(body).type]).toEqual([
      403,
      'urn:sms-event-pipeline:problem:not-permitted',
    ]);
    expect([calls, lines]).toEqual([[], []]);
  });

  it.each(revealing)('cannot see %s, which cannot be masked', async (target) => {
    expect((await ask('viewer', target)).statusCode).toBe(403);
  });
});

describe.each(['support', 'operator'])('a %s', (role) => {
  it('sees whole numbers on request, which is logged with the user and without a number', async () => {
    const { body, lines, text } = await ask(role, '/v1/conversations/m~msg-1', {
      headers: { 'x-reveal': 'yes' },
    });
    expect(JSON.parse(body)).toMatchObject({ number: '+12025550143', entries: [{ phone: '+12025550143' }] });
    const who = { person: 'user-1', user: 'user-1', role };
    const fields = { ...who, query: 'getConversation', entries: 'm~msg-1 •••0143 msg-1' };
    expect(lines).toEqual([{ name: 'NUMBERS_REVEALED', fields }]);
    expect(text).not.toMatch(/2025550143/);
  });

  it('downloads whole numbers on request only, which is logged', async () => {
    const target = '/v1/sends/send-1/messages.csv';
    const { body, lines } = await ask(role, target, { headers: { 'x-reveal': 'yes' } });
    expect(body).toContain(',+12025550143,');
    expect(lines).toMatchObject([
      { name: 'NUMBERS_REVEALED', fields: { query: 'listSendCsv', entries: 'send-1 msg-1' } },
    ]);
  });

  it('is logged for a send if its id has a number', async () => {
    const { all, recorded } = dependencies();
    const lists = { ...all.lists, send: async () => ({ entries: [] }) };
    const counters = all.counters && {
      ...all.counters,
      send: async (sendId: string) => ({ sendId, first: now, tally: { delivered: 1 } }),
    };
    const headers = { authorization: bearerOf(role), 'x-reveal': 'yes' };
    await createAnswerQuery({ ...all, counters, lists })(
      queryEvent('/v1/sends/order-12025550143', { headers }, tokenOf(role)),
    );
    expect(recorded.lines).toMatchObject([
      {
        name: 'NUMBERS_REVEALED',
        fields: { query: 'getSend', entries: expect.stringMatching(/^masked-id\.\S+$/) },
      },
    ]);
  });

  it('is not logged for an answer without a number', async () => {
    const headers = { 'x-reveal': 'yes' };
    for (const target of ['/v1/sends/send-1', '/v1/quarantine', '/v1/messages/unknown'])
      expect((await ask(role, target, { headers })).lines).toEqual([]);
  });

  it.each(
    ['GET', 'HEAD'].flatMap((method) =>
      [...readable.flatMap(([target, parts]) => (parts === undefined ? [target] : [])), ...revealing]
        .filter((target) => target !== '/v1/quarantine')
        .map((target) => [method, target] as const),
    ),
  )(
    'confirms no guess about whole numbers by an ETag, and is logged each time: %s %s',
    async (method, target) => {
      const whole = (await ask(role, target, { headers: { 'x-reveal': 'yes' } })).body;
      const guess = `"${createHash('sha256').update(whole).digest('base64url')}"`;
      for (const tag of ['*', guess, `W/${guess}`]) {
        const headers = { 'x-reveal': 'yes', 'if-none-match': tag };
        const { statusCode, sent, lines } = await ask(role, target, { method, headers });
        expect(statusCode).toBe(200);
        expect(sent).toMatchObject({ 'cache-control': 'no-store' });
        expect(sent).not.toHaveProperty('etag');
        expect(lines).toMatchObject([{ name: 'NUMBERS_REVEALED' }]);
      }
    },
  );

  it.each(readable.flatMap(([target, parts]) => (parts === undefined ? [target] : [])))(
    'gets an ETag of what is shown: masked numbers of %s',
    async (target) => {
      const { etag, body } = await ask(role, target);
      if (!target.endsWith('.csv'))
        expect(etag).toBe(`"${createHash('sha256').update(body).digest('base64url')}"`);
      expect((await ask(role, target, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    },
  );

  it.each([
    ['/v1/messages/msg-1', 'msg-1', {}],
    ['/v1/replies', 'reply-1', {}],
    ['/v1/opt-outs', 'r', {}],
    ['/v1/phones/+12025550143/timeline', 'msg-1', {}],
    ['/v1/search', '•••0143 m~msg-1', search],
  ])('leaves in the log whom %s showed', async (target, entries, parts) => {
    const { lines } = await ask(role, target, { ...parts, headers: { 'x-reveal': 'yes' } });
    expect(lines).toMatchObject([{ fields: { entries } }]);
  });

  it('sees masked numbers of opt-outs until whole ones are asked for', async () => {
    const phoneOf = async (headers: Record<string, string>) =>
      JSON.parse((await ask(role, '/v1/opt-outs', { headers })).body).entries[0].phone;
    expect(await phoneOf({})).toBe('•••0143');
    expect(await phoneOf({ 'x-reveal': 'yes' })).toBe('+12025550143');
  });

  it.each(revealing)('sees %s, which is logged', async (target) => {
    const { statusCode, lines } = await ask(role, target);
    expect([statusCode, lines.length]).toEqual([200, 1]);
  });
});

describe('a request', () => {
  it.each([undefined, {}, tokenOf('other'), { jwt: { claims: {} } }])(
    'by %j, who has no role, is refused before anything is read',
    async (authorizer) => {
      const { all, calls } = dependencies();
      const event = queryEvent(
        '/v1/replies',
        { headers: { authorization: bearerOf('other') } },
        authorizer ?? {},
      );
      expect((await createAnswerQuery(all)(event)).statusCode).toBe(403);
      expect(calls).toEqual([]);
    },
  );

  it('of a principal of AWS is answered with whole numbers, and is logged', async () => {
    const { all, recorded } = dependencies();
    const { body } = await createAnswerQuery(all)(queryEvent('/v1/messages/msg-1'));
    expect(body).toContain('+12025550143');
    const fields = { person: 'unknown', query: 'getMessage', entries: 'msg-1' };
    expect(recorded.lines).toEqual([{ name: 'NUMBERS_REVEALED', fields }]);
  });
});

describe('masked', () => {
  it('masks numbers in known properties, in texts, and in E.164 anywhere', () => {
    const answer = {
      phone: '+12025550143',
      entries: [{ from: '12025550143', to: 'INFO', text: 'call (202) 555-0143 at 10:30', errorText: null }],
      unknown: ['+12025550143', 'msg-20260115'],
      reason: 'asked by phone from 202 555 0143',
    };
    expect(masked(answer)).toEqual({
      phone: '•••0143',
      entries: [{ from: '•••0143', to: '•••', text: 'call (*** at 10:30', errorText: null }],
      unknown: ['•••0143', 'msg-20260115'],
      reason: 'asked by phone from ***',
    });
  });

  it('masks numbers in words of the service, and keeps its codes', () => {
    const answer = { word: 'SENT +12025550143', status: 'to:12025550143', errorCode: '2025550143' };
    expect(masked(answer)).toEqual({ word: 'SENT +***', status: 'to:***', errorCode: '***' });
    const codes = { word: 'DELIVRD-30003', status: 'sent', errorCode: '1234567' };
    expect(masked(codes)).toEqual(codes);
  });

  it('keeps times, counts and other values', () => {
    const answer = { from: '2026-01-15T12:00:00.000Z', number: 12, isFinal: true, next: null };
    expect(masked(answer)).toEqual(answer);
  });
});

describe('the entries of an answer in the log', () => {
  it('hold no number, also where an id holds one', () => {
    const view = {
      entries: [
        { messageId: 'tel:+12025550143', phone: null },
        { messageId: '1202555014499', replyId: '12025550144-1', from: '+12025550144' },
        { replyId: '4712345678901', from: 'INFO' },
        { phone: '+12025550145' },
      ],
    };
    const parameters = { phone: '+12025550143' };
    expect(entriesShown({ kind: 'json', view }, parameters)).toBe(
      'tel:•••0143 ••• •••0144-1 •••0144 4712345678901 •••0145',
    );
  });

  it('hold no hash of content, because numbers can be tried until one has this hash', () => {
    const hash = contentId(['+12025550143', 'STOP']);
    const view = {
      entries: [hash, `backup/${hash}.kq1`].map((replyId) => ({ replyId, from: '+12025550143' })),
    };
    expect(entriesShown({ kind: 'json', view }, {})).toBe('••• •••0143 backup/•••');
    const conversation = { number: '+12025550145', entries: [] };
    expect(entriesShown({ kind: 'json', view: conversation }, { of: `r~${hash}` })).toBe('r~••• •••0145');
    const found = { number: '+12025550146', results: [{ of: null, number: '+12025550146' }] };
    expect(entriesShown({ kind: 'json', view: found }, {})).toBe('•••0146');
    const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
    const logged = entriesShown({ kind: 'json', view }, {}, idMask);
    expect(logged).not.toContain(hash);
    expect(logged.split(' ').map((id) => idMask.unmask(id))).toEqual([hash, `backup/${hash}.kq1`]);
  });

  it('hold no number of a send or of the message that a reply answers, where no number is beside it', () => {
    const view = {
      entries: [
        { sendId: 'order-12135550146' },
        { replyId: 'reply-1', messageId: '1000001/12025550147', from: '+12025550144' },
        { messageId: '1000000471150148', sendId: 'january' },
        { of: 'm~1000001/12025550147', phone: null },
        { messageId: 'wamid.HBgLMTIwMjU1NTAxNDM', phone: '+12025550143' },
      ],
    };
    expect(entriesShown({ kind: 'json', view }, { sendId: '12135550149' })).toBe(
      '•••0149 order-•••0146 1000001/•••0147 reply-1 1000000471150148 january m~1000001/•••0147 wamid.•••NDM',
    );
    const idMask = createIdMask(Buffer.alloc(idMaskKeyBytes, 7));
    const logged = entriesShown({ kind: 'json', view }, { sendId: '12135550149' }, idMask).split(' ');
    expect(logged.map((id) => idMask.unmask(id))).toEqual([
      '12135550149',
      'order-12135550146',
      '1000001/•••0147',
      'reply-1',
      '1000000471150148',
      'january',
      'm~1000001/•••0147',
      'wamid.HBgLMTIwMjU1NTAxNDM',
    ]);
    expect(logged.filter((id) => id.startsWith('masked-id.'))).toHaveLength(3);
  });
});

it.each([
  ['/v1/sends/ID', 'getSend'],
  ['/v1/sends/ID/messages', 'listSend'],
])(
  '%s with a masked id does not open it, where no number beside the id shows why it is masked',
  async (target) => {
    const { all } = dependencies();
    const idMask = await all.idMask();
    const counters = all.counters && {
      ...all.counters,
      send: async (sendId: string) => ({ sendId, first: now, tally: { delivered: 1 } }),
    };
    const lists = {
      ...all.lists,
      send: async () => ({ entries: [{ ...message, sendId: 'order-5550143' }] }),
    };
    const maskedId = idMask.mask('order-5550143');
    const { body = '' } = await createAnswerQuery({ ...all, counters, lists })(
      queryEvent(
        target.replace('ID', maskedId),
        { headers: { authorization: bearerOf('viewer') } },
        tokenOf('viewer'),
      ),
    );
    expect(body).toContain(maskedId);
    expect(body).not.toContain('order-5550143');
  },
);
