import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { constructManifest } from '../../tools/package/package-manifest.ts';
import { install } from '../support/packed-package.ts';
import { exclusions } from './support/awslint-exclusions.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'linters-'));
const linters = join(folder, 'linters');

/** The newest awslint. The tag `latest` is three years older, and cannot read what today's jsii writes. */
const versions = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5', 'awslint@2.262.2-alpha.0'];
beforeAll(() => install(linters, versions));

/** Runs a linter and returns all that it writes. A linter with findings exits with 1. */
async function lint(name: string, args: readonly string[], cwd = folder): Promise<string> {
  const env = { ...process.env, AWSLINT_BASE_CONSTRUCT: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };
  const bin = join(linters, 'node_modules/.bin', name);
  const { stdout, stderr }: { stdout: string; stderr: string } = await run(process.execPath, [bin, ...args], {
    cwd,
    env,
  }).catch((error) => error);
  return stdout + stderr;
}

it('publint finds nothing', async () => {
  expect(await lint('publint', [inject('tarball')])).toMatch(/^All good!$/m);
});

it('attw finds nothing', async () => {
  // Tools of jsii read the file .jsii by its path. It is JSON without the ending of JSON, and no module.
  const options = ['--format', 'table-flipped', '--no-emoji', '--exclude-entrypoints', './.jsii'];
  expect(await lint('attw', [inject('tarball'), ...options])).toMatch(/^\s*No problems found/m);
});

it('awslint finds only what is excluded with a reason', async () => {
  // awslint expects that all dependencies are modules of jsii, as those of the construct are. The published manifest names zod too.
  const construct = join(folder, 'construct');
  mkdirSync(construct);
  for (const file of ['.jsii', '.jsii.gz'])
    cpSync(join(inject('packageFolder'), file), join(construct, file));
  writeFileSync(join(construct, 'package.json'), JSON.stringify(constructManifest(project)));
  symlinkSync(join(root, 'node_modules'), join(construct, 'node_modules'));
  const output = await lint('awslint', ['--no-compile'], construct);

  const findings = [...output.matchAll(/^error: \[awslint:(\S+)\] /gm)].map(([, found = '']) => found);
  expect(findings.filter((found) => !exclusions.some(({ finding }) => finding.test(found)))).toEqual([]);
  // A run that checked nothing fails here too.
  const unused = exclusions.filter(({ finding }) => !findings.some((found) => finding.test(found)));
  expect(unused).toEqual([]);
});
