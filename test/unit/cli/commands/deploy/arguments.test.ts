import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCdkDefaults, readDeployArguments } from '../../../../../cli/commands/deploy/arguments.ts';

it.each<[readonly string[], Partial<ReturnType<typeof readDeployArguments>>]>([
  [[], { yes: false, context: [] }],
  [['--yes'], { yes: true }],
  [['-y'], { yes: true }],
  [['-c', 'sms:a=1', '--context', 'sms:b=2'], { context: ['--context', 'sms:a=1', '--context', 'sms:b=2'] }],
  [['--context=sms:url=https://x.test/?a=b'], { context: ['--context', 'sms:url=https://x.test/?a=b'] }],
  [['--profile', 'ops', '--region=eu-west-1'], { profile: 'ops', region: 'eu-west-1' }],
  [['--require-approval', 'never', '-c'], { context: [], yes: false }],
  [['-c', '--profile', 'x'], { context: ['--context', '--profile'] }],
])('reads %j as %j', (args, expected) => {
  expect(readDeployArguments(args)).toMatchObject(expected);
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

it("the environment takes precedence over cdk.json, and that over the user's file, for each value", async () => {
  const project = { app: 'x', profile: 'project' };
  const user = { profile: 'user', region: 'eu-west-1' };
  const env = { CDK_PROFILE: 'env', CDK_REGION: 'eu-central-1' };
  expect(await read(project, user)).toEqual({ profile: 'project', region: 'eu-west-1' });
  expect(await read(project, user, env)).toEqual({ profile: 'env', region: 'eu-central-1' });
  expect(await read(undefined, undefined)).toEqual({});
});

it.each(['{', '{ "profile": 1 }'])('rejects the file %s by its name', async (text) => {
  await expect(read({}, text)).rejects.toThrow(/\.cdk\.json cannot be read/);
});
