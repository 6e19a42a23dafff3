import { Stack as AnyStack, type Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnTopic, type ITopic } from 'aws-cdk-lib/aws-sns';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';

/** Returns the topics that alarms notify, each once, without that of tickets. */
export function topicsBesideTickets(alarms: AlarmRecipients | false): ITopic[] {
  if (alarms === false) return [];
  const { topic, page, overrides } = alarms;
  const topics = [page, ...Object.values(overrides).map((override) => override.topic)];
  return [...new Set(topics)].flatMap((one) => (one === undefined || one === topic ? [] : one));
}

/**
 * Explains why the alarms of a stack cannot notify a topic; empty if they can, or if what decides it is not known at synth. Call it at
 * synth: the key may be set after the topic is made.
 */
export function alarmTopicProblems(topic: ITopic, stack: Stack): string[] {
  const { path } = topic.node;
  const { region } = topic.env;
  const problems: string[] = [];
  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and CloudWatch documents none for its alarms.
  if (topic.fifo) problems.push(`${path} is a FIFO topic, which no alarm can notify. Use a standard topic.`);
  // "PutMetricAlarm", CloudWatch API Reference.
  if (Token.compareStrings(region, stack.region) === TokenComparison.DIFFERENT)
    problems.push(
      `${path} is in ${region}, and alarms in ${stack.region} notify only topics there. Use a topic of ${stack.region}.`,
    );
  if (isUnderSnsKey(topic))
    problems.push(
      `${path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
    );
  return problems;
}

/**
 * Returns whether a topic of the same app is encrypted with the key of SNS, `alias/aws/sns`. CloudWatch may not use it, and its policy cannot
 * be changed (https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns).
 */
function isUnderSnsKey(topic: ITopic): boolean {
  const { defaultChild } = topic.node;
  if (!(defaultChild instanceof CfnTopic)) return false;
  const key = JSON.stringify(AnyStack.of(topic).resolve(defaultChild.kmsMasterKeyId)) ?? '';
  return key.includes('alias/aws/sns"');
}
