import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { z } from 'zod';
import { REGION } from '../../aws-protocol/call.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/properties.ts';
import { TemplateError } from '../../cloudformation/template.ts';
import type { Runtime } from '../runtime.ts';

/** A client for the local SNS, which fauxqs serves where its queues are: see sqs-server.ts. */
export function snsClient(endpoint: string): SNSClient {
  return new SNSClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

const topicSchema = z.strictObject({
  TopicName: z.string().optional(),
  DisplayName: inert,
  KmsMasterKeyId: inert,
  SignatureVersion: inert,
  TracingConfig: inert,
  DeliveryStatusLogging: inert,
  Tags: inert,
});

const subscriptionSchema = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.string(),
  Endpoint: z.string(),
  RawMessageDelivery: z.boolean().default(false),
  FilterPolicy: z.record(z.string(), z.unknown()).optional(),
  FilterPolicyScope: z.enum(['MessageAttributes', 'MessageBody']).optional(),
  // About messages that do not reach their queue: here each one does.
  RedrivePolicy: inert,
  Region: inert,
});

/** A standard topic. */
export function topicCreator({ sns }: Pick<Runtime, 'sns'>): CreateResource {
  return async (request) => {
    const { TopicName } = readProperties(topicSchema, request);
    const Name = TopicName ?? physicalName(request, 256);
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name }));
    if (TopicArn === undefined) throw new TemplateError('SNS gave the topic no ARN');
    return { ref: TopicArn, attributes: { TopicArn, TopicName: Name } };
  };
}

/** A queue that gets what is published to a topic; nothing else can be subscribed here. */
export function subscriptionCreator({ sns }: Pick<Runtime, 'sns'>): CreateResource {
  return async (request) => {
    const properties = readProperties(subscriptionSchema, request);
    const { TopicArn, Protocol, Endpoint, RawMessageDelivery, FilterPolicy, FilterPolicyScope } = properties;
    if (Protocol !== 'sqs') {
      throw new TemplateError(`a subscription by ${Protocol} is not supported on one machine, only by sqs`);
    }
    const { SubscriptionArn } = await sns.send(
      new SubscribeCommand({
        TopicArn,
        Protocol,
        Endpoint,
        ReturnSubscriptionArn: true,
        Attributes: {
          RawMessageDelivery: String(RawMessageDelivery),
          ...(FilterPolicy && { FilterPolicy: JSON.stringify(FilterPolicy) }),
          ...(FilterPolicyScope && { FilterPolicyScope }),
        },
      }),
    );
    if (SubscriptionArn === undefined) throw new TemplateError('SNS gave the subscription no ARN');
    return { ref: SubscriptionArn, attributes: { Arn: SubscriptionArn } };
  };
}
