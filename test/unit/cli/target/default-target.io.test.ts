import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  describeTarget,
  findTargetSources,
  readTarget,
  writeTarget,
} from '../../../../cli/target/default-target.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('what names the pipeline', () => {
  const app = temporaryDirectory();
  const below = join(app, 'src/jobs');
  mkdirSync(below, { recursive: true });
  const none = temporaryDirectory();
  const project = temporaryDirectory();

  it('is SMS_TARGET, or the nearest .smsrc above the folder', async () => {
    expect(await findTargetSources(none, none, {})).toEqual({});
    writeFileSync(join(app, '.smsrc'), 'local:runs/one\n');
    expect(await findTargetSources(below, none, { AWS_PROFILE: 'dev' })).toEqual({
      named: { target: { local: true, directory: join(app, 'runs/one') }, from: join(app, '.smsrc') },
      awsProfile: 'dev',
    });
    expect(
      await findTargetSources(below, none, { SMS_TARGET: 'prod/eu-west-1/Sms', AWS_PROFILE: '' }),
    ).toEqual({
      named: {
        target: { local: false, profile: 'prod', region: 'eu-west-1', stack: 'Sms' },
        from: 'SMS_TARGET',
      },
    });
  });

  it('is below them the stack of the app, from cdk.json or from cdk.context.json', async () => {
    const called = (stack: string) => ({
      project: { target: { stack }, from: `sms:stackName in ${project}` },
    });
    writeFileSync(join(project, 'cdk.json'), '{"app": "node bin/app.ts"}');
    expect(await findTargetSources(none, project, {})).toEqual({});
    writeFileSync(join(project, 'cdk.context.json'), '{"sms:stackName": "ProdSms"}');
    expect(await findTargetSources(none, project, {})).toEqual(called('ProdSms'));
    writeFileSync(join(project, 'cdk.json'), '{"context": {"sms:stackName": "Shop"}}');
    expect(await findTargetSources(none, project, {})).toEqual(called('Shop'));
  });
});

