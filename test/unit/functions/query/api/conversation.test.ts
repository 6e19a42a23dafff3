import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../../functions/history/message.ts';
import { createAnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { numbersIn } from '../../../../../functions/query/api/conversation.ts';
import { assertProperty } from '../../../../support/property.ts';
import { dependencies, message, queryEvent } from './fakes.ts';

const optOut = {
  state: 'out',
  statements: [{ state: 'out', at: '2026-01-15T11:30:00.000Z', by: 'person', replyId: 'reply-1' }],
};

async function ask(target: string, body?: string, isBase64Encoded = false) {
  const { all, calls } = dependencies();
  const parts = body === undefined ? {} : { method: 'POST', body, isBase64Encoded };
  const { statusCode, headers, body: text = '' } = await createAnswerQuery(all)(queryEvent(target, parts));
  return { statusCode, headers, json: JSON.parse(text), calls };
}

const search = (q: unknown) => ask('/v1/search', JSON.stringify({ q }));

describe('a search', () => {
  it('finds a number with its conversation and what it said', async () => {
    const { statusCode, headers, json } = await search(' +1 (202) 555-0143 ');
    expect([statusCode, headers?.['cache-control'], headers?.etag]).toEqual([200, 'no-store', undefined]);
    expect(json.results).toContainEqual({ kind: 'number', of: 'm~msg-1', number: '+12025550143', optOut });
  });

  it('asks for nothing but the keys that the text may be', async () => {
    const { calls } = await search('12025550143');
    expect(calls).toEqual(
      expect.arrayContaining([
        ['phone', { phone: '+12025550143' }, { limit: 1 }],
        ['phone', { phone: '12025550143' }, { limit: 1 }],
        ['phone', { phone: '2025550143' }, { limit: 1 }],
        ['message', '12025550143'],
        ['reply', '12025550143'],
        ['send', { sendId: '12025550143' }, { limit: 1 }],
      ]),
    );
    expect(calls.map(([source]) => source).sort()).toEqual(
      ['phone', 'phone', 'phone', 'number', 'number', 'number', 'message', 'reply', 'send'].sort(),
    );
  });

  const found = { phone: '+12025550143', status: 'sent', statusAt: '2026-01-15T11:00:00.000Z' };
  it.each([
    ['msg-1', { kind: 'message', messageId: 'msg-1', ...found, of: 'm~msg-1' }],
    [
      'reply-1',
      {
        kind: 'reply',
        replyId: 'reply-1',
        from: found.phone,
        occurredAt: '2026-01-15T11:30:00.000Z',
        of: 'r~reply-1',
      },
    ],
    ['send-1', { kind: 'send', sendId: 'send-1' }],
  ])('finds %s by its id', async (q, result) => {
    expect((await search(q)).json.results).toContainEqual(result);
  });

  it('offers every reading of ambiguous digits that has an entry or an opt-out', async () => {
    const { all } = dependencies();
    const entries: Readonly<Record<string, Message>> = {
      '2025550151': { ...message, messageId: 'msg-7', phone: '2025550151' },
    };
    const lists = {
      ...all.lists,
      send: async () => ({ entries: [] }),
      phone: async ({ phone }: { readonly phone: string }) => {
        const stored = entries[phone];
        return { entries: stored === undefined ? [] : [{ kind: 'message' as const, message: stored }] };
      },
    };
    const registered = await all.optOuts.number('+12025550151');
    const optOuts = {
      number: async (phone: string) => (phone === '+12025550151' ? registered : undefined),
    };
    const find = async (q: string) => {
      const event = queryEvent('/v1/search', { method: 'POST', body: JSON.stringify({ q }) });
      const { body = '' } = await createAnswerQuery({ ...all, lists, optOuts })(event);
      return JSON.parse(body);
    };
    const results = [
      { kind: 'number', of: null, number: '+12025550151', optOut },
      { kind: 'number', of: 'm~msg-7', number: '2025550151', optOut: null },
    ];
    expect(await find('2025550151')).toEqual({ number: null, results });
    expect(await find('+1 202 555 0151')).toEqual({ number: '+12025550151', results });
  });

  it('finds a number that only the register of opt-outs has, without a conversation', async () => {
    const { all } = dependencies();
    const empty = async () => ({ entries: [] });
    const lists = { ...all.lists, phone: empty, send: empty };
    const registered = await all.optOuts.number('+12025550143');
    const optOuts = {
      number: async (phone: string) => (phone === '+12025550143' ? registered : undefined),
    };
    const event = queryEvent('/v1/search', { method: 'POST', body: '{"q":"+12025550143"}' });
    const { body = '' } = await createAnswerQuery({ ...all, lists, optOuts })(event);
    expect(JSON.parse(body)).toEqual({
      number: '+12025550143',
      results: [{ kind: 'number', of: null, number: '+12025550143', optOut }],
    });
    const unknown = { ...all, lists, optOuts: { number: async () => undefined } };
    expect(JSON.parse((await createAnswerQuery(unknown)(event)).body ?? '')).toEqual({
      number: '+12025550143',
      results: [],
    });
  });

  it('reads a body that API Gateway passes on as base64', async () => {
    const body = Buffer.from('{"q":"msg-1"}').toString('base64');
    expect((await ask('/v1/search', body, true)).statusCode).toBe(200);
  });

  it.each([
    ['{"q":"  "}', [{ parameter: 'q', detail: 'expected a number or an id' }]],
    ['{"q":5}', [{ parameter: 'q', detail: 'expected a text' }]],
    ['{}', [{ parameter: 'q', detail: 'expected a text' }]],
    ['{"q":"a","to":"b"}', [{ parameter: 'to', detail: 'no such parameter: there are q' }]],
    ['[', [{ parameter: 'body', detail: 'expected a JSON object' }]],
    ['', [{ parameter: 'body', detail: 'expected a JSON object' }]],
    [JSON.stringify({ q: 'a'.repeat(513) }), [{ parameter: 'q', detail: 'expected at most 512 characters' }]],
  ])('rejects %j', async (body, errors) => {
    const { statusCode, json, calls } = await ask('/v1/search', body);
    expect([statusCode, json.errors, calls]).toEqual([400, errors, []]);
  });

  it('is answered for POST only', async () => {
    const { statusCode, headers } = await ask('/v1/search');
    expect([statusCode, headers?.allow]).toEqual([405, 'POST']);
  });
});

describe('a conversation', () => {
  it.each(['m~msg-1', 'r~reply-1'])(
    'of %s has the number, its opt-out and a page of its timeline',
    async (of) => {
      const { statusCode, json, calls } = await ask(`/v1/conversations/${of}?limit=7&cursor=c`);
      expect(statusCode).toBe(200);
      expect(json).toMatchObject({
        number: '+12025550143',
        optOut,
        entries: [{ kind: 'message', messageId: 'msg-1' }],
        next: 'next-cursor',
      });
      expect(calls).toContainEqual(['phone', { phone: '+12025550143' }, { limit: 7, cursor: 'c' }]);
    },
  );

  it.each(['m~unknown', 'r~unknown'])('of %s is a 404', async (of) => {
    const { statusCode, json } = await ask(`/v1/conversations/${of}`);
    expect([statusCode, json.type]).toEqual([404, 'urn:sms-event-pipeline:problem:unknown-conversation']);
  });

  it.each(['m~', 'x~msg-1', '+12025550143'])('named %s is refused', async (of) => {
    const { statusCode, json } = await ask(`/v1/conversations/${of}`);
    expect([statusCode, json.errors?.[0].parameter]).toEqual([400, 'of']);
  });
});

describe('numbersIn', () => {
  const digits = ['12025550143', '2025550143'];

  it.each([
    ['+1 202 555 0143', ['+12025550143', ...digits]],
    ['001 202-555-0143', ['+12025550143', ...digits]],
    ['tel:+1-202-555-0143', ['+12025550143', ...digits]],
    ['12025550143', ['+12025550143', ...digits]],
    ['2025550143', ['+12025550143', '+2025550143', '2025550143']],
    ['+521 55 1234 5678', ['+525512345678', '525512345678', '5512345678', '5215512345678', '15512345678']],
    ['msg-1', ['msg-1']],
    ['12345', ['12345']],
  ])('reads %s as %j', (text, numbers) => {
    expect(numbersIn(text, { numbers: 'mixed', defaultCountry: null })).toEqual(numbers);
  });

  it('reads digits as the contract writes its numbers', () => {
    expect(numbersIn('4795550183', { numbers: 'national', defaultCountry: 'US' })).toContain('+14795550183');
    // A person may leave out the country code that the service always writes.
    const international = (defaultCountry: string) => ({ numbers: 'international', defaultCountry }) as const;
    expect(numbersIn('0151 55550101', international('DE'))).toContain('+4915155550101');
    expect(numbersIn('(202) 555-0143', international('US'))).toContain('+12025550143');
    expect(numbersIn('4795550183', { numbers: 'mixed', defaultCountry: 'US' })).toEqual([
      '+14795550183',
      '+4795550183',
      '4795550183',
    ]);
  });

  it.each([
    ['(202) 555-0143', 'US', '+12025550143'],
    ['(11) 95555-0143', 'BR', '+5511955550143'],
    ['+1 202 555 0143', 'BR', '+12025550143'],
    ['12025550143', 'BR', '+12025550143'],
  ])('reads %s as a number of %s: %s', (text, country, number) => {
    expect(numbersIn(text, { numbers: 'mixed', defaultCountry: country })).toEqual(
      expect.arrayContaining([number]),
    );
  });

  it('always has the text or its key, so that what the history stores as text is found', () => {
    assertProperty(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const { length } = numbersIn(text, { numbers: 'mixed', defaultCountry: 'US' });
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThan(7);
      }),
    );
  });
});
