import { Annotations } from 'aws-cdk-lib';
import {
  CfnRoute,
  CfnSecurityGroup,
  CfnSecurityGroupEgress,
  CfnSecurityGroupIngress,
  CfnVPC,
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
 * Warns if the security groups of the functions let no HTTPS out. A group that is imported may have rules of its own. Call it at synth, because rules may
 * be added after the pipeline.
 */
export function warnOfClosedGroups(pipeline: Construct, { functions }: PipelineOptions): void {
  const { securityGroups = [] } = functions;
  const isClosed = (group: ISecurityGroup) =>
    group instanceof SecurityGroup && !group.allowAllOutbound && !rulesOf(group, 'egress').some(allowsHttps);
  if (securityGroups.length > 0 && securityGroups.every(isClosed))
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:no-outbound',
      'functions.securityGroups: the groups allow no outbound traffic by HTTPS (TCP 443, IPv4), so that the functions reach nothing and requests would get 503. Allow it: group.connections.allowToAnyIpv4(Port.tcp(443)), or leave out allowAllOutbound: false.',
    );
}

/** Warns of a VPC of the app that resolves no names, unless it has a resolver of its own. */
export function warnOfMissingNames(pipeline: Construct, { functions: { vpc } }: PipelineOptions): void {
  const { defaultChild } = vpc?.node ?? {};
  if (defaultChild instanceof CfnVPC && defaultChild.enableDnsSupport === false)
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:vpc-without-dns',
      'functions.vpc: the VPC has enableDnsSupport: false, so that the functions cannot resolve the names of what they call, and requests would get 503. Leave enableDnsSupport out, or give the VPC a resolver of your own by its DHCP options and acknowledge this warning.',
    );
}

/**
 * Warns of interface endpoints of the app that let no function in. With private DNS, the functions call the endpoint also where there is another way.
 * Call it at synth, because rules may be added after the pipeline.
 *
 * @param sources the options of each source
 */
export function warnOfClosedEndpoints(pipeline: Construct, sources: readonly PipelineOptions[]): void {
  const [main] = sources;
  const { vpc, securityGroups = [] } = main?.functions ?? {};
  if (vpc === undefined) return;
  const all = pipeline.node.root.node.findAll();
  const groupsOfApp = all.filter((node) => node instanceof SecurityGroup);
  const isClosed = ({ securityGroupIds = [] }: CfnVPCEndpoint) => {
    const groups = securityGroupIds.map((id: unknown) =>
      groupsOfApp.find(({ securityGroupId }) => securityGroupId === id),
    );
    return (
      groups.length > 0 && groups.every((group) => group !== undefined && !letsIn(group, securityGroups))
    );
  };
  const called = services.filter(({ isNeeded }) => sources.some(isNeeded));
  const closed = all
    .filter((node) => node instanceof CfnVPCEndpoint)
    .filter(
      (endpoint) =>
        endpoint.vpcId === vpc.vpcId &&
        endpoint.vpcEndpointType === 'Interface' &&
        endpoint.privateDnsEnabled === true &&
        called.some(({ name }) => isOf(endpoint, name)) &&
        isClosed(endpoint),
    );
  if (closed.length === 0) return;
  Annotations.of(pipeline).addWarningV2(
    'sms-pipeline:closed-endpoint',
    `functions.vpc: the security groups of these endpoints do not let the functions in, so that requests would get 503: ${closed.map(({ node }) => node.scope?.node.path ?? node.path).join(', ')}. Allow it for each: endpoint.connections.allowDefaultPortFrom(sms), or leave out open: false.`,
  );
}

/** A rule of a security group. */
interface GroupRule {
  readonly ipProtocol?: unknown;
  readonly fromPort?: unknown;
  readonly toPort?: unknown;
  readonly cidrIpv6?: unknown;
  readonly sourceSecurityGroupId?: unknown;
}

