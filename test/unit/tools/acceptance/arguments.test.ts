import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../lib/app/read-settings.ts';
import {
  readPlan,
  refuseOwnSettings,
  settingsOf,
  stackNameOf,
  useRegion,
} from '../../../../tools/acceptance/arguments.ts';

describe('the arguments of acceptance', () => {
  it.each([
    [
      [],
      {
        target: 'aws',
        isConfirmed: false,
        events: 300,
        seed: 1,
        pipelines: [
          { registration: 'off', hasCustomerKey: false, hasConsole: false },
          { registration: 'off', hasCustomerKey: true, hasConsole: true, hasSandbox: false },
        ],
      },
    ],
    [['--yes', '--events', '1000'], { target: 'aws', isConfirmed: true, events: 1000 }],
    [
      ['--emulator', '--seed', '7'],
      {
        target: 'emulator',
        seed: 7,
        pipelines: [{ registration: 'off' }, { registration: 'on', hasConsole: true, hasSandbox: true }],
      },
    ],
    [
      ['--contract', 'c.json', '--api-key-secret', 'k'],
      {
        contractFile: 'c.json',
        apiKeySecret: 'k',
        pipelines: [{ registration: 'off' }, { registration: 'on', hasSandbox: false }],
      },
    ],
    [['--destroy', 'SmsAcceptance-0123abcd'], { kind: 'destroy', isConfirmed: false }],
    [['--destroy', 'SmsAcceptance-0123abcd', '--yes'], { kind: 'destroy', isConfirmed: true }],
    [['--help'], { kind: 'help' }],
  ])('%j are a plan', (args, plan) => {
    expect(readPlan(args)).toMatchObject(plan);
  });

  it.each([
    // The stack of a team's pipeline, one whose name begins like that of a run, and one that is no whole name.
    [['--destroy', 'SmsPipeline', '--yes'], '--destroy'],
    [['--destroy', 'SmsAcceptance-', '--yes'], '--destroy'],
    [['--destroy', 'SmsAcceptance-0123abcd-Storage'], '--destroy'],
    [['--api-key-secret', 'k'], '--contract'],
    [['--destroy', 'SmsAcceptance-0123abcd', '--emulator'], '--destroy'],
    [['--emulator', '--contract', 'c.json', '--api-key-secret', 'k'], '--emulator'],
    [['--events', '3'], '--events'],
    [['--keep'], '--keep'],
  ])('%j are refused', (args, named) => {
    expect(() => readPlan(args)).toThrow(named);
  });

  it('name the settings of a pipeline, which are valid', () => {
    const stackName = stackNameOf('0123abcd');
    const plan = readPlan(['--contract', 'c.json', '--api-key-secret', 'k']);
    if (plan.kind !== 'run') throw new Error('no run');
    const [plain, registered] = plan.pipelines.map((pipeline) =>
      readSettings(settingsOf(stackName, pipeline, plan)),
    );
    expect(plain).toMatchObject({ stackName, registration: 'off', contractFile: 'c.json' });
    // Only the sandbox may get contacts with made-up numbers.
    expect(registered).toMatchObject({
      apiKeySecretName: 'k',
      encryptionKey: 'customer',
      contactSync: 'off',
    });
    expect(() => stackNameOf('../etc')).toThrow('not the name of a run');
  });

  it('need a region, and a clone without settings', () => {
    expect(useRegion({ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-east-1' })).toBe('eu-west-1');
    const env: Record<string, string> = { AWS_DEFAULT_REGION: 'us-east-1' };
    expect(useRegion(env)).toBe('us-east-1');
    expect(env.AWS_REGION).toBe('us-east-1');
    expect(() => useRegion({ AWS_REGION: '' })).toThrow('AWS_REGION');
    refuseOwnSettings({ '@aws-cdk/core:flag': true });
    expect(() => refuseOwnSettings({ 'sms:exportToS3': 'daily' })).toThrow('sms:exportToS3');
  });
});
