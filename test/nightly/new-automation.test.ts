import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { applyStep, stepsOfPage } from '../support/walk-through.ts';

/** The steps of docs/contributing/new-automation.md, in a copy of the repository. */
const project = resolve(import.meta.dirname, '../..');
const notCopied = new Set(['node_modules', '.git', '.local', 'build', 'cdk.out', 'coverage', 'reports']);

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'new-automation-'));
  for (const name of readdirSync(project))
    if (!notCopied.has(name)) cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const step of stepsOfPage()) applyStep(copy, step);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a program of the copy. @throws with its output if it fails */
async function run(program: string, ...args: string[]): Promise<string> {
  const PATH = [join(copy, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  // The test runner in the copy is not the one that runs this file.
  const { VITEST: _, VITEST_WORKER_ID: _id, VITEST_POOL_ID: _pool, ...environment } = process.env;
  const options = { cwd: copy, env: { ...environment, PATH }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout.slice(-8000)}\n${stderr.slice(-8000)}`);
  }
}

it('the format and the types are right', async () => {
  await run('biome', 'check', '--error-on-warnings', '.');
  await run('tsc', '-p', '.');
});

it('the test of the function passes', async () => {
  await run('vitest', 'run', '--project', 'unit', 'test/unit/functions/automations/reply-notice');
});
