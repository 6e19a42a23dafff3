import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  AccountPrincipal,
  AccountRootPrincipal,
  CfnRole,
  type IGrantable,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Function as CdkFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { SmsPipeline } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const env = { account: '111111111111', region: 'us-east-1' };
const newStack = () => new Stack(quickApp(), 'Shop', { env });
const roleOf =
  (account: string, mutable = true) =>
  (stack: Stack) =>
    Role.fromRoleArn(stack, 'Role', `arn:aws:iam::${account}:role/support`, { mutable });

const grants: Readonly<Record<string, (stack: Stack, grantee: IGrantable) => void>> = {
  grantQuery: (stack, grantee) => void pipelineIn(stack).grantQuery(grantee),
  grantSubscribe: (stack, grantee) => void pipelineIn(stack).grantSubscribe(grantee),
  'grantQuery of a pipeline in another app': (stack, grantee) =>
    void SmsPipeline.fromAttributes(stack, 'Sms', {
      pipelineName: 'sms',
      eventBusName: 'sms-bus',
      apiId: 'abc123',
      alarms: { enabled: false },
    }).grantQuery(grantee),
};

describe.each(Object.entries(grants))('%s', (name, grant) => {
  const [method = ''] = name.split(' ');
  const warning = Match.stringLikeRegexp(`${method} has no effect for .*Add the statement`);

  it.each<[string, (stack: Stack) => IGrantable]>([
    ['a role of another account', roleOf('222222222222')],
    ['a role that the app may not change', roleOf(env.account, false)],
    ['a service', () => new ServicePrincipal('lambda.amazonaws.com')],
    ['an account', () => new AccountPrincipal(env.account)],
  ])('brings a warning for %s, because no policy allows it', (_, grantee) => {
    const stack = newStack();
    grant(stack, grantee(stack));
    Annotations.fromStack(stack).hasWarning('/Shop/Sms', warning);
  });

  it.each<[string, (stack: Stack) => IGrantable]>([
    ['a role of the app', (stack) => new Role(stack, 'Role', { assumedBy: new AccountRootPrincipal() })],
    ['an imported role of the account', roleOf(env.account)],
    [
      'a function',
      (stack) =>
        new CdkFunction(stack, 'Function', {
          runtime: Runtime.NODEJS_24_X,
          handler: 'index.handler',
          code: Code.fromInline('x'),
        }),
    ],
  ])('brings none for %s', (_, grantee) => {
    const stack = newStack();
    grant(stack, grantee(stack));
    Annotations.fromStack(stack).hasNoWarning('*', warning);
  });

  it.each<[string, (stack: Stack) => unknown]>([
    ['arn:aws:iam::111111111111:role/support', () => 'arn:aws:iam::111111111111:role/support'],
    ['undefined', () => undefined],
    ['an object', (stack) => new CfnRole(stack, 'Role', { assumeRolePolicyDocument: {} })],
    ['an object', (stack) => new Construct(stack, 'Other')],
  ])('refuses %s by the name of the method', (found, grantee) => {
    const stack = newStack();
    expect(() => grant(stack, grantee(stack) as IGrantable)).toThrow(
      `Shop/Sms: ${method}: found ${found}, expected a role or a function`,
    );
  });
});
