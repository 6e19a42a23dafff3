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
  grantSubscribe: (stack, grantee) => void pipelineIn(stack).grantSubscribe(grantee, 'orders-'),
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

  it('brings a warning for a function that is imported without its role', () => {
    const stack = newStack();
    grant(
      stack,
      CdkFunction.fromFunctionArn(stack, 'Crm', `arn:aws:lambda:us-east-1:${env.account}:function:crm`),
    );
    const found = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
    const texts = found.map(({ entry }) => String(entry.data)).filter((text) => text.includes('role'));
    expect(texts).toEqual([
      expect.stringMatching(
        new RegExp(`^${method} has no effect for Shop/Crm: it is imported without its role. Import it with`),
      ),
    ]);
  });

  it.each([
    ['a session of a role', 'arn:aws:sts::111111111111:assumed-role/Ops/bob', 'the ARN of a role'],
    ['a user', 'arn:aws:iam::111111111111:user/bob', 'the ARN of a role'],
    [
      'a role of IAM Identity Center',
      'arn:aws:iam::111111111111:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Support_0123456789abcdef',
      'a role that the app may change',
    ],
    [
      'a service-linked role',
      'arn:aws:iam::111111111111:role/aws-service-role/sns.amazonaws.com/AWSServiceRoleForSNS',
      'a role that the app may change',
    ],
  ])('refuses %s', (_, arn, expected) => {
    const stack = newStack();
    expect(() => grant(stack, Role.fromRoleArn(stack, 'Role', arn))).toThrow(
      `Shop/Sms: ${method}: found ${arn}, expected ${expected}`,
    );
  });

  it('only warns of a role of IAM Identity Center that the app does not change', () => {
    const stack = newStack();
    const arn = 'arn:aws:iam::111111111111:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Support_0';
    grant(stack, Role.fromRoleArn(stack, 'Role', arn, { mutable: false }));
    Annotations.fromStack(stack).hasWarning('/Shop/Sms', warning);
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