/** Returns the rules that the app gives to a group of its own, with values that are resolved. */
function rulesOf(group: SecurityGroup, direction: 'egress' | 'ingress'): readonly GroupRule[] {
  const { node, stack, securityGroupId } = group;
  const { defaultChild } = node;
  const own =
    defaultChild instanceof CfnSecurityGroup
      ? { egress: defaultChild.securityGroupEgress, ingress: defaultChild.securityGroupIngress }[direction]
      : [];
  const kind = { egress: CfnSecurityGroupEgress, ingress: CfnSecurityGroupIngress }[direction];
  const others = node.root.node
    .findAll()
    .filter((one): one is CfnSecurityGroupEgress | CfnSecurityGroupIngress => one instanceof kind)
    .filter(({ groupId }) => groupId === securityGroupId)
    .map((rule) => ({
      ipProtocol: rule.ipProtocol,
      fromPort: rule.fromPort,
      toPort: rule.toPort,
      cidrIpv6: rule.cidrIpv6,
      sourceSecurityGroupId: rule instanceof CfnSecurityGroupIngress ? rule.sourceSecurityGroupId : undefined,
    }));
  const resolved: unknown[] = [stack.resolve(own) ?? [], stack.resolve(others)].flat(2);
  return resolved.map((rule): GroupRule => Object(rule));
}

/** The functions have IPv4 addresses only. A value that is known at deployment only may be right. */
function allowsHttps({ ipProtocol, fromPort, toPort, cidrIpv6 }: GroupRule): boolean {
  if (cidrIpv6 !== undefined) return false;
  const protocol = String(ipProtocol);
  if (typeof ipProtocol === 'object' || protocol === '-1') return true;
  const isWithin =
    (typeof fromPort !== 'number' || fromPort <= 443) && (typeof toPort !== 'number' || toPort >= 443);
  return (protocol === 'tcp' || protocol === '6') && isWithin;
}

/** Returns whether a group lets one of the others in by HTTPS. A reference between stacks is not followed. */
function letsIn(group: SecurityGroup, callers: readonly ISecurityGroup[]): boolean {
  if (callers.some(({ stack }) => stack !== group.stack)) return true;
  const idOf = (id: unknown) => JSON.stringify(group.stack.resolve(id));
  const ids = callers.map(({ securityGroupId }) => idOf(securityGroupId));
  return rulesOf(group, 'ingress').some(
    (rule) =>
      allowsHttps(rule) &&
      (rule.sourceSecurityGroupId === undefined || ids.includes(idOf(rule.sourceSecurityGroupId))),
  );
}

/**
 * Returns whether the route table of a subnet leads out of the VPC. An internet gateway is no way for a function, which has no public address, and a
 * route of IPv6 is none, because the functions have no such address.
 */
function hasOwnWay({ routeTable }: ISubnet, routes: readonly CfnRoute[]): boolean {
  return routes.some(
    ({ routeTableId, gatewayId, egressOnlyInternetGatewayId, destinationIpv6CidrBlock }) =>
      routeTableId === routeTable.routeTableId &&
      gatewayId === undefined &&
      egressOnlyInternetGatewayId === undefined &&
      destinationIpv6CidrBlock === undefined,
  );
}

/** Returns whether an endpoint is a way from a subnet to a service. */
function leadsTo(endpoint: CfnVPCEndpoint, service: string, { routeTable }: ISubnet): boolean {
  const { vpcEndpointType, privateDnsEnabled, routeTableIds } = endpoint;
  if (!isOf(endpoint, service)) return false;
  // The functions call the public name of the service, which leads to an interface endpoint only with private DNS.
  return vpcEndpointType === 'Interface'
    ? privateDnsEnabled === true
    : routeTableIds?.includes(routeTable.routeTableId) === true;
}

function isOf({ serviceName, stack }: CfnVPCEndpoint, service: string): boolean {
  return JSON.stringify(stack.resolve(serviceName)).includes(`.${service}"`);
}
