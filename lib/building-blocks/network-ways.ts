import { Annotations } from 'aws-cdk-lib';
import {
  CfnRoute,
  CfnSecurityGroup,
  CfnSecurityGroupEgress,
  CfnVPCEndpoint,
  type ISecurityGroup,
  type ISubnet,
  SecurityGroup,
  Subnet,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { PipelineOptions } from '../options/options.ts';

/** A service of AWS that functions call, and the endpoint that is a way to it. */
interface Service {
  /** The end of the endpoint's service name. */
  readonly name: string;
  /** What adds the endpoint to a VPC. */
  readonly call: string;
  isNeeded(options: PipelineOptions): boolean;
}

const gateway = (name: string, isNeeded: Service['isNeeded']): Service => ({
  name,
  call: `vpc.addGatewayEndpoint(id, { service: GatewayVpcEndpointAwsService.${name.toUpperCase()} })`,
  isNeeded,
});

const interfaceOf = (name: string, constant: string, isNeeded: Service['isNeeded']): Service => ({
  name,
  call: `vpc.addInterfaceEndpoint(id, { service: InterfaceVpcEndpointAwsService.${constant} })`,
  isNeeded,
});

const always = () => true;

/** docs/reference/props.md, "Functions in a VPC", has the same table. */
const services: readonly Service[] = [
  gateway('dynamodb', always),
  interfaceOf('sqs', 'SQS', always),
  interfaceOf('secretsmanager', 'SECRETS_MANAGER', always),
  interfaceOf('events', 'EVENTBRIDGE', always),
  interfaceOf(
    'sns',
    'SNS',
    ({ automations }) => automations.failureAlert !== undefined || automations.optOutContacts !== undefined,
  ),
  interfaceOf('monitoring', 'CLOUDWATCH_MONITORING', (options) => options.console !== undefined),
  gateway('s3', ({ registration }) => registration),
];

/** Returns whether functions call the SMS service, to which no endpoint is a way. */
function callsSmsService({ registration, lookups, automations }: PipelineOptions): boolean {
  const { optOutContacts, contactSync, billingWatch } = automations;
  return (
    registration ||
    lookups ||
    optOutContacts !== undefined ||
    contactSync !== undefined ||
    billingWatch === true
  );
}

/**
 * Warns if the subnets of the functions have no way to what the functions call. Only a VPC of the app is known: one that is imported may have endpoints
 * and routes of its own. Call it at synth, because endpoints and routes may be added after the pipeline.
 *
 * @param sources the options of each source
 */
export function warnOfMissingWays(pipeline: Construct, sources: readonly PipelineOptions[]): void {
  const [main] = sources;
  if (main === undefined) return;
  const { vpc, subnets: selection } = main.functions;
  if (!(vpc instanceof Vpc) || vpc.vpnGatewayId !== undefined) return;
  const { subnets } = vpc.selectSubnets(selection);
  const all = pipeline.node.root.node.findAll();
  const routes = all.filter((node) => node instanceof CfnRoute);
  const closed = subnets.filter((subnet) => subnet instanceof Subnet && !hasOwnWay(subnet, routes));
  if (closed.length === 0) return;
  const endpoints = all
    .filter((node) => node instanceof CfnVPCEndpoint)
    .filter(({ vpcId }) => vpcId === vpc.vpcId);
  const missing = services.filter(
    ({ name, isNeeded }) =>
      sources.some(isNeeded) &&
      !closed.every((subnet) => endpoints.some((endpoint) => leadsTo(endpoint, name, subnet))),
  );
  const isServiceCalled = sources.some(callsSmsService);
  if (missing.length === 0 && !isServiceCalled) return;
  const found = closed.map((subnet) => subnet.node.path).join(', ');
  const ways = [
    ...(isServiceCalled
      ? ['To the SMS service only a NAT gateway leads, which is then enough for all.']
      : []),
    ...(missing.length === 0
      ? []
      : [
          `${isServiceCalled ? 'Without calls to it, add' : 'Add a NAT gateway, or'} ${missing.map(({ call }) => call).join(', ')}.`,
        ]),
  ];
  Annotations.of(pipeline).addWarningV2(
    'sms-pipeline:vpc-without-way',
    `functions.vpc: the functions cannot reach what they call, because these subnets have no NAT gateway and not every endpoint: ${found}. Requests would get 503. ${ways.join(' ')} docs/reference/props.md, "Functions in a VPC".`,
  );
}

/**
 * Warns if the security groups of the functions let nothing out. A group that is imported may have rules of its own. Call it at synth, because rules may
 * be added after the pipeline.
 */
export function warnOfClosedGroups(pipeline: Construct, { functions }: PipelineOptions): void {
  const { securityGroups = [] } = functions;
  const rules = pipeline.node.root.node.findAll().filter((node) => node instanceof CfnSecurityGroupEgress);
  const isClosed = (group: ISecurityGroup) =>
    group instanceof SecurityGroup &&
    !group.allowAllOutbound &&
    !rules.some(({ groupId }) => groupId === group.securityGroupId) &&
    isWithoutRule(group);
  if (securityGroups.length > 0 && securityGroups.every(isClosed))
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:no-outbound',
      'functions.securityGroups: the groups allow no outbound traffic, so that the functions reach nothing and requests would get 503. Allow HTTPS: group.connections.allowToAnyIpv4(Port.tcp(443)), or leave out allowAllOutbound: false.',
    );
}

/** CDK gives a group without rules one that matches nothing, because without any rule EC2 would allow everything. */
function isWithoutRule({ node, stack }: SecurityGroup): boolean {
  const { defaultChild } = node;
  if (!(defaultChild instanceof CfnSecurityGroup)) return false;
  const rules: unknown = stack.resolve(defaultChild.securityGroupEgress) ?? [];
  return [rules].flat().every((rule) => JSON.stringify(rule).includes('255.255.255.255/32'));
}

/** Returns whether the route table of a subnet leads out of the VPC. An internet gateway is no way for a function, which has no public address. */
function hasOwnWay({ routeTable }: ISubnet, routes: readonly CfnRoute[]): boolean {
  return routes.some(
    ({ routeTableId, gatewayId }) => routeTableId === routeTable.routeTableId && gatewayId === undefined,
  );
}

/** Returns whether an endpoint is a way from a subnet to a service. */
function leadsTo(endpoint: CfnVPCEndpoint, service: string, { routeTable }: ISubnet): boolean {
  const { serviceName, vpcEndpointType, privateDnsEnabled, routeTableIds, stack } = endpoint;
  if (!JSON.stringify(stack.resolve(serviceName)).includes(`.${service}"`)) return false;
  // The functions call the public name of the service, which leads to an interface endpoint only with private DNS.
  return vpcEndpointType === 'Interface'
    ? privateDnsEnabled === true
    : routeTableIds?.includes(routeTable.routeTableId) === true;
}
