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

it.concurrent('the audit passes when no advisory concerns a production dependency', async () => {
  const { code, output } = await auditAgainst(200, {});
  expect([code, output]).toEqual([0, 'No advisory of level high or above (of any level: 0).\n']);
});

it.concurrent('the audit fails for an advisory of high severity, and shows it', async () => {
  const { code, output } = await auditAgainst(200, advisory('high'));
  expect(code).toBe(1);
  expect(output).toContain('An example of an advisory');
});

it.concurrent('the audit ignores an advisory about a development tool', async () => {
  const { code } = await auditAgainst(200, advisory('high', 'vitest'));
  expect(code).toBe(0);
});

it.concurrent('the audit passes for an advisory of lower severity, and counts it', async () => {
  const { code, output } = await auditAgainst(200, advisory('moderate'));
  expect([code, output]).toEqual([0, 'No advisory of level high or above (of any level: 1).\n']);
});

it.concurrent.each([404, 405, 503])(
  'the audit warns when the registry has no advisories: %i',
  async (status) => {
    const { code, output } = await auditAgainst(status, {});
    expect(code).toBe(0);
    expect(output).toMatch(
      new RegExp(
        `^WARNING: nothing was compared with advisories, the registry has no such service or does not answer: ${status} `,
      ),
    );
  },
);

it.concurrent('the audit warns when the registry does not answer', async () => {
  const { code, output } = await auditAgainst(0, {});
  expect(code).toBe(0);
  expect(output).toMatch(/^WARNING: nothing was compared with advisories, /);
});

it.concurrent.each([400, 401, 403])(
  'the audit fails when the registry rejects the request: %i',
  async (status) => {
    const { code, output } = await auditAgainst(status, {});
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^npm audit did not say what it found: ${status} `));
  },
);
