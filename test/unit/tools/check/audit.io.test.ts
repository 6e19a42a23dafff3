import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

// npm remembers advisories: those made up here must not be among those of this machine.
const caches = mkdtempSync(join(tmpdir(), 'audit-test-'));
afterAll(() => rmSync(caches, { recursive: true, force: true }));

const advisory = (severity: string, name = 'zod') => ({
  [name]: [
    {
      id: 1,
      url: 'https://advisories.test/1',
      title: 'An example of an advisory',
      severity,
      vulnerable_versions: '*',
      cwe: [],
      cvss: { score: 0, vectorString: null },
    },
  ],
});

/** Runs tools/check/audit.ts, with the real npm, against a registry that answers each POST so; status 0: not at all. */
async function auditAgainst(status: number, answer: object) {
  const registry = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      if (status === 0) return void request.socket.destroy();
      response.writeHead(request.method === 'POST' ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.method === 'POST' ? answer : {}));
    });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  const run = spawn(process.execPath, ['tools/check/audit.ts'], {
    cwd: root,
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: mkdtempSync(join(caches, 'cache-')),
      npm_config_fetch_retries: '0',
      npm_config_logs_max: '0',
    },
  });
  let output = '';
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => run.once('close', resolve));
  registry.close();
  return { code, output };
}

const none =
  'WARNING: nothing was compared with advisories, the registry has no such service or does not answer: ';

it.concurrent.each<[string, number, object, number, RegExp]>([
  ['passes without an advisory', 200, {}, 0, /^No advisory of level high or above \(of any level: 0\)\.\n$/],
  ['fails for one of high severity, and shows it', 200, advisory('high'), 1, /An example of an advisory/],
  ['ignores one about a development tool', 200, advisory('high', 'vitest'), 0, /any level: 0/],
  ['passes for one of lower severity, and counts it', 200, advisory('moderate'), 0, /any level: 1/],
  ['warns when the registry has no advisories', 404, {}, 0, new RegExp(`^${none}404 `)],
  ['warns when the registry has no such method', 405, {}, 0, new RegExp(`^${none}405 `)],
  ['warns when the registry fails', 503, {}, 0, new RegExp(`^${none}503 `)],
  ['warns when the registry does not answer', 0, {}, 0, new RegExp(`^${none}`)],
  ['fails when the registry rejects the request', 400, {}, 1, /^npm audit did not say what it found: 400 /],
  ['fails when the registry rejects the caller', 403, {}, 1, /^npm audit did not say what it found: 403 /],
])('the audit %s', async (_, status, answer, code, output) => {
  expect(await auditAgainst(status, answer)).toEqual({ code, output: expect.stringMatching(output) });
});
