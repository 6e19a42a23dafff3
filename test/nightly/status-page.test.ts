import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../../tools/support/free-port.ts';

const run = promisify(execFile);
const project = resolve(import.meta.dirname, '../..');
const script = join(project, 'examples/status-page/test.sh');

/** Runs the script of docs/guides/test-your-app.md in the clone. */
async function runTests(tests: string) {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'status-page-'));
  const PORT = String(await freePorts(5));
  const environment = { ...process.env, SMS: 'node bin/sms.ts', TESTS: tests, PORT, TMPDIR };
  const {
    code = 0,
    stdout,
    stderr,
  } = await run('sh', [script], { cwd: project, env: environment }).catch((error) => error);
  const { stdout: processes } = await run('ps', ['-eo', 'args']);
  return {
    code,
    stdout,
    stderr,
    files: readdirSync(TMPDIR),
    processes: processes.split('\n').filter((line) => line.includes(TMPDIR)),
  };
}

describe('examples/status-page/test.sh', () => {
  it('starts the pipeline, passes the tests of the example, and leaves neither a process nor a file', async () => {
    const { code, stdout, files, processes } = await runTests('examples/status-page/*.test.mjs');
    expect(stdout).toMatch(/pass 11$/m);
    expect([code, files, processes]).toEqual([0, [], []]);
  });

  it('fails with a failed test, ends the pipeline too, and prints where the logs are', async () => {
    const failing = join(mkdtempSync(join(tmpdir(), 'failing-')), 'failing.test.mjs');
    writeFileSync(
      failing,
      "import { test } from 'node:test'; test('fails', () => { throw new Error('no'); });",
    );
    const { code, stderr, processes } = await runTests(failing);
    expect([code, processes]).toEqual([1, []]);
    const [, logs = ''] = /The logs of the run are in (.+)$/m.exec(stderr) ?? [];
    expect(readdirSync(logs)).toContain('ingest.log');
  });
});
