import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../cli/support/temporary-directory.ts';

const script = resolve(import.meta.dirname, '../../../bin/run-sms.ts');

interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line as a process of its own. */
function sms(
  folder: string,
  words: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { SMS_TARGET: _, AWS_PROFILE: __, npm_lifecycle_event: ___, ...own } = process.env;
  const settings = { cwd: folder, env: { ...own, ...variables } };
  return new Promise((done) => {
    const child = execFile(process.execPath, [script, ...words.split(' ')], settings, (_error, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
  });
}

const app = '{"app": "node app.ts"}';
const another = 'Remove it, then choose a pipeline with: sms use <target>\n';

/** Files that name no pipeline, by their names (null is a folder), with a command, its exit code, and what it answers. */
const mistakes: readonly {
  readonly files: Readonly<Record<string, string | null>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: string;
  readonly answers: (folder: string) => readonly string[];
}[] = [
  {
    files: { '.smsrc': 'prod nonsense' },
    answers: (folder) => [
      `error: ${folder}/.smsrc "prod nonsense" names no pipeline. Expected local, local:<folder>, <profile>/<region>/`,
      `for example prod/eu-west-1/SmsPipeline. To write it again, type in ${folder}: sms use <target>\n`,
    ],
  },
  {
    files: { '.smsrc': '' },
    answers: (folder) => [
      `error: ${folder}/.smsrc "" names no pipeline.`,
      `type in ${folder}: sms use <target>`,
    ],
  },
  {
    files: { '.smsrc': null },
    answers: (folder) => [`error: ${folder}/.smsrc cannot be read (EISDIR`, another],
  },
  {
    files: { '.smsrc': 'local' },
    env: { SMS_TARGET: 'prod' },
    answers: () => ['error: SMS_TARGET "prod" names no pipeline.', 'Correct SMS_TARGET, or unset it.\n'],
  },
  {
    files: { '.smsrc': 'prod/eu-west-1' },
    env: { AWS_PROFILE: 'dev' },
    answers: (folder) => [
      `error: AWS_PROFILE is "dev", but ${folder}/.smsrc names the profile "prod". Add --profile`,
    ],
  },
  {
    files: { 'cdk.json': '{' },
    answers: (folder) => [`error: ${folder}/cdk.json: expected JSON: `, 'Correct the file.\n'],
  },
  {
    files: { 'cdk.json': '{' },
    words: 'contract test',
    answers: (folder) => [`error: ${folder}/cdk.json: expected JSON: `],
  },
  {
    files: { 'cdk.json': '[]' },
    answers: (folder) => [`error: ${folder}/cdk.json: `, 'expected object', 'Correct the file.\n'],
  },
  {
    files: { 'cdk.json': null },
    answers: (folder) => [`error: ${folder}/cdk.json cannot be read (EISDIR)`],
  },
  {
    files: { 'cdk.json': app, 'cdk.context.json': 'x' },
    answers: (folder) => [`error: ${folder}/cdk.context.json: expected JSON: `],
  },
  {
    files: { 'cdk.json': '{"context": {"sms:stackPrefix": 5}}' },
    answers: (folder) => [
      `error: sms:stackPrefix in ${folder}: expected text. Correct it in "context" in cdk.json.`,
    ],
  },
];

const folders = temporaryDirectory();

function folderWith(files: Readonly<Record<string, string | null>>): string {
  const folder = mkdtempSync(join(folders, 'app-'));
  for (const [name, text] of Object.entries(files))
    if (text === null) mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  return folder;
}

describe('a wrong .smsrc, SMS_TARGET, AWS_PROFILE or cdk.json', () => {
  it.each(mistakes)(
    '$files $env is explained without a stack',
    async ({ files, env, words = 'outputs', answers }) => {
      const folder = folderWith(files);
      const { code, out, err } = await sms(folder, words, env);
      expect([code, out]).toEqual([1, '']);
      for (const part of answers(folder)) expect(err).toContain(part);
      expect(err).not.toMatch(/^ {4}at |unexpected error/m);
    },
  );

  it.each([
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['help targets', /^The pipeline that a command works with/],
    ['use local', /^Commands in this folder work with local/],
    ['complete -- mess', /^message\t/],
  ])('leaves sms %s as it is, which repairs it', async (words, text) => {
    const folder = folderWith({ '.smsrc': 'prod nonsense', 'cdk.json': '{' });
    const { code, out, err } = await sms(folder, words, { SMS_TARGET: 'nonsense' });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(text);
    if (words === 'use local') expect(readFileSync(join(folder, '.smsrc'), 'utf8')).toBe('local\n');
  });
});

it('the prefix of cdk.context.json is that of the commands', async () => {
  const folder = folderWith({
    'cdk.json': app,
    'cdk.context.json': '{"sms:stackPrefix": "ProdSms"}',
    '.smsrc': '/eu-west-1',
  });
  expect((await sms(folder, 'target')).out).toMatch(/^Target +\/eu-west-1\/ProdSms\n/);
});
