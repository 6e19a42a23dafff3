import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import * as z from 'zod';
import { localClient } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, NotOnOneMachine, readProperties, TemplateError } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';

export function startSns(run: ServiceRun) {
  const client = snsClient(loopbackUrl(run.servicePorts.sqs));
  return {
    client,
    resources: {
      'AWS::SNS::Topic': topicCreator(client),
      'AWS::SNS::Subscription': subscriptionCreator(client),
    },
    inertTypes: ['AWS::SNS::TopicPolicy'],
  } satisfies RunningService & { client: SNSClient };
}

/** A client for the local SNS. The process of SQS serves it: see sqs-server.ts. */
export function snsClient(endpoint: string): SNSClient {
  return new SNSClient(localClient(endpoint));
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
  // Here each message reaches its queue.
  RedrivePolicy: inert,
  Region: inert,
});

/** A standard topic. */
export function topicCreator(sns: SNSClient): CreateResource {
  return async (request) => {
    const { TopicName } = readProperties(topicSchema, request);
    const Name = TopicName ?? physicalName(request, 256);
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name }));
    if (TopicArn === undefined) throw new TemplateError('SNS gave the topic no ARN');
    return { ref: TopicArn, attributes: { TopicArn, TopicName: Name } };
  };
}

/** A queue's subscription to a topic. Nothing else can be subscribed on one machine. */
export function subscriptionCreator(sns: SNSClient): CreateResource {
  return async (request) => {
    const properties = readProperties(subscriptionSchema, request);
    const { TopicArn, Protocol, Endpoint, RawMessageDelivery, FilterPolicy, FilterPolicyScope } = properties;
    if (Protocol !== 'sqs') {
      throw new NotOnOneMachine(`one machine has no subscription by ${Protocol}, only by sqs`);
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
