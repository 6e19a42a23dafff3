import { Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { keyOfAws, letUseKey, unusableKey } from '../building-blocks/handed-keys.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { PipelinePropsError } from '../options/pipeline-props-error.ts';
import { otherRegionOf } from '../options/places.ts';
import { letAlarmsPublish } from './alarm-topic-policies.ts';

/**
 * Lets the alarms of a stack notify their topics, and has the synthesis report those that they cannot notify. It throws for a topic of another region,
 * because the CDK would complain of the name of such a topic before that.
 */
export function connectAlarmTopics(scope: Construct, alarms: AlarmRecipients | false): void {
  const stack = Stack.of(scope);
  const topics = topicsOf(alarms);
  // "PutMetricAlarm", CloudWatch API Reference.
  const elsewhere = [...topics].flatMap(([topic, name]) => {
    const region = otherRegionOf(topic, stack);
    return region === undefined
      ? []
      : [`${name}: found a topic in ${region}, expected one in ${stack.region}: alarms notify no other`];
  });
  if (elsewhere.length > 0) throw new PipelinePropsError(scope.node.path, elsewhere);
  for (const [resource, name] of topics) {
    letUseKey(scope, 'cloudwatch', { resource, name });
    letAlarmsPublish(scope, resource, name);
    scope.node.addValidation({ validate: () => alarmTopicProblems(resource) });
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
 * Explains why alarms cannot notify a topic; empty if they can, or if what decides it is not known at synth. Call it at
 * synth: the key may be set after the topic is made.
 */
function alarmTopicProblems(topic: ITopic): string[] {
  const { path } = topic.node;
  const problems = [...unusableKey(topic, 'no alarm would notify it.')];
  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and CloudWatch documents none for its alarms.
  if (topic.fifo) problems.push(`${path} is a FIFO topic, which no alarm can notify. Use a standard topic.`);
  if (keyOfAws(topic) !== undefined)
    problems.push(
      `${path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
    );
  return problems;
}
