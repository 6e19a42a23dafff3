import { Annotations, ArnFormat, Aspects, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnTopic, CfnTopicPolicy, type ITopic, TopicPolicy } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * Lets the alarms of a stack publish to a topic that gets a policy in the app, for example by `enforceSSL` or as the target of a rule. Such a policy
 * replaces the one by which SNS lets CloudWatch publish (https://repost.aws/knowledge-center/cloudwatch-receive-sns-for-alarm-trigger).
 * A topic without a policy keeps that of SNS, which allows more than alarms. Policies may be added until synthesis.
 *
 * @param name names the topic in messages, for example `alarms.topic`
 */
export function letAlarmsPublish(scope: Construct, topic: ITopic, name: string): void {
  Aspects.of(scope).add({
    visit(node: unknown) {
      if (node !== scope) return;
      for (const policy of policiesOf(topic)) {
        const owner: unknown = policy.node.scope;
        if (owner instanceof TopicPolicy)
          owner.document.addStatements(notifyByAlarms(topic, Stack.of(scope)));
        else if (!allowsCloudWatch(policy)) warnOfPolicy(scope, policy, name);
      }
    },
  });
}

/** Returns the policies that the app gives to a topic. */
function policiesOf(topic: ITopic): readonly CfnTopicPolicy[] {
  const { defaultChild } = topic.node;
  const arns: readonly unknown[] = [
    topic.topicArn,
    ...(defaultChild instanceof CfnTopic ? [defaultChild.ref] : []),
  ];
  return topic.node.root.node
    .findAll()
    .filter((node) => node instanceof CfnTopicPolicy)
    .filter(({ topics }) => topics.some((arn: unknown) => arns.includes(arn)));
}

/** "Allow any CloudWatch alarm to publish to a topic in a different account", SNS developer guide. */
function notifyByAlarms({ topicArn }: ITopic, stack: Stack): PolicyStatement {
  const alarms = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: '*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topicArn],
    conditions: {
      StringEquals: { 'aws:SourceAccount': stack.account },
      ArnLike: { 'aws:SourceArn': alarms },
    },
  });
}

/** Returns whether a statement allows CloudWatch, or everyone under conditions, as SNS does by default. */
function allowsCloudWatch(policy: CfnTopicPolicy): boolean {
  const { Statement }: { readonly Statement?: unknown } = Object(policy.stack.resolve(policy.policyDocument));
  return [Statement].flat().some((statement) => {
    const { Effect, Principal }: { readonly Effect?: unknown; readonly Principal?: unknown } =
      Object(statement);
    return Effect === 'Allow' && /"(cloudwatch\.amazonaws\.com|\*)"/.test(JSON.stringify(Principal) ?? '');
  });
}

function warnOfPolicy(scope: Construct, { node: { path } }: CfnTopicPolicy, name: string): void {
  Annotations.of(scope).addWarningV2(
    `sms-pipeline:topic-policy-of-${name}`,
    `${name}: found the policy ${path}, which does not allow cloudwatch.amazonaws.com sns:Publish and replaces the policy of SNS: no alarm would notify the topic. Add the statement { Effect: Allow, Principal: { Service: cloudwatch.amazonaws.com }, Action: sns:Publish, Resource: the ARN of the topic, Condition: { StringEquals: { aws:SourceAccount: the account of the pipeline } } }, or use topic.addToResourcePolicy(...) in the place of your own policy. docs/reference/props.md, "Topics of alarms".`,
  );
}
