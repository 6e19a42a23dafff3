import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCdkDefaults, readDeployArguments } from '../../../../../cli/commands/deploy/arguments.ts';

it.each<[readonly string[], Partial<ReturnType<typeof readDeployArguments>>]>([
  [[], { yes: false, help: false, context: [] }],
  [['--yes'], { yes: true }],
  [['-y'], { yes: true }],
  [['-h'], { help: true }],
  [['-c', 'sms:a=1', '--context', 'sms:b=2'], { context: ['--context', 'sms:a=1', '--context', 'sms:b=2'] }],
  [['--context=sms:url=https://x.test/?a=b'], { context: ['--context', 'sms:url=https://x.test/?a=b'] }],
  [['--profile', 'ops', '--region=eu-west-1'], { profile: 'ops', region: 'eu-west-1' }],
  [['--require-approval', 'never', '-c'], { context: [], yes: false }],
])('reads %j as %j', (args, expected) => {
  expect(readDeployArguments(args)).toMatchObject(expected);
});

it('does not read the value of an option as an option', () => {
  expect(readDeployArguments(['-c', '--profile', 'x'])).toEqual({
    help: false,
    yes: false,
    context: ['--context', '--profile'],
  });
});

async function folder(file: string, content: object | string | undefined): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cdk-defaults-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) await writeFile(join(directory, file), text);
  return directory;
}

async function read(
  project: object | string | undefined,
  user: object | string | undefined,
  env: Record<string, string> = {},
) {
  return readCdkDefaults(await folder('cdk.json', project), await folder('.cdk.json', user), env);
}

it("cdk.json takes precedence over the user's file, for the profile and the region each", async () => {
  expect(await read({ app: 'x', profile: 'project' }, { profile: 'user', region: 'eu-west-1' })).toEqual({
    profile: 'project',
    region: 'eu-west-1',
  });
});

it('CDK_PROFILE and CDK_REGION take precedence over both files', async () => {
  const env = { CDK_PROFILE: 'env', CDK_REGION: 'eu-central-1' };
  expect(await read({ profile: 'project' }, { region: 'eu-west-1' }, env)).toEqual({
    profile: 'env',
    region: 'eu-central-1',
  });
});

it('without the files there is no default', async () => {
  expect(await read(undefined, undefined)).toEqual({});
});

it.each(['{', '{ "profile": 1 }'])('rejects the file %s by its name', async (text) => {
  await expect(read({}, text)).rejects.toThrow(/\.cdk\.json cannot be read/);
});
