import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/built-app.ts';
import { everything, pipelineStacks, smallest } from './synthesized.ts';

/*
 * AWS's linter reads the schemas of the resource types, which CloudFormation itself checks at deployment. Its version has the newest ones, so raise it
 * now and then.
 */
const version = '1.58.0';
const venv = resolve(import.meta.dirname, `../../../.local/cfn-lint-${version}`);
const linter = join(venv, 'bin/cfn-lint');

/** The CDK writes dependencies that a reference makes too, which changes nothing. */
const ignored = ['W3005'];

it('cfn-lint finds nothing in the default pipeline, in the smallest one, and in one with everything on', () => {
  if (!existsSync(linter)) {
    execFileSync('python3', ['-m', 'venv', venv]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
    execFileSync(join(venv, 'bin/python3'), [...pip, `cfn-lint==${version}`], { stdio: 'inherit' });
  }
  const folder = newFolder();
  const files = Object.entries({ default: {}, smallest, everything }).flatMap(([name, context]) =>
    pipelineStacks(context).map((stack) => {
      const file = join(folder, `${name}-${stack.name}.json`);
      writeFileSync(file, JSON.stringify(stack.template));
      return file;
    }),
  );
  expect(files).toHaveLength(3);
  const { status, stdout, stderr } = spawnSync(
    linter,
    ['--format', 'parseable', '--ignore-checks', ...ignored, '--template', ...files],
    { encoding: 'utf8' },
  );
  expect([stdout, stderr]).toEqual(['', '']);
  expect(status).toBe(0);
}, 300_000);
