import { expect, it } from 'vitest';
import { readDeployArguments } from '../../../../../cli/commands/deploy/arguments.ts';

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
