import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { AsyncInvocations, FunctionRegistry } from '../lambda/functions.ts';
import type { Envelope } from './events.ts';

/** Makes a target's payload of an event: the event, a part of it, or a constant. */
export type TargetPayload = (event: Envelope) => unknown;

/** An `Input` or `InputPath` that cannot be used here. */
export class TargetPayloadError extends Error {
  override readonly name = 'TargetPayloadError';
}

/**
 * @param input JSON that replaces every event
 * @param inputPath names with dots between, such as `$.detail.messageId`
 * @throws TargetPayloadError for an input that is not JSON, for another path, and for both parameters at once
 */
export function targetPayload(input: string | undefined, inputPath: string | undefined): TargetPayload {
  if (input !== undefined && inputPath !== undefined) {
    throw new TargetPayloadError('a target has an Input or an InputPath, not both');
  }
  if (input !== undefined) {
    const constant = parse(input);
    return () => constant;
  }
  if (inputPath === undefined || inputPath === '$') return (event) => event;
  if (!/^\$(\.[\w-]+)+$/.test(inputPath)) {
    throw new TargetPayloadError(`an InputPath other than names with dots is not supported: ${inputPath}`);
  }
  const names = inputPath.split('.').slice(1);
  return (event) => names.reduce(fieldOf, event) ?? null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    throw new TargetPayloadError('the Input of a target is not JSON');
  }
}

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

/** The sender for a function, queue or topic, or undefined for any other target. */
export function targetSender(services: TargetServices, arn: string): Send | undefined {
  const service = arn.split(':')[2];
  if (service === 'lambda') {
    return async (payload) => services.asyncInvocations.start(services.functions.find(arn), payload);
  }
  if (service === 'sqs') return (payload) => sendToQueue(services, arn, JSON.stringify(payload));
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

/** @param attributes custom attributes of the message, all of them text */
export async function sendToQueue(
  { sqs, sqsUrl }: Pick<TargetServices, 'sqs' | 'sqsUrl'>,
  queueArn: string,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const MessageAttributes = textAttributes(attributes);
  const [account, name] = queueArn.split(':').slice(-2);
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: `${sqsUrl}/${account}/${name}`,
      MessageBody: body,
      MessageAttributes,
    }),
  );
}
