import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  CfnVPC,
  DefaultInstanceTenancy,
  type IConnectable,
  InterfaceVpcEndpointAwsService,
  type ISecurityGroup,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  type SecurityGroupProps,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { describe, expect, it } from 'vitest';
import type { SmsPipeline, SmsPipelineProps } from '../../../lib/public/index.ts';
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
    'a VPC with dedicated tenancy',
    (stack) => ({
      vpc: new Vpc(stack, 'Vpc', { defaultInstanceTenancy: DefaultInstanceTenancy.DEDICATED }) as Vpc & IVpc,
    }),
    'functions.vpc: found a VPC with dedicated instance tenancy, expected one with the default tenancy',
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

  it.each<[string, (group: SecurityGroup) => void]>([
    ['another port', (group) => group.connections.allowToAnyIpv4(Port.tcp(80))],
    ['another protocol', (group) => group.connections.allowToAnyIpv4(Port.udp(443))],
    ['IPv6 only', (group) => group.connections.allowTo(Peer.anyIpv6(), Port.tcp(443))],
    ['another port to a group', (group) => group.connections.allowTo(groupOf(group), Port.tcp(80))],
  ])('bring a warning with a rule for %s', (_, changeGroup) => {
    withGroup(changeGroup).hasWarning('/Shop/Sms', warning);
  });

  it.each<[string, (group: SecurityGroup) => void]>([
    ['HTTPS', (group) => group.connections.allowToAnyIpv4(Port.tcp(443))],
    ['a range of ports', (group) => group.connections.allowToAnyIpv4(Port.tcpRange(400, 500))],
    ['everything', (group) => group.connections.allowTo(Peer.ipv4('10.0.0.0/8'), Port.allTraffic())],
    ['HTTPS to a group', (group) => group.connections.allowTo(groupOf(group), Port.tcp(443))],
  ])('bring none with a rule for %s', (_, changeGroup) => {
    withGroup(changeGroup).hasNoWarning('*', warning);
  });

  const groupOf = ({ stack }: SecurityGroup) =>
    groupIn(stack, stack.node.findChild('Vpc') as IVpc & Vpc, 'Other');
});

describe('a VPC without DNS', () => {
  const warning = Match.stringLikeRegexp('functions.vpc: the VPC has enableDnsSupport: false');
  it.each([true, false])('brings a warning (enableDnsSupport: %s)', (enableDnsSupport) => {
    const stack = newStack();
    const vpc = new Vpc(stack, 'Vpc', { enableDnsSupport, enableDnsHostnames: false }) as Vpc & IVpc;
    expect(vpc.node.defaultChild).toBeInstanceOf(CfnVPC);
    pipelineIn(stack, { functions: { vpc } });
    const annotations = Annotations.fromStack(stack);
    if (enableDnsSupport) annotations.hasNoWarning('*', warning);
    else annotations.hasWarning('/Shop/Sms', warning);
  });
});

describe('an interface endpoint that lets no function in', () => {
  const warning = Match.stringLikeRegexp(
    'security groups of these endpoints do not let the functions in.*: Shop/Vpc/Sqs. Allow',
  );
  const withEndpoint = (
    service: InterfaceVpcEndpointAwsService,
    open: boolean,
    change: (endpoint: IConnectable, pipeline: SmsPipeline) => void = () => undefined,
  ) => {
    const stack = newStack();
    const vpc = vpcIn(stack);
    const endpoint = vpc.addInterfaceEndpoint('Sqs', { service, open });
    change(endpoint, pipelineIn(stack, { functions: { vpc } }));
    return Annotations.fromStack(stack);
  };
  const { SQS, KINESIS_STREAMS } = InterfaceVpcEndpointAwsService;

  it('brings a warning, also beside a NAT gateway', () => {
    withEndpoint(SQS, false).hasWarning('/Shop/Sms', warning);
    withEndpoint(SQS, false, ({ connections }) =>
      connections.allowFrom(Peer.ipv4('10.0.0.0/16'), Port.tcp(80)),
    ).hasWarning('/Shop/Sms', warning);
  });

  it.each<[string, InterfaceVpcEndpointAwsService, boolean, Parameters<typeof withEndpoint>[2]]>([
    ['open', SQS, true, undefined],
    ['of a service that no function calls', KINESIS_STREAMS, false, undefined],
    [
      'that lets the pipeline in',
      SQS,
      false,
      (endpoint, pipeline) => endpoint.connections.allowFrom(pipeline, Port.tcp(443)),
    ],
    [
      'that lets the network in',
      SQS,
      false,
      (endpoint) => endpoint.connections.allowFrom(Peer.ipv4('10.0.0.0/16'), Port.tcp(443)),
    ],
  ])('brings none if it is one %s', (_, service, open, change) => {
    withEndpoint(service, open, change).hasNoWarning('*', Match.stringLikeRegexp('closed-endpoint'));
  });
});
