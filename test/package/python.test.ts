import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { install } from '../support/packed-package.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'python-'));
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

let python: string;
const environment = (outdir: string) => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  PYTHONPATH: join(folder, 'languages/python/src'),
  CDK_OUTDIR: outdir,
});

beforeAll(async () => {
  const options = ['--package', inject('packageFolder'), '--out', join(folder, 'languages'), '--code-only'];
  await run(process.execPath, ['tools/package/build-languages.ts', 'python', ...options], { cwd: root });
  python = await pythonWithCdk();
});

it('has the templates of the same app of JavaScript', async () => {
  const example = join(root, 'examples/python');
  const cwd = join(folder, 'javascript');
  const contract = join(root, 'contract.json');
  const { 'aws-cdk-lib': cdk, constructs } = project.dependencies;
  await install(cwd, [inject('tarball'), `aws-cdk-lib@${cdk}`, `constructs@${constructs}`]);
  cpSync(join(example, 'app.mjs'), join(cwd, 'twin.mjs'));
  const [twinOut, pythonOut] = [join(folder, 'twin.out'), join(folder, 'python.out')];
  await run(process.execPath, ['twin.mjs', contract], { cwd, env: environment(twinOut) });
  await run(python, [join(example, 'app.py'), contract], { cwd, env: environment(pythonOut) });
  for (const name of ['Shop', 'Reports'])
    expect(readJson(join(pythonOut, `${name}.template.json`))).toEqual(
      readJson(join(twinOut, `${name}.template.json`)),
    );
});

it('gets an error that names each wrong prop', async () => {
  const app = `from aws_cdk import App, Duration, Stack
from sms_event_pipeline import Contract, Preset, SmsPipeline
SmsPipeline(Stack(App(), "Shop"), "Sms", contract=Contract.preset(Preset.TWILIO), retention=Duration.days(0))`;
  const options = { cwd: folder, env: environment(join(folder, 'wrong.out')) };
  await expect(run(python, ['-c', app], options)).rejects.toThrow(
    'retention: found 0, expected a whole number of days from 1 to 3650',
  );
});

it('synthesizes as docs/start/own-app-python.md shows it', async () => {
  const page = readFileSync(join(root, 'docs/start/own-app-python.md'), 'utf8');
  const [app = '', handler = ''] = [...page.matchAll(/^( *)```python\n(.*?)^ *```/gms)].map(
    ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  const cwd = join(folder, 'page');
  mkdirSync(join(cwd, 'handlers'), { recursive: true });
  writeFileSync(join(cwd, 'app.py'), app);
  writeFileSync(join(cwd, 'handlers/index.py'), handler);
  await run(python, ['app.py'], { cwd, env: environment(join(cwd, 'cdk.out')) });
  const { Resources } = readJson(join(cwd, 'cdk.out/MyStack.template.json'));
  const rules = Object.values<{ Type: string }>(Resources).filter(({ Type }) => Type === 'AWS::Events::Rule');
  expect(JSON.stringify(rules)).toContain('"text":[{"prefix":"Yes"}]');
});

/** Returns a Python that has the CDK: the machine's, or one of this repository's own, which is installed once. */
async function pythonWithCdk(): Promise<string> {
  const hasCdk = (command: string) => spawnSync(command, ['-c', 'import aws_cdk']).status === 0;
  const own = join(root, '.local/python/bin/python3');
  const found = ['python3', own].find(hasCdk);
  if (found !== undefined) return found;
  await run('python3', ['-m', 'venv', join(root, '.local/python')]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
  await run(own, [...pip, '-r', join(root, 'examples/python/requirements.txt')]);
  return own;
}
