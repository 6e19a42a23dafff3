import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../lib/app/read-settings.ts';
import {
  prefixOf,
  readPlan,
  refuseOwnSettings,
  settingsOf,
  useRegion,
} from '../../../../tools/acceptance/arguments.ts';

describe('the arguments of acceptance', () => {
  it.each([
    [[], { target: 'aws', isConfirmed: false, registrations: ['off'], events: 300, seed: 1 }],
    [['--yes', '--events', '1000'], { target: 'aws', isConfirmed: true, events: 1000 }],
    [['--local', '--seed', '7'], { target: 'local', registrations: ['off', 'on'], seed: 7 }],
    [['--emulator'], { target: 'emulator', registrations: ['off', 'on'] }],
    [
      ['--contract', 'c.json', '--api-key-secret', 'k'],
      { registrations: ['on'], contractFile: 'c.json', apiKeySecret: 'k' },
    ],
    [['--destroy', 'SmsAcceptance-0123abcd'], { kind: 'destroy', isConfirmed: false }],
    [['--destroy', 'SmsAcceptance-0123abcd', '--yes'], { kind: 'destroy', isConfirmed: true }],
    [['--help'], { kind: 'help' }],
  ])('%j are a plan', (args, plan) => {
    expect(readPlan(args)).toMatchObject(plan);
  });

  it.each([
    // The prefix of a team's pipeline, one that another begins with, and one that is no whole name.
    [['--destroy', 'SmsPipeline', '--yes'], '--destroy'],
    [['--destroy', 'SmsAcceptance-', '--yes'], '--destroy'],
    [['--destroy', 'SmsAcceptance-0123abcd-Storage'], '--destroy'],
    [['--destroy', 'SmsAcceptance-0123abcd', '--local'], '--destroy'],
    [['--api-key-secret', 'k'], '--contract'],
    [['--local', '--contract', 'c.json', '--api-key-secret', 'k'], '--local'],
    [['--local', '--emulator'], '--emulator'],
    [['--destroy', 'SmsAcceptance-0123abcd', '--emulator'], '--destroy'],
    [['--emulator', '--contract', 'c.json', '--api-key-secret', 'k'], '--emulator'],
    [['--events', '3'], '--events'],
    [['--keep'], '--keep'],
  ])('%j are refused', (args, named) => {
    expect(() => readPlan(args)).toThrow(named);
  });

  it('name the settings of a pipeline, which are valid', () => {
    const prefix = prefixOf('0123abcd');
    const settings = readSettings(settingsOf(prefix, 'off', { contractFile: 'c.json' }));
    expect(settings).toMatchObject({ stackPrefix: prefix, registration: 'off', contractFile: 'c.json' });
    expect(readSettings(settingsOf(prefix, 'on', { apiKeySecret: 'k' }))).toMatchObject({
      apiKeySecretName: 'k',
    });
    expect(() => prefixOf('../etc')).toThrow('not a prefix');
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
