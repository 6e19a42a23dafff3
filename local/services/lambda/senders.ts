import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { AsyncInvocations, FunctionRegistry } from './functions.ts';

/** Sends one event to its target. Rejects if the target does not accept it. */
export type Send = (payload: unknown) => Promise<void>;

/** The services that targets belong to. */
export interface TargetServices {
  readonly sqs: SQSClient;
  /** Base URL of the queues. */
  readonly sqsUrl: string;
  readonly sns: SNSClient;
  readonly functions: FunctionRegistry;
  readonly asyncInvocations: AsyncInvocations;
}

/**
 * The sender for a function, queue or topic, or undefined for any other target.
 * @param messageGroupId for a FIFO queue
 */
export function targetSender(
  services: TargetServices,
  arn: string,
  messageGroupId?: string,
): Send | undefined {
  const service = arn.split(':')[2];
  if (service === 'lambda') {
    return async (payload) => services.asyncInvocations.start(services.functions.find(arn), payload);
  }
  if (service === 'sqs')
    return (payload) => sendToQueue(services, arn, JSON.stringify(payload), {}, messageGroupId);
  if (service === 'sns') return (payload) => sendToTopic(services, arn, JSON.stringify(payload));
  return undefined;
}

/** @param attributes custom attributes of the message, all of them text */
export async function sendToTopic(
  { sns }: Pick<TargetServices, 'sns'>,
  topicArn: string,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const MessageAttributes = textAttributes(attributes);
  await sns.send(new PublishCommand({ TopicArn: topicArn, Message: body, MessageAttributes }));
}

function textAttributes(attributes: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  );
}

/** Escapes in JSON what is outside of the Basic Multilingual Plane: SQS accepts these characters, and fauxqs does not. */
function escapeEmoji(body: string): string {
  if (!body.startsWith('{')) return body;
  return body.replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/**
 * @param attributes custom attributes of the message, all of them text
 * @param messageGroupId for a FIFO queue
 */
export async function sendToQueue(
  { sqs, sqsUrl }: Pick<TargetServices, 'sqs' | 'sqsUrl'>,
  queueArn: string,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
  messageGroupId?: string,
): Promise<void> {
  const MessageAttributes = textAttributes(attributes);
  const [account, name] = queueArn.split(':').slice(-2);
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: `${sqsUrl}/${account}/${name}`,
      MessageBody: escapeEmoji(body),
      MessageAttributes,
      MessageGroupId: messageGroupId,
    }),
  );
}
