import { Stack } from 'aws-cdk-lib';
import { CfnTopic, type ITopic } from 'aws-cdk-lib/aws-sns';

/**
 * Says why CloudWatch cannot notify a topic of the same app; empty where it can, or where the topic was imported.
 *
 * CloudWatch may not use the key of SNS, `alias/aws/sns`, and the policy of that key cannot be changed
 * (https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns). Call it at synth: the key may be set after the topic is made.
 */
export function alarmTopicProblems(topic: ITopic): string[] {
  const { defaultChild } = topic.node;
  if (!(defaultChild instanceof CfnTopic)) return [];
  const key = JSON.stringify(Stack.of(topic).resolve(defaultChild.kmsMasterKeyId)) ?? '';
  if (!key.includes('alias/aws/sns"')) return [];
  return [
    `${topic.node.path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
  ];
}
