import { Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { keyOfAws, letUseKey, unusableKey } from '../building-blocks/handed-keys.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { otherRegionOf } from '../options/places.ts';
import { letAlarmsPublish } from './alarm-topic-policies.ts';

/** Lets the alarms of a stack notify their topics, and has the synthesis report those that they cannot notify. */
export function connectAlarmTopics(scope: Construct, alarms: AlarmRecipients | false): void {
  const stack = Stack.of(scope);
  for (const [resource, name] of topicsOf(alarms)) {
    letUseKey(scope, 'cloudwatch', { resource, name });
    letAlarmsPublish(scope, resource, name);
    scope.node.addValidation({ validate: () => alarmTopicProblems(resource, stack) });
  }
}

/** Returns the topics that alarms notify, each once, with the prop that names it. */
function topicsOf(alarms: AlarmRecipients | false): ReadonlyMap<ITopic, string> {
  if (alarms === false) return new Map();
  const { topic, page, overrides } = alarms;
  const topics = new Map<ITopic, string>();
  const add = (one: ITopic | undefined, name: string) => {
    if (one !== undefined && !topics.has(one)) topics.set(one, name);
  };
  add(topic, 'alarms.topic');
  add(page, 'alarms.page');
  for (const [name, override] of Object.entries(overrides))
    add(override.topic, `alarms.overrides.${name}.topic`);
  return topics;
}

/**
 * Explains why the alarms of a stack cannot notify a topic; empty if they can, or if what decides it is not known at synth. Call it at
 * synth: the key may be set after the topic is made.
 */
function alarmTopicProblems(topic: ITopic, stack: Stack): string[] {
  const { path } = topic.node;
  const region = otherRegionOf(topic, stack);
  const problems = [...unusableKey(topic, 'no alarm would notify it.')];
  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and CloudWatch documents none for its alarms.
  if (topic.fifo) problems.push(`${path} is a FIFO topic, which no alarm can notify. Use a standard topic.`);
  // "PutMetricAlarm", CloudWatch API Reference.
  if (region !== undefined)
    problems.push(
      `${path} is in ${region}, and alarms in ${stack.region} notify only topics there. Use a topic of ${stack.region}.`,
    );
  if (keyOfAws(topic) !== undefined)
    problems.push(
      `${path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
    );
  return problems;
}
