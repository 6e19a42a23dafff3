import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  type ISecurityGroup,
  type IVpc,
  Port,
  SecurityGroup,
  type SecurityGroupProps,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { describe, expect, it } from 'vitest';
import type { SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

type Functions = NonNullable<SmsPipelineProps['functions']>;

const env = { account: '111122223333', region: 'eu-west-1' };
const newStack = () => new Stack(quickApp(), 'Shop', { env });
// The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
const vpcIn = (stack: Stack, id = 'Vpc') => new Vpc(stack, id) as Vpc & IVpc;
const groupIn = (stack: Stack, vpc: IVpc, id = 'Group', props: Partial<SecurityGroupProps> = {}) =>
  new SecurityGroup(stack, id, { vpc, ...props }) as SecurityGroup & ISecurityGroup;

it.each<[string, (stack: Stack) => Functions, string]>([
  [
    'a VPC of another region',
    (stack) => ({ vpc: vpcIn(new Stack(stack.node.scope, 'Far', { env: { ...env, region: 'us-east-1' } })) }),
    'functions.vpc: found a VPC in us-east-1, expected one in eu-west-1',
  ],
  [
    'an imported VPC without subnets',
    (stack) => ({
      vpc: Vpc.fromVpcAttributes(stack, 'Vpc', { vpcId: 'vpc-1', availabilityZones: ['eu-west-1a'] }),
    }),
    'functions.vpc: found a VPC without known private subnets, expected privateSubnetIds, or functions.subnets',
  ],
  [
    'a group of subnets that does not exist',
    (stack) => ({ vpc: vpcIn(stack), subnets: { subnetGroupName: 'nope' } }),
    "functions.subnets: found a selection that CDK refuses (There are no subnet groups with name 'nope' in this VPC",
  ],
  [
    'a type of subnets that does not exist',
    (stack) => ({ vpc: vpcIn(stack), subnets: { subnetType: 'PRIVATE' as SubnetType } }),
    'functions.subnets: found an unknown subnetType, expected a selection of subnets that the VPC has',
  ],
  [
    'no subnet',
    (stack) => ({ vpc: vpcIn(stack), subnets: { subnets: [] } }),
    'functions.subnets: found a selection without subnets, expected',
  ],
  [
    'a zone that the VPC is not in',
    (stack) => ({ vpc: vpcIn(stack), subnets: { availabilityZones: ['us-east-1z'] } }),
    'functions.subnets: found a selection without subnets, expected',
  ],
  [
    'subnets of another VPC',
    (stack) => ({ vpc: vpcIn(stack), subnets: { subnets: vpcIn(stack, 'Other').privateSubnets } }),
    'functions.subnets: found a subnet of another VPC, expected subnets of functions.vpc',
  ],
  [
    'a security group of another VPC',
    (stack) => ({ vpc: vpcIn(stack), securityGroups: [groupIn(stack, vpcIn(stack, 'Other'))] }),
    'functions.securityGroups: found a group of another VPC, expected groups of functions.vpc',
  ],
  [
    'an empty list of security groups',
    (stack) => ({ vpc: vpcIn(stack), securityGroups: [] }),
    'functions.securityGroups: found an empty list, expected a security group',
  ],
  [
    'six security groups',
    (stack) => {
      const vpc = vpcIn(stack);
      return { vpc, securityGroups: [1, 2, 3, 4, 5, 6].map((id) => groupIn(stack, vpc, `Group${id}`)) };
    },
    'functions.securityGroups: found 6 groups, expected at most 5, as Lambda does',
  ],
])('%s is refused', (_, functionsIn, line) => {
  const stack = newStack();
  expect(() => pipelineIn(stack, { functions: functionsIn(stack) })).toThrow(line);
});

it('subnets and groups of the VPC are accepted, also of one that is looked up', () => {
  const stack = newStack();
  const vpc = vpcIn(stack);
  pipelineIn(stack, {
    functions: {
      vpc,
      subnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [groupIn(stack, vpc)],
    },
  });
  const other = newStack();
  pipelineIn(other, { functions: { vpc: Vpc.fromLookup(other, 'Vpc', { vpcName: 'main' }) } });
});

describe('security groups that let nothing out', () => {
  const warning = Match.stringLikeRegexp('functions.securityGroups.*no outbound traffic');
  const withGroup = (changeGroup: (group: SecurityGroup) => void = () => undefined) => {
    const stack = newStack();
    const vpc = vpcIn(stack);
    const group = groupIn(stack, vpc, 'Group', { allowAllOutbound: false });
    pipelineIn(stack, { functions: { vpc, securityGroups: [group] } });
    // Rules may be added after the pipeline.
    changeGroup(group);
    return Annotations.fromStack(stack);
  };

  it('bring a warning', () => {
    withGroup().hasWarning('/Shop/Sms', warning);
  });

  it('bring none with a rule', () => {
    withGroup((group) => group.connections.allowToAnyIpv4(Port.tcp(443))).hasNoWarning('*', warning);
  });
});
