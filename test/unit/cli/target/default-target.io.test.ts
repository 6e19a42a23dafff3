import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDefaultTarget, readTarget, writeTarget } from '../../../../cli/target/default-target.ts';
import { commandLine } from '../support/harness.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('the pipeline of a folder', () => {
  const app = temporaryDirectory();
  const below = join(app, 'src/jobs');
  mkdirSync(below, { recursive: true });
  const none = temporaryDirectory();

  it('is that of cdk.json, then of .smsrc, then of SMS_TARGET', () => {
    expect(findDefaultTarget(none, {})).toBeUndefined();
    writeFileSync(join(app, 'cdk.json'), '{"context": {"sms:stackPrefix": "Shop"}}');
    expect(findDefaultTarget(below, {})).toEqual({ target: { prefix: 'Shop' }, from: join(app, 'cdk.json') });
    writeFileSync(join(app, '.smsrc'), 'local:runs/one\n');
    expect(findDefaultTarget(below, {})).toEqual({
      target: { local: true, directory: join(app, 'runs/one') },
      from: join(app, '.smsrc'),
    });
    expect(findDefaultTarget(below, { SMS_TARGET: 'prod/eu-west-1/Sms' })).toEqual({
      target: { local: false, profile: 'prod', region: 'eu-west-1', prefix: 'Sms' },
      from: 'SMS_TARGET',
    });
  });

  it('is left to the options where cdk.json names no prefix', () => {
    writeFileSync(join(none, 'cdk.json'), '{"app": "node bin/app.ts"}');
    expect(findDefaultTarget(none, {})).toBeUndefined();
  });
});

describe('the text of a target', () => {
  it.each(['local', 'local:/runs/one', 'prod/eu-west-1/Sms', '/eu-west-1/Sms', 'prod//Sms', '//Sms'])(
    '%s is read and written alike',
    (text) => {
      const target = {
        local: false,
        directory: '.local',
        prefix: 'SmsPipeline',
        ...readTarget(text, 'it', '/'),
      };
      expect(writeTarget(target)).toBe(text);
    },
  );

  it.each(['', '/', 'locale', 'prod', 'a b/eu-west-1', 'prod/EU', 'prod/eu-west-1/9x', 'local:'])(
    '"%s" is refused with what to write',
    (text) => {
      expect(() => readTarget(text, 'SMS_TARGET', '/')).toThrow(
        `SMS_TARGET "${text}" names no pipeline. Expected local, local:<folder> or <profile>/<region>/`,
      );
    },
  );
});

describe('a command without options', () => {
  const deployed = {
    target: { local: false, profile: 'prod', region: 'eu-west-1', prefix: 'Sms' },
    from: 'SMS_TARGET',
  };
  const local = { target: { local: true, directory: '/runs/one' }, from: '/app/.smsrc' };

  it.each([
    [undefined, [], '//SmsPipeline', 'the defaults'],
    [deployed, [], 'prod/eu-west-1/Sms', 'SMS_TARGET'],
    [deployed, ['--region', 'us-east-1'], 'prod/us-east-1/Sms', 'options, then SMS_TARGET'],
    [deployed, ['--local'], 'local', 'options, then SMS_TARGET'],
    [local, [], 'local:/runs/one', '/app/.smsrc'],
    [local, ['--prefix', 'Other'], 'local:/runs/one', 'options, then /app/.smsrc'],
    [local, ['--profile', 'prod'], 'prod//SmsPipeline', 'options'],
    [local, ['--dir', '/runs/two'], 'local:/runs/two', 'options, then /app/.smsrc'],
  ])('with the default %j and %j works with %s', async (defaultTarget, options, target, chosenBy) => {
    const { out } = await commandLine({ defaultTarget }).sms('target', '--json', ...options);
    expect(JSON.parse(out)).toEqual({ target, chosenBy });
  });

  it('connects to the default pipeline', async () => {
    const line = commandLine({
      defaultTarget: deployed,
      connection: { outputs: async () => ({ Pipeline: { WebhookUrl: 'https://hook.example' } }) },
    });
    const { code, out } = await line.sms('outputs');
    expect(code).toBe(0);
    expect(out).toContain('Pipeline  WebhookUrl  https://hook.example');
    expect(line.targets).toMatchObject([
      { local: false, profile: 'prod', region: 'eu-west-1', prefix: 'Sms' },
    ]);
  });
});
