import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createPost } from '../../../../cli/target/context.ts';
import { createFetch, proxyAgents } from '../../../../cli/target/proxy.ts';
import { startProxy } from '../../../support/proxy.ts';
import { startServer } from '../support/server.ts';

describe('a request through a proxy', () => {
  async function startTrusted(...args: Parameters<typeof startProxy>) {
    const proxy = await startProxy(...args);
    tls.setDefaultCACertificates([...tls.getCACertificates(), proxy.certificate]);
    return { ...proxy, fetch: createFetch({ HTTPS_PROXY: proxy.address, HTTP_PROXY: proxy.address }) };
  }

  it('has its method, headers and body, and its answer too', async () => {
    const { fetch, seen, tunnels } = await startTrusted(() => ({ status: 202, body: { accepted: true } }));
    const body = '{"text":"Grüße"}';
    const response = await fetch('https://hooks.example.com/v1?a=b', { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([202, { accepted: true }]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(seen).toEqual([{ host: 'hooks.example.com', path: '/v1?a=b', body }]);
    expect(tunnels).toEqual(['hooks.example.com:443']);
  });

  it('may have an answer without a body', async () => {
    const { fetch } = await startTrusted(() => ({ status: 204, body: '' }));
    const response = await fetch('https://hooks.example.com/', { method: 'DELETE' });
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it('ends with the reason of its signal', async () => {
    const { fetch } = await startTrusted(() => ({ body: {} }));
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(fetch('https://hooks.example.com/', { signal })).rejects.toThrow('late');
  });

  it('is a test event too', async () => {
    const { fetch, seen } = await startTrusted(() => ({ body: { ok: true } }));
    const request = {
      url: 'https://hooks.example.com/webhooks/sms',
      headers: {},
      body: Buffer.from('event'),
    };
    expect(await createPost(fetch)(request)).toEqual({ status: 200, body: '{"ok":true}' });
    expect(seen).toEqual([{ host: 'hooks.example.com', path: '/webhooks/sms', body: 'event' }]);
  });

  it('to this machine does not use the proxy', async () => {
    const { fetch, tunnels } = await startTrusted(() => ({ body: {} }));
    const { url } = await startServer(() => ({ body: '{"here":true}' }));
    expect(await (await fetch(url)).json()).toEqual({ here: true });
    expect(tunnels).toEqual([]);
  });
});

describe('a version of Node.js that cannot use a proxy', () => {
  const environment = { HTTPS_PROXY: 'http://127.0.0.1:3128' };

  it.each(['22.18.0', '22.20.0', '23.11.0', '24.4.1'])('is refused: %s', (node) => {
    expect(() => proxyAgents(environment, node)).toThrow(
      `HTTPS_PROXY names a proxy, which Node.js ${node} cannot use. Install Node.js 22.21 or 24.5 or newer, or unset HTTPS_PROXY if AWS can be reached without it.`,
    );
  });

  it('is not mentioned without a proxy, or if NO_PROXY excepts every host', () => {
    expect(proxyAgents({}, '22.18.0')).toBeUndefined();
    expect(proxyAgents({ HTTPS_PROXY: ' ' }, '22.18.0')).toBeUndefined();
    expect(proxyAgents({ ...environment, NO_PROXY: '*' }, '22.18.0')).toBeUndefined();
  });

  it.each(['22.21.0', '22.99.1', '24.5.0', '25.0.0', '26.1.0'])('is not %s', (node) => {
    expect(proxyAgents(environment, node)).toBeDefined();
  });
});
