import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { unprotectFailed } from '../../../../../cli/commands/deploy/deployed-account.ts';
import { answering, anyAccount } from '../../support/aws.ts';

it.each([
  ['ROLLBACK_COMPLETE', true, true],
  ['ROLLBACK_FAILED', true, true],
  ['ROLLBACK_COMPLETE', false, false],
  ['CREATE_COMPLETE', true, false],
  ['UPDATE_ROLLBACK_COMPLETE', true, false],
])(
  'of a stack that is %s, protected: %j, the protection is removed: %j',
  async (status, isProtected, removed) => {
    const calls: string[] = [];
    const client = answering(new CloudFormationClient(anyAccount), (command, input) => {
      calls.push(`${command} ${input.EnableTerminationProtection ?? ''}`);
      return { Stacks: [{ StackStatus: status, EnableTerminationProtection: isProtected }] };
    });
    expect(await unprotectFailed(client, 'SmsPipeline')).toBe(removed);
    const removal = removed ? ['UpdateTerminationProtectionCommand false'] : [];
    expect(calls.map((call) => call.trim())).toEqual(['DescribeStacksCommand', ...removal]);
  },
);
