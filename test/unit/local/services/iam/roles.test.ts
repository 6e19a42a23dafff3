import { describe, expect, it } from 'vitest';
import {
  type CreateResource,
  deployStack,
  type Exports,
} from '../../../../../local/cloudformation/deploy-stack.ts';
import type { FunctionDefinition } from '../../../../../local/function-hosts/environment.ts';
import type { Caller } from '../../../../../local/iam/caller.ts';
import { logGroupCreator } from '../../../../../local/services/cloudwatch-logs/resources.ts';
import { policyCreator, roleCreator } from '../../../../../local/services/iam/resources.ts';
import { RoleRegistry } from '../../../../../local/services/iam/roles.ts';
import { inMemoryFunction } from '../../../../support/local-lambda.ts';
import { stackOf } from '../../../../support/resource-request.ts';

const definition: FunctionDefinition = {
  ...inMemoryFunction().definition,
  ...{ name: 'Pipeline-Worker', label: 'worker', accessKeyId: 'PipelineWorker' },
};

/** Deploys roles and policies; a function named Worker is made where the template has it. */
async function deploy(resources: object, exports: Exports = new Map()) {
  const callers: Caller[] = [];
  const access = {
    setCaller: async (caller: Caller) => void callers.push(caller),
    denialOf: async () => 'User: Lambda is not authorized',
  };
  const roles = new RoleRegistry(access);
  const creators: Record<string, CreateResource> = {
    'AWS::IAM::Role': roleCreator(roles),
    'AWS::IAM::Policy': policyCreator(roles),
    'AWS::Logs::LogGroup': logGroupCreator,
    'AWS::Lambda::Function': async ({ properties }) => {
      await roles.run(definition, String(properties.Role));
      return { ref: definition.name };
    },
  };
  const types = { creator: (type: string) => creators[type], isInert: () => false, note: () => {} };
  await deployStack(stackOf({ Resources: resources }), types, exports);
  const granted = () => callers.at(-1)?.policy.map(({ action, resource }) => `${action} on ${resource}`);
  return { callers, granted, roles };
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

  it.each([
    ['a managed policy', role({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] })],
    ['a boundary', role({ PermissionsBoundary: 'arn:aws:iam::aws:policy/Boundary' })],
  ])('stop the start with what is not supported: %s', async (_, given) => {
    await expect(deploy({ Role: given })).rejects.toThrow(/not supported on one machine/);
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
