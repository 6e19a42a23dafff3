import { describe, expect, it } from 'vitest';
import { createAnswerQuery } from '../../../../functions/query/answer-query.ts';
import { masked } from '../../../../functions/query/mask.ts';
import { dependencies, queryEvent } from './fakes.ts';

const payload = (role: string) => ({ sub: 'user-1', groups: [role] });
const tokenOf = (role: string) => ({ jwt: { claims: payload(role) } });
const bearerOf = (role: string) =>
  `Bearer e30.${Buffer.from(JSON.stringify(payload(role))).toString('base64url')}.c2ln`;

async function ask(role: string, target: string, parts: Parameters<typeof queryEvent>[1] = {}) {
  const { all, calls, recorded } = dependencies();
  const { statusCode, body = '' } = await createAnswerQuery(all)(
    queryEvent(
      target,
      { ...parts, headers: { ...parts.headers, authorization: bearerOf(role) } },
      tokenOf(role),
    ),
  );
  return { statusCode, body, calls, lines: recorded.lines, text: recorded.text() };
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
    const fields = { user: 'user-1', role, query: 'getConversation' };
    expect(lines).toEqual([{ name: 'NUMBERS_REVEALED', fields }]);
    expect(text).not.toMatch(/2025550143/);
  });

  it('downloads whole numbers on request only, which is logged', async () => {
    const target = '/v1/sends/send-1/messages.csv';
    const { body, lines } = await ask(role, target, { headers: { 'x-reveal': 'yes' } });
    expect(body).toContain(',+12025550143,');
    expect(lines).toMatchObject([{ name: 'NUMBERS_REVEALED', fields: { query: 'listSendCsv' } }]);
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

  it('of a principal of AWS is answered with whole numbers, and is not logged', async () => {
    const { all, recorded } = dependencies();
    const { body } = await createAnswerQuery(all)(queryEvent('/v1/messages/msg-1'));
    expect(body).toContain('+12025550143');
    expect(recorded.lines).toEqual([]);
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

  it('keeps times, counts and other values', () => {
    const answer = { from: '2026-01-15T12:00:00.000Z', number: 12, isFinal: true, next: null };
    expect(masked(answer)).toEqual(answer);
  });
});
