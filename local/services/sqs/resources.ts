import { CreateQueueCommand, type QueueAttributeName, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { arnOf } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError, wholeNumber } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { startSqs } from './api.ts';

const schema = z.strictObject({
  QueueName: z.string().optional(),
  VisibilityTimeout: wholeNumber.optional(),
  MessageRetentionPeriod: wholeNumber.optional(),
  MaximumMessageSize: wholeNumber.optional(),
  DelaySeconds: wholeNumber.optional(),
  ReceiveMessageWaitTimeSeconds: wholeNumber.optional(),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: wholeNumber }).optional(),
  RedriveAllowPolicy: inert,
  SqsManagedSseEnabled: inert,
  KmsMasterKeyId: inert,
  KmsDataKeyReusePeriodSeconds: inert,
  FifoQueue: z.boolean().optional(),
  ContentBasedDeduplication: z.boolean().optional(),
  Tags: inert,
});

export function startSqsService(run: ServiceRun) {
  const sqs = startSqs(run);
  return {
    ...sqs,
    announcement: `SQS on ${loopbackUrl(run.ports.sqs)}`,
    resources: { 'AWS::SQS::Queue': queueCreator(sqs.client) },
    inertTypes: ['AWS::SQS::QueuePolicy'],
  } satisfies RunningService & { client: SQSClient };
}

export function queueCreator(sqs: SQSClient): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const ending = properties.FifoQueue ? '.fifo' : '';
    const name = properties.QueueName ?? `${physicalName(request, 80 - ending.length)}${ending}`;
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: name, Attributes: attributes(properties) }),
    );
    if (QueueUrl === undefined) throw new TemplateError('SQS gave the queue no URL');
    return { ref: QueueUrl, attributes: { Arn: arnOf('sqs', name), QueueName: name, QueueUrl } };
  };
}

function attributes(properties: z.output<typeof schema>): Partial<Record<QueueAttributeName, string>> {
  const { RedrivePolicy } = properties;
  const numbers = {
    VisibilityTimeout: properties.VisibilityTimeout,
    MessageRetentionPeriod: properties.MessageRetentionPeriod,
    MaximumMessageSize: properties.MaximumMessageSize,
    DelaySeconds: properties.DelaySeconds,
    ReceiveMessageWaitTimeSeconds: properties.ReceiveMessageWaitTimeSeconds,
    FifoQueue: properties.FifoQueue,
    ContentBasedDeduplication: properties.ContentBasedDeduplication,
  };
  const present = Object.entries(numbers).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
  };
}
