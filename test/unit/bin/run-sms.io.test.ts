import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Files that name no pipeline, by their names, and what the command answers. The other mistakes: test/unit/cli/target. */
const mistakes: readonly {
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly answer: (folder: string) => string;
}[] = [
  {
    files: { '.smsrc': 'prod nonsense' },
    answer: (folder) => `error: ${folder}/.smsrc "prod nonsense" names no pipeline. Expected local, `,
  },
  {
    files: { '.smsrc': 'prod/eu-west-1' },
    env: { AWS_PROFILE: 'dev' },
    answer: (folder) =>
      `error: AWS_PROFILE is "dev", but ${folder}/.smsrc names the profile "prod". Add --profile`,
  },
  {
    files: { 'cdk.json': '{' },
    answer: (folder) => `error: ${folder}/cdk.json: expected JSON: `,
  },
];

const folders = temporaryDirectory();

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(folders, 'app-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('a wrong .smsrc, AWS_PROFILE or cdk.json', () => {
  it.each(mistakes)('$files $env is explained without a stack', async ({ files, env, answer }) => {
    const folder = folderWith(files);
    const { code, out, err } = await sms(folder, 'outputs', env);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(answer(folder));
    expect(err).not.toMatch(/^ {4}at |unexpected error/m);
  });

  it('leaves the completion of a shell as it is', async () => {
    const folder = folderWith({ '.smsrc': 'prod nonsense', 'cdk.json': '{' });
    const { code, out, err } = await sms(folder, 'complete -- mess', { SMS_TARGET: 'nonsense' });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^message\t/);
  });
});

describe('sms target with a target', () => {
  it.each([{}, { '.smsrc': 'prod nonsense' }])(
    'writes .smsrc and says where, with %j in the folder',
    async (files) => {
      const folder = folderWith(files);
      // Neither is right, and neither keeps the file from being written.
      const env = { SMS_TARGET: 'nonsense', AWS_PROFILE: 'dev' };
      const { code, out, err } = await sms(folder, 'target prod/eu-west-1/Sms', env);
      expect([code, err]).toEqual([0, '']);
      expect(out).toBe(`Commands in this folder work with prod/eu-west-1/Sms (${folder}/.smsrc).\n`);
      expect(readFileSync(join(folder, '.smsrc'), 'utf8')).toBe('prod/eu-west-1/Sms\n');
    },
  );

  it('leaves .smsrc as it is if the target names no pipeline', async () => {
    const folder = folderWith({ '.smsrc': 'local' });
    expect((await sms(folder, 'target nonsense')).code).toBe(2);
    expect(readFileSync(join(folder, '.smsrc'), 'utf8')).toBe('local');
  });
});
