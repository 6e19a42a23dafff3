import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { removalsOf } from '../../cli/commands/deploy/compare-stacks.ts';
import type { Stack } from '../../local/cloudformation/cloud-assembly.ts';
import { exportsOf, namesOfResource } from './template-problems.ts';

/**
 * The types of resources that hold nothing but what a deployment writes. Every other type counts as data, so that a new one is looked at
 * before `statefulTypes` of `sms deploy` can forget it.
 */
const typesWithoutData = new Set([
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  // The users and their groups are in the pool.
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Cognito::UserPoolGroup',
  'AWS::EC2::SecurityGroup',
  'AWS::Events::EventBusPolicy',
  'AWS::Events::Rule',
  // They describe the files of a bucket.
  'AWS::Glue::Database',
  'AWS::Glue::Table',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Logs::MetricFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
  'Custom::SmsWebhookRegistration',
]);

/**
 * Lists what goes wrong when stacks are deployed over those that are there, a line each: what CloudFormation refuses, and what it deletes
 * or replaces with its data although `sms deploy` asks nothing. Which change of a property replaces a resource is known from AWS's own
 * schemas, as in `cdk diff`.
 *
 * @param before the deployed stacks
 * @param after the same app's stacks that follow, in the order of their deployment
 */
export function deploymentProblems(before: readonly Stack[], after: readonly Stack[]): string[] {
  const deployed = new Map(before.map((stack) => [stack.name, stack]));
  return after.flatMap((next) => {
    const old = deployed.get(next.name);
    deployed.set(next.name, next);
    if (old === undefined) return [];
    return [...exportsInUse(old, next, [...deployed.values()]), ...problemsOfUpdate(old, next)];
  });
}

/** CloudFormation refuses to delete an export that another stack imports. @param others as they are deployed at that moment */
function exportsInUse(old: Stack, next: Stack, others: readonly Stack[]): string[] {
  const left = exportsOf(next);
  return exportsOf(old)
    .filter((name) => !left.includes(name))
    .flatMap((name) =>
      others
        .filter((other) => other.name !== next.name && importsOf(other).includes(name))
        .map((other) => `${next.name}: the export ${name} goes while ${other.name} imports it`),
    );
}

function importsOf({ template }: Stack): string[] {
  const texts = JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g);
  return [...texts].map(([, name = '']) => name);
}

function problemsOfUpdate(old: Stack, next: Stack): string[] {
  const asked = new Set(askedAbout(old, next));
  const namesBefore = new Map(
    Object.keys(old.template.Resources).flatMap((id) =>
      namesOfResource(old, id).map((name) => [name, id] as const),
    ),
  );
  const problems: string[] = [];
  const { resources } = fullDiff(templateOf(old), templateOf(next));
  resources.forEachDifference((id, { changeImpact }) => {
    const type = (old.template.Resources[id] ?? next.template.Resources[id])?.Type ?? '';
    const where = `${next.name} ${id} (${type})`;
    const isReplaced =
      changeImpact === ResourceImpact.WILL_REPLACE || changeImpact === ResourceImpact.MAY_REPLACE;
    const isGone = changeImpact === ResourceImpact.WILL_DESTROY;
    const hasData = !typesWithoutData.has(type);
    if (isGone && hasData && !asked.has(id))
      problems.push(`${where}: is deleted with its data, without a question`);
    if (isReplaced && hasData) problems.push(`${where}: is replaced by an empty one, without a question`);
    // CloudFormation creates what is new, and what replaces something, before it deletes anything.
    if (isReplaced || changeImpact === ResourceImpact.WILL_CREATE)
      for (const name of namesOfResource(next, id)) {
        const owner = namesBefore.get(name);
        if (owner !== undefined) problems.push(`${where}: needs the name ${name}, which ${owner} has`);
      }
  });
  return problems;
}

const templateOf = ({ template }: Stack) => ({ Resources: template.Resources });

/** The logical ids of the resources that `sms deploy` asks about. */
function askedAbout(old: Stack, next: Stack): string[] {
  const resources = Object.entries(old.template.Resources).map(([logicalId, { Type: type }]) => ({
    logicalId,
    type,
    physicalId: logicalId,
  }));
  const deployed = { arn: '', resources, template: old.template };
  return removalsOf(next, deployed).map((removal) =>
    removal.kind === 'queue' ? removal.logicalId : removal.physicalId,
  );
}
