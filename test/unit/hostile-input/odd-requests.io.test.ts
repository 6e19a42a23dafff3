import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { json, startConsoleServer } from '../../../cli/commands/console/console-server.ts';
import { startAwsEndpoint } from '../../../local/aws-protocol/aws-endpoint.ts';
import { closeServer, listen, sendJson } from '../../../local/aws-protocol/http.ts';
import { HttpApi } from '../../../local/services/api-gateway/api.ts';
import { startSqsServer } from '../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../tools/support/free-port.ts';
import { startGateway } from '../../support/gateway.ts';
import { inMemoryFunction } from '../../support/local-lambda.ts';
import { failuresOfOddRequests, sendBytes } from '../../support/odd-requests.ts';
import { temporaryDirectory } from '../cli/support/temporary-directory.ts';
import { startSandbox } from '../local/sms-service/sandbox-under-test.ts';

/** Each starts a server. Resolves with its port, and the headers of a caller whom it admits. */
const servers: Readonly<Record<string, () => Promise<{ port: number; headers?: string }>>> = {
  async 'the example of a status page'() {
    const { createStatusPage } = await import(
      join(import.meta.dirname, '../../../examples/status-page/status-page.mjs')
    );
    const sent = { newest: () => [], find: () => undefined };
    const page: Server = createStatusPage({ userOf: () => 'ann', sent });
    await once(page.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => closeServer(page));
    return { port: (page.address() as AddressInfo).port };
  },
  async 'the console, before the sign-in'() {
    const { port } = await startConsole();
    return { port };
  },
  'the console, after the sign-in': startConsole,
  async 'the sandbox of the SMS service'() {
    return { port: Number(new URL((await startSandbox()).url).port) };
  },
  async 'a server of the local run'() {
    const port = await freePorts(1);
    const server = await listen(port, (_, response) => sendJson(response, 200, {}));
    onTestFinished(() => closeServer(server));
    return { port };
  },
  async 'the endpoint of Secrets Manager, EventBridge and Lambda'() {
    const port = await freePorts(1);
    const answer = (name: string, _: unknown, response: Parameters<typeof sendJson>[0]) =>
      sendJson(response, 200, { name });
    const path = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
    const server = await startAwsEndpoint(port, [{ operations: new Map(), routes: [{ path, answer }] }]);
    onTestFinished(() => closeServer(server));
    return { port };
  },
  async 'an HTTP API of the local run'() {
    const port = await freePorts(1);
    const api = new HttpApi('local', Date.now);
    api.addRoute(
      '$default',
      inMemoryFunction(() => ({ statusCode: 200 })),
    );
    const server = await api.listen(port);
    onTestFinished(() => closeServer(server));
    return { port };
  },
  async 'SQS on this machine'() {
    const port = await freePorts(1);
    const server = await startSqsServer(port);
    onTestFinished(() => server.close());
    return { port };
  },
  async 'the gateway before an AWS service'() {
    return { port: Number(new URL((await startedGateway()).awsUrl).port) };
  },
  async 'the gateway before the SMS service'() {
    return { port: Number(new URL((await startedGateway()).smsServiceUrl).port) };
  },
};

async function startConsole() {
  const server = await startConsoleServer({
    page: temporaryDirectory(),
    port: 0,
    isReusable: true,
    session: async () => ({
      pipeline: 'local',
      sources: ['main'],
      contracts: [],
      role: 'operator',
      place: 'local',
      masked: false,
      canReveal: false,
      canReplay: true,
    }),
    answer: async () => json({}),
  });
  onTestFinished(() => server.close());
  const { headers } = await fetch(server.url, { redirect: 'manual' });
  const { port, origin } = new URL(server.url);
  const cookie = headers.get('set-cookie')?.split(';')[0];
  return { port: Number(port), headers: `Cookie: ${cookie}\r\nOrigin: ${origin}\r\n` };
}

async function startedGateway() {
  // The gateway reports what it could not read in its log.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const gateway = await startGateway((request, response) => {
    request.resume().on('end', () => sendJson(response, 200, {}));
  });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await gateway.stop();
  });
  return gateway;
}

it.each(Object.entries(servers))('odd requests neither end nor break %s', async (_, start) => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const { port, headers } = await start();
  expect(await failuresOfOddRequests(port, headers)).toEqual([]);
  expect(unhandled).not.toHaveBeenCalled();
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeLessThan(500);
});

const local = Object.entries(servers).filter(([name]) => !name.startsWith('the example'));

it.each(local)(
  'a page of another site, or with a name that became 127.0.0.1, gets nothing of %s',
  async (_, start) => {
    const { port, headers = '' } = await start();
    const [cookie = ''] = headers.split('Origin');
    const get = (host: string, more = '') =>
      sendBytes(
        port,
        Buffer.from(`GET /v1/a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${cookie}${more}\r\n`),
      );
    expect(await get(`attacker.example:${port}`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get(`127.0.0.1:${port}`, 'Origin: https://attacker.example\r\n')).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(await get(`127.0.0.1:${port}`)).not.toMatch(/^HTTP\/1\.1 403 /);
  },
);

it('notices a server that fails', async () => {
  const server = createServer((request, response) => {
    const { pathname } = URL.parse(request.url ?? '', 'http://localhost') ?? {};
    response.writeHead(pathname === undefined ? 500 : 200).end(new Error(pathname).stack);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => closeServer(server));
  const failures = await failuresOfOddRequests((server.address() as AddressInfo).port);
  expect(failures.map((one) => one.split(':')[0])).toEqual(expect.arrayContaining(['GET //', 'OPTIONS *']));
});
