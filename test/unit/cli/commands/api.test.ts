import { describe, expect, it } from 'vitest';
import type { SetupPayload } from '../../../../cli/target/stack/setup-function.ts';
import { commandLine, type Parts } from '../support/harness.ts';

function api(answer: unknown, terminal: Parts['terminal'] = {}) {
  const asked: SetupPayload[] = [];
  const { sms } = commandLine({
    terminal,
    connection: {
      invokeSetup: async (payload) => {
        asked.push(payload);
        return answer;
      },
    },
  });
  return { asked, api: (...args: string[]) => sms('api', ...args) };
}

describe('sms api', () => {
  it('writes the answer of the service as JSON', async () => {
    const { api: call, asked } = api({ answer: { data: [] }, redacted: ['data.secret'] });
    const { code, out } = await call('get', '/v1/billing/cards?page=2');
    expect([code, JSON.parse(out)]).toEqual([0, { data: [] }]);
    expect(asked).toEqual([{ action: 'call', method: 'GET', path: '/v1/billing/cards?page=2' }]);
  });

  it('sends a change with --confirm, or after a yes on a terminal', async () => {
    const confirmed = api({ answer: null, redacted: [] });
    expect((await confirmed.api('PUT', '/v1/x', '--data', '{"a":1}', '--confirm')).code).toBe(0);
    expect(confirmed.asked).toMatchObject([{ method: 'PUT', body: { a: 1 } }]);
    const answered = api({ answer: null, redacted: [] }, { ask: async () => 'y' });
    expect((await answered.api('DELETE', '/v1/x')).code).toBe(0);
    expect(answered.asked).toHaveLength(1);
  });

  it.each([
    [['FETCH', '/v1/x'], 2, '"FETCH" is not a method. Expected one of: GET, POST'],
    [['GET', 'v1/x'], 2, '"v1/x" is not a path.'],
    [['POST', '/v1/x', '--confirm', '--data', '{'], 2, '--data is not JSON.'],
    [
      ['POST', '/v1/x', '--confirm', '--data', '@/nowhere/x.json'],
      1,
      '/nowhere/x.json cannot be read (ENOENT: no such file or directory)',
    ],
  ])('%j sends nothing', async (args, code, text) => {
    const { api: call, asked } = api({ answer: null, redacted: [] });
    const outcome = await call(...args);
    expect([outcome.code, outcome.out, asked]).toEqual([code, '', []]);
    expect(outcome.err).toContain(text);
  });

  it('sends no data that nests so deep that it cannot be written', async () => {
    const { api: call, asked } = api({ answer: null, redacted: [] });
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const { code, err } = await call('POST', '/v1/x', '--confirm', '--data', deep);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain('--data has JSON of more than 64 levels.');
  });

  it('fails with the words of the setup function, and the path', async () => {
    const { api: call } = api({
      error: { kind: 'not-found', message: 'GET request: the SMS service answered 404' },
    });
    const { code, err } = await call('GET', '/v1/x');
    expect([code, err]).toEqual([1, 'error: GET /v1/x: the SMS service answered 404.\n']);
  });
});
