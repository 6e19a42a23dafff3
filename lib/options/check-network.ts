import { type Stack, Token } from 'aws-cdk-lib';
import {
  CfnSecurityGroup,
  CfnSubnet,
  CfnVPC,
  DefaultInstanceTenancy,
  type IVpc,
  type SelectedSubnets,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import type { FunctionOptions } from './options.ts';
import { isOther, otherRegionOf } from './places.ts';

type Report = (prop: string, found: unknown, expected: string) => void;

const privateSubnets = 'for example { subnetType: SubnetType.PRIVATE_WITH_EGRESS }';

/** "Lambda quotas", Lambda developer guide; `SecurityGroupIds` of "VpcConfig", Lambda API reference. */
const maxSecurityGroups = 5;

/** Checks the VPC of the functions, its subnets and the security groups. */
export function checkNetwork(functions: FunctionOptions, stack: Stack, report: Report): void {
  const { vpc, subnets, securityGroups } = functions;
  if (vpc === undefined) {
    for (const [name, value] of Object.entries({ subnets, securityGroups }))
      if (value !== undefined)
        report(
          `functions.${name}`,
          'a value',
          'expected nothing without functions.vpc, or the VPC beside it',
        );
    return;
  }
  const region = otherRegionOf(vpc, stack);
  if (region !== undefined) report('functions.vpc', `a VPC in ${region}`, `expected one in ${stack.region}`);
  const { defaultChild } = vpc.node;
  // "Giving Lambda functions access to resources in an Amazon VPC", Lambda developer guide.
  if (
    defaultChild instanceof CfnVPC &&
    defaultChild.instanceTenancy?.toLowerCase() === DefaultInstanceTenancy.DEDICATED
  )
    report(
      'functions.vpc',
      'a VPC with dedicated instance tenancy',
      'expected one with the default tenancy, because Lambda connects to no other',
    );
  checkSubnets(vpc, functions, report);
  if (securityGroups === undefined) return;
  if (securityGroups.length === 0)
    report('functions.securityGroups', 'an empty list', 'expected a security group, or no such prop');
  if (securityGroups.length > maxSecurityGroups)
    report(
      'functions.securityGroups',
      `${securityGroups.length} groups`,
      `expected at most ${maxSecurityGroups}, as Lambda does`,
    );
  if (securityGroups.some((group) => isOfOtherVpc(group, vpc)))
    report('functions.securityGroups', 'a group of another VPC', 'expected groups of functions.vpc');
}

function checkSubnets(vpc: IVpc, { subnets: selection }: FunctionOptions, report: Report): void {
  let selected: SelectedSubnets;
  try {
    selected = vpc.selectSubnets(selection);
  } catch (error) {
    // CDK names a prop of its own functions, or reads a type of subnets that does not exist.
    if (selection === undefined)
      report(
        'functions.vpc',
        'a VPC without known private subnets',
        'expected privateSubnetIds, or functions.subnets',
      );
    else
      reportSelection(
        error instanceof TypeError
          ? 'an unknown subnetType'
          : `a selection that CDK refuses (${error instanceof Error ? error.message : String(error)})`,
        report,
      );
    return;
  }
  if (selected.subnets.length === 0 && selected.isPendingLookup !== true)
    reportSelection('a selection without subnets', report);
  if (selected.hasPublic)
    report(
      'functions.subnets',
      'public subnets',
      `expected private ones, ${privateSubnets}: functions have no address in the internet, so that a public subnet is no way to it for them`,
    );
  if (selected.subnets.some((subnet) => isOfOtherVpc(subnet, vpc)))
    report('functions.subnets', 'a subnet of another VPC', 'expected subnets of functions.vpc');
}

function reportSelection(found: string, report: Report): void {
  report('functions.subnets', found, `expected a selection of subnets that the VPC has, ${privateSubnets}`);
}

/** Returns whether a subnet or security group of the app is certainly in another VPC. */
function isOfOtherVpc({ node }: IConstruct, vpc: IVpc): boolean {
  const { defaultChild } = node;
  if (!(defaultChild instanceof CfnSubnet || defaultChild instanceof CfnSecurityGroup)) return false;
  const { vpcId } = defaultChild;
  if (vpcId === undefined || vpcId === vpc.vpcId) return false;
  if (!Token.isUnresolved(vpcId)) return isOther(vpcId, vpc.vpcId);
  return (
    vpc instanceof Vpc && node.root.node.findAll().some((one) => one instanceof Vpc && one.vpcId === vpcId)
  );
}
