import { Annotations as CdkAnnotations, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  CfnRoute,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  IpProtocol,
  type IVpc,
  SubnetType,
  Vpc,
  type VpcProps,
} from 'aws-cdk-lib/aws-ec2';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import { Automation, Contract, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const receivingOnly: Partial<SmsPipelineProps> = {
  contract: Contract.preset('vonage-sms'),
  registration: false,
};

const { DYNAMODB } = GatewayVpcEndpointAwsService;
const { SQS, SECRETS_MANAGER, EVENTBRIDGE, SNS } = InterfaceVpcEndpointAwsService;

/** Makes a pipeline in a VPC of the app. */
function pipelineInVpc(vpcProps: VpcProps, props: Partial<SmsPipelineProps> = {}) {
  const stack = new Stack(quickApp(), 'Shop');
  // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
  const vpc = new Vpc(stack, 'Vpc', vpcProps) as Vpc & IVpc;
  const { functions, ...others } = props;
  const pipeline = pipelineIn(stack, { ...receivingOnly, ...others, functions: { vpc, ...functions } });
  return { stack, vpc, pipeline };
}

function addEndpoints(vpc: Vpc, privateDnsEnabled = true): void {
  vpc.addGatewayEndpoint('DynamoDb', { service: DYNAMODB });
  for (const service of [SQS, SECRETS_MANAGER, EVENTBRIDGE])
    vpc.addInterfaceEndpoint(service.shortName, { service, privateDnsEnabled });
}

/** The warning about ways, if there is one. */
function warningIn(stack: Stack): string | undefined {
  const [found] = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('vpc-without-way'));
  return found === undefined ? undefined : String(found.entry.data);
}

describe('a VPC of the app whose subnets reach nothing', () => {
  it('brings a warning that names the subnets and the endpoints', () => {
    const { stack } = pipelineInVpc({ natGateways: 0 });
    const warning = warningIn(stack);
    expect(warning).toContain('Shop/Vpc/IsolatedSubnet1, Shop/Vpc/IsolatedSubnet2');
    for (const name of ['GatewayVpcEndpointAwsService.DYNAMODB', 'SQS', 'SECRETS_MANAGER', 'EVENTBRIDGE'])
      expect(warning).toContain(name);
    expect(warning).not.toMatch(/AwsService\.(S3|SNS|CLOUDWATCH)|SMS service/);
  });

  it('brings one where isolated subnets are chosen beside a NAT gateway', () => {
    const { stack } = pipelineInVpc(
      {
        subnetConfiguration: [
          { name: 'out', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
          { name: 'public', subnetType: SubnetType.PUBLIC },
          { name: 'closed', subnetType: SubnetType.PRIVATE_ISOLATED },
        ],
      },
      { functions: { subnets: { subnetGroupName: 'closed' } } },
    );
    expect(warningIn(stack)).toContain('Shop/Vpc/closedSubnet1');
  });

  it('names only what is missing, also for what was switched on', () => {
    const { stack, vpc } = pipelineInVpc({ natGateways: 0 }, { automations: [Automation.failureAlert()] });
    addEndpoints(vpc);
    const warning = warningIn(stack);
    expect(warning).toContain('InterfaceVpcEndpointAwsService.SNS');
    expect(warning).not.toContain('AwsService.SQS');
    const other = pipelineInVpc({ natGateways: 0 }, { automations: [Automation.failureAlert()] });
    addEndpoints(other.vpc);
    other.vpc.addInterfaceEndpoint('Sns', { service: SNS });
    expect(warningIn(other.stack)).toBeUndefined();
  });

  it('needs a NAT gateway where a function calls the SMS service, also that of a further source', () => {
    const { stack, vpc, pipeline } = pipelineInVpc({ natGateways: 0 });
    addEndpoints(vpc);
    pipeline.addSource('backup', {
      contract: Contract.preset('plivo-v3'),
      apiKey: Secret.fromSecretNameV2(stack, 'BackupKey', 'sms/backup-key'),
      registration: false,
      lookups: true,
    });
    expect(warningIn(stack)).toMatch(/To the SMS service only a NAT gateway leads/);
  });

  it('has no way by routes of IPv6, because the functions have no such address', () => {
    const { stack } = pipelineInVpc({
      ipProtocol: IpProtocol.DUAL_STACK,
      natGateways: 0,
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC },
        { name: 'out', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      ],
    });
    expect(warningIn(stack)).toContain('Shop/Vpc/outSubnet1');
  });

  it('is not reached through an endpoint without private DNS', () => {
    const { stack, vpc } = pipelineInVpc({ natGateways: 0 });
    addEndpoints(vpc, false);
    expect(warningIn(stack)).toContain('AwsService.SQS');
  });
});

describe('a VPC brings no warning', () => {
  it('with a NAT gateway', () => {
    expect(warningIn(pipelineInVpc({ natGateways: 1 }).stack)).toBeUndefined();
  });

  it('with the endpoints, which may be added after the pipeline', () => {
    const { stack, vpc } = pipelineInVpc({ natGateways: 0 });
    addEndpoints(vpc);
    expect(warningIn(stack)).toBeUndefined();
  });

  it('with a route of its own, for example to a transit gateway', () => {
    const { stack, vpc } = pipelineInVpc({ natGateways: 0 });
    for (const { routeTable, node } of vpc.isolatedSubnets)
      new CfnRoute(stack, `RouteOf${node.id}`, {
        routeTableId: routeTable.routeTableId,
        destinationCidrBlock: '0.0.0.0/0',
        transitGatewayId: 'tgw-1',
      });
    expect(warningIn(stack)).toBeUndefined();
  });

  it('that is imported, because its routes are unknown', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const vpc = Vpc.fromVpcAttributes(stack, 'Vpc', {
      vpcId: 'vpc-1',
      availabilityZones: ['eu-west-1a'],
      isolatedSubnetIds: ['subnet-3'],
      isolatedSubnetRouteTableIds: ['rtb-3'],
    });
    pipelineIn(stack, { ...receivingOnly, functions: { vpc } });
    expect(warningIn(stack)).toBeUndefined();
  });
});

it('the warning can be acknowledged by its id', () => {
  const { stack, pipeline } = pipelineInVpc({ natGateways: 0 });
  CdkAnnotations.of(pipeline).acknowledgeWarning('sms-pipeline:vpc-without-way');
  expect(warningIn(stack)).toBeUndefined();
});
