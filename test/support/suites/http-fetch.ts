import { describe, expect, it } from 'vitest';
import type { HttpFetch } from '../../../functions/base/http-client.ts';
import { answer, breakOff, hang, type Step } from '../../unit/functions/base/sms-service/scripted-server.ts';

/** A service that plays these steps at every path, and the `fetch` that reaches it. */
interface ReachableService {
  readonly url: string;
  readonly fetch: HttpFetch;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: object;
    readonly body: string;
  }[];
}

type Start = (
  script: Readonly<Record<string, readonly Step[]>>,
  expire: () => void,
) => ReachableService | Promise<ReachableService>;

/** What the client of the SMS service relies on, of the `fetch` of a scripted service and of the real one with a server. */
export function describeHttpFetch(name: string, start: Start) {
  describe(`fetch of ${name}`, () => {
    async function put(step: Step, limit = new AbortController()) {
      const service = await start({ 'PUT /path': [step] }, () => limit.abort(new Error('too late')));
      const headers = { 'X-Key': 'key' };
      const init = { method: 'PUT', headers, body: 'é', signal: limit.signal, redirect: 'manual' } as const;
      return { ...service, response: service.fetch(`${service.url}/path?a=b`, init) };
    }

    it('sends the request, and returns the answer', async () => {
      const { response, requests } = await put(answer(429, { no: 'ü' }, { 'Retry-After': '7' }));
      const { status, headers, body } = await response;
      const chunks: Uint8Array[] = [];
      for await (const chunk of body ?? []) chunks.push(chunk);
      expect([status, headers.get('retry-after'), headers.get('x-none')]).toEqual([429, '7', null]);
      expect(Buffer.concat(chunks).toString()).toBe('{"no":"ü"}');
      expect(requests).toMatchObject([
        { method: 'PUT', path: '/path?a=b', headers: { 'x-key': 'key' }, body: 'é' },
      ]);
    });

    it('returns a redirect instead of following it', async () => {
      const { response, requests } = await put(answer(302, '', { location: '/elsewhere' }));
      expect((await response).status).toBe(302);
      expect(requests).toHaveLength(1);
    });

    it('rejects when the time limit is reached', async () => {
      const { response, requests } = await put(hang);
      await expect(response).rejects.toThrow();
      expect(requests).toHaveLength(1);
    });

    it('sends nothing after the time limit', async () => {
      const limit = new AbortController();
      limit.abort();
      const { response, requests } = await put(answer(200), limit);
      await expect(response).rejects.toThrow();
      expect(requests).toEqual([]);
    });

    it('rejects if the connection is reset, with the code of the system', async () => {
      const { response } = await put(() => 'reset');
      await expect(response).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    });

    it('fails while it reads an answer that breaks off', async () => {
      const { response } = await put(breakOff);
      const { status, body } = await response;
      expect(status).toBe(200);
      const readAll = async () => {
        for await (const chunk of body ?? []) expect(Buffer.from(chunk).toString()).toBe('{"url":');
      };
      await expect(readAll()).rejects.toThrow();
    });
  });
}
