import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ConsoleRequest,
  type ConsoleSession,
  json,
  startConsoleServer,
} from '../../../../../cli/commands/console/console-server.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const session: ConsoleSession = {
  pipeline: 'local',
  sources: ['main'],
  contracts: [],
  role: 'operator',
  place: 'local',
  masked: false,
  canReveal: false,
  canReplay: true,
};

async function started(isReusable = false) {
  const page = temporaryDirectory();
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<!doctype html>');
  writeFileSync(join(page, 'assets/main-abc.js'), 'start()');
  const asked: ConsoleRequest[] = [];
  const server = await startConsoleServer({
    page,
    port: 0,
    isReusable,
    session: async () => session,
    answer: async (given) => {
      asked.push(given);
      if (given.path === '/v1/broken') throw new Error('about +12025550143');
      return json({ path: given.path });
    },
  });
  onTestFinished(() => server.close());
  const { origin } = new URL(server.url);
  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, origin), { redirect: 'manual', ...init });
  async function opened() {
    const cookie = (await get(server.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    return (path: string, init: RequestInit = {}) =>
      get(path, { ...init, headers: { cookie, origin, ...init.headers } });
  }
  return { server, origin, get, opened, asked };
}

describe('the server of the console', () => {
  it('exchanges its address once for a cookie, and leaves no token in the address', async () => {
    const { server, get } = await started();
    const first = await get(server.url);
    expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
    expect(first.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect((await get(server.url)).status).toBe(401);
    expect((await get('/?token=wrong')).status).toBe(401);
    const cookie = String(first.headers.get('set-cookie')).split(';')[0] ?? '';
    expect((await get(server.url, { headers: { cookie } })).status).toBe(303);
  });

  it('leads to the page that was asked for before its address was opened, and only to one of its own', async () => {
    const { server, get } = await started(true);
    const opened = async () => (await get(server.url)).headers.get('location');
    await get('/messages/msg-1?a=b');
    await get('/icon.svg');
    expect([await opened(), await opened()]).toEqual(['/messages/msg-1?a=b', '/']);
    await get('/.//attacker.example');
    expect(await opened()).toBe('/');
  });

  it('explains on its page that an address was used', async () => {
    const answer = await (await started()).get('/?token=wrong');
    expect([answer.status, await answer.text()]).toEqual([401, '<!doctype html>']);
  });

  it('answers nothing about the pipeline without the cookie', async () => {
    const { get, asked } = await started();
    for (const path of ['/session', '/v1/replies', '/v1/health']) expect((await get(path)).status).toBe(401);
    expect(asked).toEqual([]);
  });

  it('serves the page with its policy, for each of its own addresses', async () => {
    const { get } = await started();
    for (const path of ['/', '/conversations/m~msg-1', '/sends']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
    }
    const asset = await get('/assets/main-abc.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(await asset.text()).toBe('start()');
    for (const path of ['/assets/other.js', '/assets/..%2f..%2fetc%2fpasswd.txt', '/secrets.pem'])
      expect((await get(path)).status).toBe(path.includes('%2f') ? 200 : 404);
    expect((await get('/', { method: 'HEAD' })).headers.get('content-length')).toBe('15');
  });

  it('hands a request of the page on, and answers with the session', async () => {
    const { opened, asked } = await started();
    const get = await opened();
    expect(await (await get('/session')).json()).toEqual(session);
    const answer = await get('/v1/replies?limit=5', { headers: { 'if-none-match': '"tag"' } });
    expect(await answer.json()).toEqual({ path: '/v1/replies' });
    await get('/v1/search', { method: 'POST', body: '{"q":"msg-1"}' });
    expect(asked).toEqual([
      { method: 'GET', path: '/v1/replies', search: '?limit=5', ifNoneMatch: '"tag"', body: undefined },
      { method: 'POST', path: '/v1/search', search: '', ifNoneMatch: undefined, body: '{"q":"msg-1"}' },
    ]);
  });

  it('refuses other pages and other names of this machine, with the cookie too', async () => {
    const { opened, origin, asked } = await started();
    const get = await opened();
    const foreign = [{ origin: 'https://attacker.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) expect((await get('/v1/replies', { headers })).status).toBe(403);
    const status = new Promise((resolve) => {
      request(`${origin}/session`, { headers: { host: 'attacker.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(await status).toBe(403);
    expect(asked).toEqual([]);
  });

  it('gives the page, and no data, to a click on a link of another site', async () => {
    const { origin, asked } = await started();
    // The fetch of Node would write these headers itself.
    const statusOf = (path: string, headers: Readonly<Record<string, string>>) =>
      new Promise((resolve) => {
        request(origin + path, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });
    const click = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(await statusOf('/messages/msg-1', click)).toBe(200);
    for (const path of ['/v1/replies', '/session', '/?token=x'])
      expect(await statusOf(path, click)).toBe(403);
    for (const other of [
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'no-cors' },
      { host: 'a.example' },
    ])
      expect(await statusOf('/messages/msg-1', { ...click, ...other })).toBe(403);
    expect(asked).toEqual([]);
  });

  it('compresses what is large, where the browser takes that', async () => {
    const { opened } = await started();
    const get = await opened();
    const path = `/v1/${'a'.repeat(5000)}`;
    const answers = ['gzip, br', 'identity'].map(async (encodings) => {
      const answer = await get(path, { headers: { 'accept-encoding': encodings } });
      const bytes = Number(answer.headers.get('content-length'));
      return [answer.headers.get('content-encoding'), bytes < 1000, await answer.json()];
    });
    expect(await Promise.all(answers)).toEqual([
      ['gzip', true, { path }],
      [null, false, { path }],
    ]);
    expect((await get('/')).headers.get('content-encoding')).toBe(null);
  });

  it('refuses large bodies, and says nothing about an error', async () => {
    const { opened } = await started();
    const get = await opened();
    expect((await get('/v1/search', { method: 'POST', body: 'a'.repeat(20_000) })).status).toBe(413);
    const broken = await get('/v1/broken');
    expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('2025550143')]);
  });
});
