import { describe, expect, it } from 'vitest';
import type { TargetSources } from '../../../../cli/target/choose-target.ts';
import { commandLine } from '../support/harness.ts';

const deployed = {
  target: { local: false, profile: 'prod', region: 'eu-west-1', stack: 'Sms' },
  from: '/app/.smsrc',
};
const ofApp = {
  target: { local: false, profile: 'prod', region: 'eu-west-1', stack: 'App:Sms' },
  from: 'SMS_TARGET',
};
const regionOnly = { target: { local: false, region: 'eu-west-1' }, from: 'SMS_TARGET' };
const local = { target: { local: true, directory: '/runs/one' }, from: '/app/.smsrc' };
const project = { target: { stack: 'Shop' }, from: 'sms:stackName in /app' };

describe('the pipeline of a command', () => {
  it.each<[TargetSources, string[], target: string, stack: string, chosenBy: string]>([
    [{}, [], '//SmsPipeline', 'SmsPipeline', 'the defaults'],
    [{ project }, [], '//Shop', 'Shop', 'sms:stackName in /app'],
    // The stack of the app is that of every pipeline that names none.
    [{ project }, ['--local'], 'local', 'Shop', 'options, then sms:stackName in /app'],
    [{ named: local, project }, [], 'local:/runs/one', 'Shop', '/app/.smsrc, then sms:stackName in /app'],
    [{ named: regionOnly, project }, [], '/eu-west-1/Shop', 'Shop', 'SMS_TARGET, then sms:stackName in /app'],
    [{ named: deployed, project }, [], 'prod/eu-west-1/Sms', 'Sms', '/app/.smsrc'],
    [{ project }, ['--stack', 'Other'], '//Other', 'Other', 'options'],
    [
      { named: deployed },
      ['--region', 'us-east-1'],
      'prod/us-east-1/Sms',
      'Sms',
      'options, then /app/.smsrc',
    ],
    [
      { named: local },
      ['--local', '--stack', 'Other'],
      'local:/runs/one',
      'Other',
      'options, then /app/.smsrc',
    ],
    [{ named: local }, ['--local'], 'local:/runs/one', 'SmsPipeline', 'options, then /app/.smsrc'],
    [{ named: local }, ['--dir', '/runs/two'], 'local:/runs/two', 'SmsPipeline', 'options'],
    // Options of the other kind: nothing of the named pipeline is used.
    [{ named: deployed }, ['--local'], 'local', 'SmsPipeline', 'options'],
    [{ named: deployed }, ['--dir', '/runs/two'], 'local:/runs/two', 'SmsPipeline', 'options'],
    [{ named: local }, ['--profile', 'prod'], 'prod//SmsPipeline', 'SmsPipeline', 'options'],
    [{ named: local }, ['--stack', 'App'], 'local:/runs/one', 'App', 'options, then /app/.smsrc'],
    // Another profile is another account, with stacks of its own.
    [{ named: deployed }, ['--profile', 'dev'], 'dev//SmsPipeline', 'SmsPipeline', 'options'],
    [{ named: deployed }, ['--profile', 'prod'], 'prod/eu-west-1/Sms', 'Sms', 'options, then /app/.smsrc'],
    // A stack is a part of the target.
    [{ named: ofApp, project }, [], 'prod/eu-west-1/App:Sms', 'App:Sms', 'SMS_TARGET'],
    [{ named: ofApp }, ['--stack', 'Sms'], 'prod/eu-west-1/Sms', 'Sms', 'options, then SMS_TARGET'],
    [{ named: deployed }, ['--stack', 'App:'], 'prod/eu-west-1/App:', 'App:', 'options, then /app/.smsrc'],
  ])('with %j and %j is %s', async (targetSources, options, target, stack, chosenBy) => {
    const { sms } = commandLine({ targetSources });
    expect(JSON.parse((await sms('target', '--json', ...options)).out)).toEqual({ target, chosenBy });
    expect((await sms('target', ...options)).out).toMatch(new RegExp(`^Stack +${stack}$`, 'm'));
  });

  it('is the one that the command connects to', async () => {
    const connection = { outputs: async () => ({ WebhookUrl: 'https://hook.example' }) };
    const line = commandLine({ targetSources: { named: ofApp }, connection });
    expect((await line.sms('outputs')).out).toMatch(/^OUTPUT +VALUE\nWebhookUrl +https:\/\/hook\.example\n$/);
    expect(line.targets).toEqual([{ ...ofApp.target, directory: '.local' }]);
  });
});

it('a stack is named, and an ARN is refused', async () => {
  const arn = 'arn:aws:cloudformation:us-east-1:111122223333:stack/SmsPipeline/1';
  const { code, err } = await commandLine({}).sms('outputs', '--stack', arn);
  expect([code, err]).toEqual([2, expect.stringContaining('Expected the name of a stack, not its ARN')]);
});

it('a target that is chosen is the whole one: options beside it are refused', async () => {
  const { code, err } = await commandLine({}).sms('target', 'local', '--region', 'eu-west-1');
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('so leave out --region: local, local:<folder> or'),
  ]);
});

describe('AWS_PROFILE', () => {
  const targetSources = { named: deployed, awsProfile: 'dev' };

  it('that contradicts it is named with both profiles as words of a shell', async () => {
    const named = { ...deployed, target: { ...deployed.target, profile: '$(id);x' } };
    const { err } = await commandLine({ targetSources: { named, awsProfile: 'a b' } }).sms('outputs');
    expect(err).toContain("Add --profile '$(id);x' or --profile 'a b', or type: unset AWS_PROFILE\n");
  });

  it.each([
    ['outputs'],
    ['person', 'erase', '+12025550143', '--confirm'],
    ['outputs', '--region', 'us-east-1'],
  ])('that contradicts the named profile stops %s %s', async (...words) => {
    const line = commandLine({ targetSources });
    const { code, err } = await line.sms(...words);
    expect([code, line.targets]).toEqual([1, []]);
    expect(err).toBe(
      'error: AWS_PROFILE is "dev", but /app/.smsrc names the profile "prod". Add --profile prod or --profile dev, or type: unset AWS_PROFILE\n',
    );
  });

  it.each([
    [targetSources, ['--profile', 'prod'], 'prod/eu-west-1/Sms'],
    [targetSources, ['--profile', 'dev'], 'dev//SmsPipeline'],
    [targetSources, ['--local'], 'local'],
    [{ ...targetSources, awsProfile: 'prod' }, [], 'prod/eu-west-1/Sms'],
    [{ ...targetSources, named: regionOnly }, [], '/eu-west-1/SmsPipeline'],
  ])('of %j with %j leaves %s', async (sources, options, target) => {
    const { out } = await commandLine({ targetSources: sources }).sms('target', '--json', ...options);
    expect(JSON.parse(out)).toMatchObject({ target });
  });
});
