import { Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Port, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { Automation, Contract, type FunctionsProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, problemsOf, stackWith } from '../support/own-pipeline.ts';

const functionsIn = (stack: Stack) =>
  Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => Properties,
  );

const shop = () => new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });

const vpcIn = (stack: Stack) =>
  Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: 'vpc-1',
    availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    privateSubnetIds: ['subnet-1', 'subnet-2'],
    isolatedSubnetIds: ['subnet-3', 'subnet-4'],
  });

describe('functions', () => {
  it('have the given memory, unless they need more', () => {
    const memoryOf = (memorySize: number) =>
      functionsIn(stackWith({ functions: { memorySize } }).stack).map(({ MemorySize }) => MemorySize);
    expect(new Set(memoryOf(768))).toEqual(new Set([768, 1024]));
    expect(new Set(memoryOf(2048))).toEqual(new Set([2048]));
  });

  it('have the given architecture', () => {
    const { stack } = stackWith({ functions: { architecture: Architecture.X86_64 } });
    for (const { Architectures } of functionsIn(stack)) expect(Architectures).toEqual(['x86_64']);
  });

  it.each<[string, FunctionsProps, string]>([
    [
      'too little memory',
      { memorySize: 128 },
      'functions.memorySize: found 128, expected a whole number of MB from 256 to 10240',
    ],
    [
      'an architecture that is a text',
      { architecture: 'arm64' as never },
      'functions.architecture: found a text, expected Architecture.ARM_64 or Architecture.X86_64',
    ],
    ['a VPC that is an id', { vpc: 'vpc-1' as never }, 'functions.vpc: found a text, expected a VPC'],
    [
      'subnets without a VPC',
      { subnets: { subnetType: SubnetType.PRIVATE_ISOLATED } },
      'functions.subnets: found a value, expected nothing without functions.vpc',
    ],
    [
      'public subnets, for which the CDK would name a prop that does not exist here',
      {
        vpc: Vpc.fromVpcAttributes(new Stack(), 'Public', {
          vpcId: 'vpc-1',
          availabilityZones: ['eu-west-1a'],
          publicSubnetIds: ['subnet-9'],
        }),
      },
      'functions.subnets: found public subnets, expected private ones, for example { subnetType',
    ],
  ])('refuse %s', (_, functions, problem) => {
    expect(problemsOf({ functions })).toContainEqual(expect.stringContaining(problem));
  });
});

describe('functions in a VPC', () => {
  const stack = shop();
  const pipeline = pipelineIn(stack, {
    functions: { vpc: vpcIn(stack) },
    tracing: true,
    automations: [Automation.failureAlert()],
  });
  pipeline.addSource('backup', { contract: Contract.preset('vonage-sms') });

  it('are in its private subnets, with one security group of the pipeline', () => {
    const groups = Object.keys(Template.fromStack(stack).findResources('AWS::EC2::SecurityGroup'));
    expect(groups).toHaveLength(1);
    const functions = functionsIn(stack);
    expect(functions.length).toBeGreaterThan(9);
    for (const { VpcConfig } of functions)
      expect(VpcConfig).toEqual({
        SubnetIds: ['subnet-1', 'subnet-2'],
        SecurityGroupIds: [{ 'Fn::GetAtt': [groups[0], 'GroupId'] }],
      });
  });

  it('have roles that may make network interfaces, without a managed policy', () => {
    const template = Template.fromStack(stack);
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role')))
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    const allowed = template.findResources('AWS::IAM::Policy', {
      Properties: {
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({
              Action: Match.arrayWith(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
            }),
          ]),
        },
      },
    });
    expect(Object.keys(allowed)).toHaveLength(functionsIn(stack).length);
  });

  it('leave the network interfaces of the account to Lambda: the code of a function may not call EC2', () => {
    const denied = Template.fromStack(stack).findResources('AWS::IAM::Policy', {
      Properties: {
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({
              Effect: 'Deny',
              Action: Match.arrayWith(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
              Condition: { ArnLike: { 'lambda:SourceFunctionArn': Match.anyValue() } },
            }),
          ]),
        },
      },
    });
    expect(Object.keys(denied)).toHaveLength(functionsIn(stack).length);
  });

  it('may be let into an endpoint by the connections of the pipeline', () => {
    const own = shop();
    const vpc = vpcIn(own);
    const guarded = new SecurityGroup(own, 'Guarded', { vpc });
    guarded.connections.allowFrom(pipelineIn(own, { functions: { vpc } }), Port.tcp(443));
    Template.fromStack(own).hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
      FromPort: 443,
      SourceSecurityGroupId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^SmsSecurityGroup'), 'GroupId'] },
    });
    // With --strict a warning fails the synthesis.
    Annotations.fromStack(own).hasNoWarning('*', Match.stringLikeRegexp('Egress'));
  });

  it('have a secret whose resource can be changed', () => {
    const { pipeline } = stackWith();
    (pipeline.webhookSecret.node.defaultChild as CfnSecret).addPropertyOverride('Name', 'sms/webhook');
    Template.fromStack(Stack.of(pipeline)).hasResourceProperties('AWS::SecretsManager::Secret', {
      Name: 'sms/webhook',
    });
  });

  it('have no finding of cdk-nag', () => {
    const app = quickApp();
    const own = new Stack(app, 'Shop');
    pipelineIn(own, { functions: { vpc: vpcIn(own) }, tracing: true, alarms: { enabled: false } });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    expect(() => app.synth()).not.toThrow();
  });

  it('are in the given subnets, with the given security groups', () => {
    const own = shop();
    const vpc = vpcIn(own);
    const group = SecurityGroup.fromSecurityGroupId(own, 'Group', 'sg-1');
    const sms = pipelineIn(own, {
      functions: { vpc, securityGroups: [group], subnets: { subnetType: SubnetType.PRIVATE_ISOLATED } },
    });
    for (const { VpcConfig } of functionsIn(own))
      expect(VpcConfig).toEqual({ SubnetIds: ['subnet-3', 'subnet-4'], SecurityGroupIds: ['sg-1'] });
    Template.fromStack(own).resourceCountIs('AWS::EC2::SecurityGroup', 0);
    expect(sms.connections.securityGroups).toEqual([group]);
  });
});

it('a pipeline in no VPC has no connections, and says what they need', () => {
  const { pipeline, stack } = stackWith();
  expect(() => pipeline.connections).toThrow('Shop/Sms: connections needs functions: { vpc }');
  for (const properties of functionsIn(stack)) expect(properties).not.toHaveProperty('VpcConfig');
});
