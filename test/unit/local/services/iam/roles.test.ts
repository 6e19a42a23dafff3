import { describe, expect, it } from 'vitest';
import {
  type CreateResource,
  deployStack,
  type Exports,
} from '../../../../../local/cloudformation/deploy-stack.ts';
import type { FunctionDefinition } from '../../../../../local/function-hosts/environment.ts';
import type { Caller } from '../../../../../local/iam/caller.ts';
import { logGroupCreator } from '../../../../../local/services/cloudwatch-logs/resources.ts';
import {
  managedPolicyCreator,
  policyCreator,
  roleCreator,
} from '../../../../../local/services/iam/resources.ts';
import { RoleRegistry } from '../../../../../local/services/iam/roles.ts';
import { inMemoryFunction } from '../../../../support/local-lambda.ts';
import { stackOf } from '../../../../support/resource-request.ts';

const definition: FunctionDefinition = {
  ...inMemoryFunction().definition,
  name: 'Pipeline-Worker',
  label: 'worker',
  accessKeyId: 'PipelineWorker',
};

/** Deploys roles and policies; a function named Worker is made where the template has it. */
async function deploy(resources: object, exports: Exports = new Map()) {
  const callers: Caller[] = [];
  const notes: string[] = [];
  const access = {
    setCaller: async (caller: Caller) => void callers.push(caller),
    denialOf: async () => 'User: Lambda is not authorized',
  };
  const roles = new RoleRegistry(access);
  const creators: Record<string, CreateResource> = {
    'AWS::IAM::Role': roleCreator(roles),
    'AWS::IAM::ManagedPolicy': managedPolicyCreator(roles),
    'AWS::IAM::Policy': policyCreator(roles),
    'AWS::Logs::LogGroup': logGroupCreator,
    'AWS::Lambda::Function': async ({ properties }) => {
      await roles.run(definition, String(properties.Role));
      return { ref: definition.name };
    },
  };
  const types = {
    creator: (type: string) => creators[type],
    isInert: () => false,
    note: (line: string) => void notes.push(line),
  };
  await deployStack(stackOf({ Resources: resources }), types, exports);
  const granted = () => callers.at(-1)?.policy.map(({ action, resource }) => `${action} on ${resource}`);
  return { callers, granted, notes, roles };
}

const policyOf = (Action: unknown, Resource: unknown) => {
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] };
};
const role = (Properties: object = {}) => ({ Type: 'AWS::IAM::Role', Properties });
const attached = (document: object) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyName: 'P', PolicyDocument: document, Roles: [{ Ref: 'Role' }] },
});
const worker = (DependsOn: string[] = []) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } },
  DependsOn,
});

describe('roles of a template', () => {
  it('have their own and attached policies, with references resolved', async () => {
    const { callers, granted } = await deploy(
      {
        Logs: { Type: 'AWS::Logs::LogGroup' },
        Role: role({
          Policies: [
            {
              PolicyName: 'Inline',
              PolicyDocument: policyOf('logs:PutLogEvents', { 'Fn::GetAtt': ['Logs', 'Arn'] }),
            },
          ],
        }),
        Policy: attached(
          policyOf(
            ['dynamodb:GetItem', 'dynamodb:PutItem'],
            [{ 'Fn::Join': ['', [{ 'Fn::ImportValue': 'History' }, '/index/byNumber']] }],
          ),
        ),
        Worker: worker(['Policy']),
      },
      new Map([['History', 'arn:table']]),
    );
    expect(granted()).toEqual([
      'logs:PutLogEvents on arn:aws:logs:us-east-1:000000000000:log-group:Pipeline-Logs:*',
      'dynamodb:GetItem on arn:table/index/byNumber',
      'dynamodb:PutItem on arn:table/index/byNumber',
    ]);
    expect(callers[0]?.principalArn).toBe(
      'arn:aws:sts::000000000000:assumed-role/Pipeline-Role/Pipeline-Worker',
    );
  });

  it('accept a policy that is attached after the function started', async () => {
    const { granted } = await deploy({
      Role: role(),
      Worker: worker(),
      Policy: attached(policyOf('sqs:SendMessage', 'queue')),
    });
    expect(granted()).toEqual(['sqs:SendMessage on queue']);
  });

  it('have the managed policies of AWS and of the app', async () => {
    const aws = 'arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole';
    const { granted, notes } = await deploy({
      Own: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { PolicyDocument: policyOf('sns:Publish', 'topic') },
      },
      Role: role({ ManagedPolicyArns: [aws, { Ref: 'Own' }] }),
      Worker: worker(),
    });
    expect(granted()).toEqual([
      'logs:CreateLogGroup on *',
      'logs:CreateLogStream on *',
      'logs:PutLogEvents on *',
      'sqs:DeleteMessage on *',
      'sqs:GetQueueAttributes on *',
      'sqs:ReceiveMessage on *',
      'sns:Publish on topic',
    ]);
    expect(notes).toEqual([]);
  });

  it.each([
    [
      { ManagedPolicyArns: ['arn:aws:iam::aws:policy/Other'] },
      'one machine does not know the policy arn:aws:iam::aws:policy/Other',
    ],
    [
      { PermissionsBoundary: 'arn:aws:iam::aws:policy/Boundary' },
      'PermissionsBoundary has no effect on one machine',
    ],
  ])('name what has no effect: %j', async (properties, line) => {
    const { notes } = await deploy({ Role: role(properties) });
    expect(notes).toEqual([expect.stringContaining(line)]);
  });

  it('stop the start if Lambda lacks a permission', async () => {
    const { roles } = await deploy({ Role: role(), Worker: worker() });
    await expect(roles.require(definition, [])).rejects.toThrow('is not authorized');
  });

  it('reject two functions with the same access key id', async () => {
    await expect(deploy({ Role: role(), Worker: worker(), Other: worker() })).rejects.toThrow(
      'PipelineWorker',
    );
  });
});
