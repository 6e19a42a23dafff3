import { z } from 'zod';
import { startEventSourceMapping } from '../event-source/event-source-mapping.ts';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { TemplateError } from '../template/template.ts';
import { inert, readProperties, wholeNumber } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: wholeNumber.min(1).max(10_000).default(10),
  MaximumBatchingWindowInSeconds: wholeNumber.min(0).max(300).default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: wholeNumber.min(2) }).optional(),
  Enabled: z.boolean().default(true),
  Tags: inert,
});

export function eventSourceMappingCreator(
  runtime: Pick<Runtime, 'endpoints' | 'functions' | 'mappings' | 'note' | 'sqs'>,
): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const queueArn = properties.EventSourceArn;
    const [, , service, , , queueName] = queueArn.split(':');
    if (service !== 'sqs' || queueName === undefined) {
      throw new TemplateError(
        `an event source other than an SQS queue is not supported on one machine: ${queueArn}`,
      );
    }
    const { definition, pool } = runtime.functions.find(properties.FunctionName);
    if (properties.Enabled) {
      const mapping = startEventSourceMapping({
        client: runtime.sqs,
        queueUrl: `${runtime.endpoints.SQS}/000000000000/${queueName}`,
        queueArn,
        batchSize: properties.BatchSize,
        windowSeconds: properties.MaximumBatchingWindowInSeconds,
        reportsItemFailures: properties.FunctionResponseTypes.length > 0,
        concurrency: Math.min(pool.limit, properties.ScalingConfig?.MaximumConcurrency ?? pool.limit),
        invoke: (event) => pool.invoke(event),
        onTrouble: (message) => runtime.note(`${definition.label}: ${message}`),
      });
      runtime.mappings.push(mapping);
    }
    return { ref: physicalName(request, 255) };
  };
}
