import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveConsole } from '../../../../../cli/commands/console/console.ts';
import type { Context } from '../../../../../cli/target/context.ts';
import { connectToPipeline } from '../../../../../tools/support/sms-command.ts';
import { startServer } from '../../support/server.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const options = {
  dir: '.local',
  stack: 'SmsPipeline',
  contract: 'contract.json',
  port: 0,
  local: true,
} as const;

describe('sms console', () => {
  it('signs the queries of the page, until it is interrupted', async () => {
    const api = await startServer(({ headers, path }) => ({
      body: JSON.stringify({ path, isSigned: headers.authorization?.startsWith('AWS4-HMAC-SHA256') }),
    }));
    const page = temporaryDirectory();
    writeFileSync(join(page, 'index.html'), '<!doctype html>');
    const printed: string[] = [];
    const answers: unknown[] = [];
    const context = {
      terminal: { out: (text: string) => void printed.push(text), err: () => undefined },
      clock: Date.now,
      connect: (target: Parameters<typeof connectToPipeline>[0]) => ({
        ...connectToPipeline(target),
        sources: async () => ['main'],
        queryApi: async () => ({
          url: `${api.url}/v1`,
          region: 'us-east-1',
          credentials: async () => ({ accessKeyId: 'any', secretAccessKey: 'any' }),
        }),
        contractHash: async () => 'another',
      }),
      beginWaiting: () => async () => {
        const address = new URL(printed.join('').replace('console ', '').trim());
        const opened = await fetch(address, { redirect: 'manual' });
        const cookie = String(opened.headers.get('set-cookie')).split(';')[0] ?? '';
        process.emit('message', { sampleFill: { sent: 3, all: 10 } }, undefined);
        for (const path of ['/session', '/v1/replies?limit=5'])
          answers.push(await (await fetch(new URL(path, address), { headers: { cookie } })).json());
        return false;
      },
    } as unknown as Context;
    await serveConsole(options, context, page);
    expect(answers).toEqual([
      {
        pipeline: 'local',
        sources: ['main'],
        contracts: [{ source: 'main', hash: 'another', service: null, delivered: null }],
        role: 'operator',
        place: 'local',
        masked: false,
        canReveal: false,
        canReplay: false,
        fill: { sent: 3, all: 10 },
      },
      { path: '/v1/replies?limit=5', isSigned: true },
    ]);
    await expect(fetch(printed.join('').replace('console ', '').trim())).rejects.toThrow('fetch failed');
  });

  it('that cannot have its port ends, also as a child process', async () => {
    const { url } = await startServer(() => ({ body: '' }));
    const context = {
      clock: Date.now,
      connect: (target: Parameters<typeof connectToPipeline>[0]) => ({
        ...connectToPipeline(target),
        queryApi: async () => ({ url: `${url}/v1`, region: 'us-east-1', credentials: async () => ({}) }),
      }),
    } as unknown as Context;
    const listeners = process.listenerCount('message');
    const port = Number(new URL(url).port);
    await expect(serveConsole({ ...options, port }, context, temporaryDirectory())).rejects.toThrow(
      `Port ${port} is taken.`,
    );
    // A listener would keep the process, and the local run that waits for its end.
    expect(process.listenerCount('message')).toBe(listeners);
  });

  it('says how to build the page', async () => {
    const connect = () => Promise.reject(new Error('not asked'));
    await expect(serveConsole(options, { connect } as unknown as Context, undefined)).rejects.toThrow(
      'npm run build:console',
    );
  });
});
