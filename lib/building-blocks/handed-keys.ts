import { Annotations, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnTopic, type ITopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, type IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { problemWithKey } from '../options/usable-keys.ts';
import { allowServiceOn, type KeyUser } from './encryption-key.ts';

/** A queue or topic of the app that a service is to send to. */
export interface Handed {
  readonly resource: IQueue | ITopic;
  /** Names it in messages, for example `alarms.topic`. */
  readonly name: string;
}

const principals = { events: 'events.amazonaws.com', cloudwatch: 'cloudwatch.amazonaws.com' } as const;

/**
 * Lets a service use the key of a queue or topic that it is to send to. Without that it drops what it sends, and reports it nowhere. A key that was
 * imported cannot be changed, which brings a warning.
 */
export function letUseKey(scope: Construct, user: KeyUser, { resource, name }: Handed): void {
  const key = keyOf(resource);
  if (key === undefined || keyOfAws(resource) !== undefined) return;
  if (allowServiceOn(key, user, Stack.of(scope))) return;
  Annotations.of(scope).addWarningV2(
    `sms-pipeline:imported-key-of-${name.replaceAll(' ', '-')}`,
    `The key of ${name} is imported, so its policy cannot be changed: it must allow ${principals[user]} kms:Decrypt and kms:GenerateDataKey*, or what ${user === 'events' ? 'EventBridge' : 'CloudWatch'} sends there is lost. docs/reference/props.md, "Keys of what you hand over".`,
  );
}

/**
 * Returns a line if no service can use the key of a queue or topic of the app, because it is disabled or of another kind. Call it at synth: the key may
 * be set after the topic is made.
 *
 * @param loss says what happens then
 */
export function unusableKey(resource: IQueue | ITopic, loss: string): readonly string[] {
  const key = keyOfAws(resource) === undefined ? keyOf(resource) : undefined;
  const problem = key && problemWithKey(key, Stack.of(resource));
  return problem === undefined
    ? []
    : [`${resource.node.path} is under ${problem.found}, and needs ${problem.expected}: ${loss}`];
}

function keyOf(resource: IQueue | ITopic): IKey | undefined {
  return 'queueArn' in resource ? resource.encryptionMasterKey : resource.masterKey;
}

/**
 * Returns the alias of the AWS managed key that encrypts a queue or topic of the app. No other service may use it, and its policy cannot be changed
 * (https://repost.aws/knowledge-center/sns-not-getting-eventbridge-notification). Call it at synth: the key may be set after the topic is made.
 */
export function keyOfAws(resource: IQueue | ITopic): string | undefined {
  const { defaultChild } = resource.node;
  const id =
    defaultChild instanceof CfnTopic || defaultChild instanceof CfnQueue
      ? defaultChild.kmsMasterKeyId
      : keyOf(resource)?.keyArn;
  const text = JSON.stringify(Stack.of(resource).resolve(id)) ?? '';
  return /alias\/aws\/s[nq]s(?=")/.exec(text)?.[0];
}
