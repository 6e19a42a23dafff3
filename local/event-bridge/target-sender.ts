import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { type MessageAttributeValue, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';

/** Hands one event to its target; rejects when the target does not take it. */
export type Send = (payload: unknown) => Promise<void>;

/** What targets live in. */
export interface TargetServices {
  readonly sqs: SQSClient;
  /** Base URL of the queues. */
  readonly sqsUrl: string;
  readonly sns: SNSClient;
  readonly functions: FunctionRegistry;
  readonly asyncInvocations: AsyncInvocations;
}

/** The sender for a function, queue or topic, or undefined for any other target. */
export function targetSender(services: TargetServices, arn: string): Send | undefined {
  const service = arn.split(':')[2];
  if (service === 'lambda') {
    return async (payload) => services.asyncInvocations.start(services.functions.find(arn), payload);
  }
  if (service === 'sqs') return (payload) => sendToQueue(services, arn, JSON.stringify(payload));
  if (service !== 'sns') return undefined;
  return async (payload) => {
    await services.sns.send(new PublishCommand({ TopicArn: arn, Message: JSON.stringify(payload) }));
  };
}

/** @param attributes custom attributes of the message, all of them text */
export async function sendToQueue(
  { sqs, sqsUrl }: Pick<TargetServices, 'sqs' | 'sqsUrl'>,
  queueArn: string,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, StringValue]): [string, MessageAttributeValue] => [
      name,
      { DataType: 'String', StringValue },
    ]),
  );
  const [account, name] = queueArn.split(':').slice(-2);
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: `${sqsUrl}/${account}/${name}`,
      MessageBody: body,
      MessageAttributes,
    }),
  );
}