describe('what names no pipeline is explained', () => {
  const app = '{"app": "node app.ts"}';
  it.each<[Readonly<Record<string, string | null>>, Readonly<Record<string, string>>, RegExp]>([
    [{ '.smsrc': '' }, {}, /\.smsrc "" names no pipeline\..* type in \S+: sms target <target>$/],
    // Null is a folder.
    [{ '.smsrc': null }, {}, /\.smsrc cannot be read \(EISDIR.* sms target <target>$/],
    [
      { '.smsrc': 'local' },
      { SMS_TARGET: 'prod' },
      /^SMS_TARGET "prod" names no pipeline\..* Correct SMS_TARGET, or unset it\.$/,
    ],
    [{ 'cdk.json': '[]' }, {}, /cdk\.json: .*expected object.* Correct the file\.$/],
    [{ 'cdk.json': null }, {}, /cdk\.json cannot be read \(EISDIR\)/],
    [{ 'cdk.json': app, 'cdk.context.json': 'x' }, {}, /cdk\.context\.json: expected JSON: /],
    [
      { 'cdk.json': '{"context": {"sms:stackName": 5}}' },
      {},
      /^sms:stackName in \S+: expected text\. Correct it in "context" in cdk\.json\.$/,
    ],
  ])('%j %j', async (files, environment, message) => {
    const folder = mkdtempSync(join(temporaryDirectory(), 'app-'));
    for (const [name, text] of Object.entries(files))
      if (text === null) mkdirSync(join(folder, name));
      else writeFileSync(join(folder, name), text);
    await expect(findTargetSources(folder, folder, environment)).rejects.toThrow(message);
  });
});

describe('a .smsrc that is not one short line of this folder', () => {
  /** Returns the error for a folder whose .smsrc is made so. */
  async function failureWith(make: (path: string) => void): Promise<string> {
    const folder = temporaryDirectory();
    make(join(folder, '.smsrc'));
    return String(await findTargetSources(folder, folder, {}).catch((error: unknown) => error));
  }

  it('is refused if it is a link to a file of another folder, without what is in it', async () => {
    const secret = join(temporaryDirectory(), 'credentials');
    writeFileSync(secret, '[default]\naws_secret_access_key = abcdef\n');
    const failure = await failureWith((path) => symlinkSync(secret, path));
    expect(failure).toMatch(/\.smsrc is a link to a file of another folder, so it is not used\./);
    expect(failure).not.toMatch(/default|abcdef/);
    for (const device of ['/dev/zero', '/dev/null'])
      expect(await failureWith((path) => symlinkSync(device, path))).toContain('is a link');
  });

  it('may be a link within the folder, also where the folder is one', async () => {
    const folder = realpathSync(temporaryDirectory());
    writeFileSync(join(folder, 'prod'), 'prod/eu-west-1/Sms\n');
    symlinkSync('prod', join(folder, '.smsrc'));
    const link = join(temporaryDirectory(), 'app');
    symlinkSync(folder, link);
    for (const from of [folder, link])
      expect((await findTargetSources(from, from, {})).named?.target.profile).toBe('prod');
  });

  it('is refused if it is large, and shown with its beginning, on one line and without escapes', async () => {
    const large = await failureWith((path) => writeFileSync(path, 'x'.repeat(1025)));
    expect(large).toMatch(
      /\.smsrc has more than 1024 bytes, so it names no pipeline\. .* sms target <target>$/,
    );
    const lines = await failureWith((path) => writeFileSync(path, `a\u001b[31m\nb ${'c'.repeat(200)}`));
    expect(lines).toMatch(/\.smsrc "a b c{76}…" names no pipeline\./);
    expect(lines.split('\n')).toHaveLength(1);
  });
});

describe('a file that another user can write', () => {
  it('chooses no pipeline, also in a folder above', async () => {
    const app = temporaryDirectory();
    const below = join(app, 'src');
    mkdirSync(below);
    writeFileSync(join(app, '.smsrc'), 'local\n');
    chmodSync(join(app, '.smsrc'), 0o666);
    await expect(findTargetSources(below, app, {})).rejects.toThrow(
      `${join(app, '.smsrc')} can be written by other users of this machine (chmod go-w takes that away), so it is not used.`,
    );
  });

  it('is no app, unless the command runs in its folder', async () => {
    const app = temporaryDirectory();
    const file = join(app, 'cdk.json');
    writeFileSync(file, '{"app": "node app.ts", "context": {"sms:stackName": "Other"}}');
    chmodSync(file, 0o666);
    await expect(findTargetSources(app, app, {})).rejects.toThrow(
      `${file} can be written by other users of this machine (chmod go-w takes that away), and what it names is executed.`,
    );
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(app);
    onTestFinished(() => cwd.mockRestore());
    expect((await findTargetSources(app, app, {})).project?.target).toEqual({ stack: 'Other' });
  });
});

describe('the text of a target', () => {
  it.each([
    'local',
    'local:/runs/one',
    'prod/eu-west-1/Sms',
    '/eu-west-1/Sms',
    'prod//Sms',
    '//Sms',
    'prod/eu-west-1/MyStack',
    '//My-Stack:SmsTwo',
    '//My-Stack:',
  ])('%s is read and written alike', (text) => {
    const read = readTarget(text, '/');
    expect(writeTarget({ local: true, directory: '.local', stack: 'SmsPipeline', ...read })).toBe(text);
  });

  it.each([
    '',
    '/',
    'locale',
    'prod',
    'a b/eu-west-1',
    'prod/EU',
    'prod/eu-west-1/9x',
    'local:',
    'prod//:Sms',
    'prod//App:Sms:Two',
    '--app=a/eu-west-1/Sms',
    'prod/--app/Sms',
  ])('"%s" is no target', (text) => {
    expect(readTarget(text, '/')).toBeUndefined();
  });
});

describe('a target in a question', () => {
  const own = { local: false, directory: '.local', stack: 'SmsPipeline' };

  it.each([
    [own, {}, 'the stack SmsPipeline in the default region, with the default credentials'],
    [
      own,
      { AWS_DEFAULT_REGION: 'eu-west-1' },
      'the stack SmsPipeline in the default region, with the default credentials',
    ],
    [own, { AWS_REGION: 'eu-west-1' }, 'the stack SmsPipeline in eu-west-1, with the default credentials'],
    [own, { AWS_REGION: 'eu-west-1', AWS_PROFILE: 'prod' }, 'prod/eu-west-1/SmsPipeline'],
    [{ ...own, profile: 'prod' }, {}, 'the stack SmsPipeline in the default region, with the profile prod'],
    [
      { ...own, stack: 'Shop', region: 'us-east-1' },
      {},
      'the stack Shop in us-east-1, with the default credentials',
    ],
    [
      { ...own, profile: 'prod', region: 'us-east-1' },
      { AWS_REGION: 'eu-west-1' },
      'prod/us-east-1/SmsPipeline',
    ],
    [{ ...own, local: true }, { AWS_REGION: 'eu-west-1' }, 'local'],
  ])('%j with %j is named by what is known', (target, environment, text) => {
    expect(describeTarget(target, environment)).toBe(text);
  });
});
