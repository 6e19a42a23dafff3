import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Permission } from '../../aws-protocol/call.ts';
import {
  type CreateResource,
  physicalName,
  type ResourceRequest,
} from '../../cloudformation/deploy-stack.ts';
import { inert, NotOnOneMachine, readProperties, wholeNumber } from '../../cloudformation/template.ts';
import type { ServiceEndpoints } from '../../function-hosts/environment.ts';
import { pollerSettings } from '../../iam/caller.ts';
import { dynamoDbStreamsClient } from '../dynamodb/api.ts';
import type { RoleRegistry } from '../iam/roles.ts';
import { sqsClient } from '../sqs/api.ts';
import { type EventSourceMapping, startEventSourceMapping } from './event-sources/queue-mapping.ts';
import { startStreamMapping } from './event-sources/stream-mapping.ts';
import { compileFilters } from './event-sources/stream-records.ts';
import type { FunctionRegistry } from './functions.ts';

const common = {
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  MaximumBatchingWindowInSeconds: wholeNumber.min(0).max(300).default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  Enabled: z.boolean().default(true),
  Tags: inert,
};

const queueSchema = z.strictObject({
  ...common,
  BatchSize: wholeNumber.min(1).max(10_000).default(10),
  ScalingConfig: z.strictObject({ MaximumConcurrency: wholeNumber.min(2) }).optional(),
});

const streamSchema = z
  .strictObject({
    ...common,
    BatchSize: wholeNumber.min(1).max(10_000).default(100),
    StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
    BisectBatchOnFunctionError: z.boolean().default(false),
    MaximumRetryAttempts: wholeNumber.min(-1).max(10_000).default(-1),
    MaximumRecordAgeInSeconds: wholeNumber
      .refine((age) => age === -1 || (age >= 60 && age <= 604_800), 'expected -1, or 60 to 604800')
      .default(-1),
    ParallelizationFactor: wholeNumber.min(1).max(10).default(1),
    FilterCriteria: z
      .strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })).default([]) })
      .default({ Filters: [] }),
    TumblingWindowInSeconds: wholeNumber.min(0).max(900).default(0),
    DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }).optional(),
  })
  .refine(
    ({ TumblingWindowInSeconds, ParallelizationFactor }) =>
      TumblingWindowInSeconds === 0 || ParallelizationFactor === 1,
    'a tumbling window needs a ParallelizationFactor of 1',
  );

/** The parts of a run that mappings use. */
interface MappingParts {
  readonly endpoints: ServiceEndpoints;
  readonly functions: FunctionRegistry;
  readonly roles: Pick<RoleRegistry, 'require'>;
  /** Mappings are added here when they start. */
  readonly mappings: EventSourceMapping[];
  /** Shows a line at the terminal. */
  note(line: string): void;
}

export function eventSourceMappingCreator(run: MappingParts): CreateResource {
  return async (request) => {
    const source = String(request.properties.EventSourceArn);
    if (source.startsWith('arn:aws:sqs:')) await mapQueue(request, run);
    else if (/^arn:aws:dynamodb:.*\/stream\//.test(source)) await mapStream(request, run);
    else {
      throw new NotOnOneMachine(
        `an event source other than an SQS queue or a DynamoDB stream is not supported on one machine: ${source}`,
      );
    }
    return { ref: physicalName(request, 255) };
  };
}

async function mapQueue(request: ResourceRequest, run: MappingParts): Promise<void> {
  const properties = readProperties(queueSchema, request);
  const { definition, pool } = run.functions.inTemplate(properties.FunctionName);
  await run.roles.require(definition, permissions(queueCalls, properties.EventSourceArn));
  if (!properties.Enabled) return;
  const client = sqsClient(String(run.endpoints.SQS), pollerSettings(definition));
  const mapping = startEventSourceMapping({
    client,
    queueUrl: queueUrlOf(properties.EventSourceArn, run),
    queueArn: properties.EventSourceArn,
    batchSize: properties.BatchSize,
    windowSeconds: properties.MaximumBatchingWindowInSeconds,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    concurrency: Math.min(pool.limit, properties.ScalingConfig?.MaximumConcurrency ?? pool.limit),
    invoke: (event) => pool.invoke(event),
    onTrouble: (message) => run.note(`${definition.label}: ${message}`),
  });
  run.mappings.push(withClients(mapping, client));
}

/** Batches of a stream wait to save writes. Those cost nothing here, and figures that follow soon are worth more. */
const maxStreamWindowSeconds = 2;

async function mapStream(request: ResourceRequest, run: MappingParts): Promise<void> {
  const properties = readProperties(streamSchema, request);
  const accepts = compileFilters(properties.FilterCriteria.Filters.map(({ Pattern }) => Pattern));
  const destination = properties.DestinationConfig?.OnFailure.Destination;
  const failuresQueueUrl = destination === undefined ? undefined : queueUrlOf(destination, run);
  const { arn, definition, pool } = run.functions.inTemplate(properties.FunctionName);
  await run.roles.require(definition, [
    ...permissions(streamCalls, properties.EventSourceArn),
    ...(destination === undefined ? [] : permissions(['sqs:SendMessage'], destination)),
  ]);
  if (!properties.Enabled) return;
  const settings = pollerSettings(definition);
  const client = dynamoDbStreamsClient(String(run.endpoints.DYNAMODB), settings);
  const sqs = sqsClient(String(run.endpoints.SQS), settings);
  const mapping = startStreamMapping({
    client,
    streamArn: properties.EventSourceArn,
    functionArn: arn,
    startingPosition: properties.StartingPosition,
    batchSize: properties.BatchSize,
    windowSeconds: Math.min(maxStreamWindowSeconds, properties.MaximumBatchingWindowInSeconds),
    tumblingWindowSeconds: properties.TumblingWindowInSeconds,
    parallelizationFactor: properties.ParallelizationFactor,
    maximumRetryAttempts: properties.MaximumRetryAttempts,
    maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
    bisectsOnError: properties.BisectBatchOnFunctionError,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    accepts,
    now: Date.now,
    onAge: (ms) => pool.metrics.iteratorAge(ms),
    invoke: (event) => pool.invoke(event),
    async sendFailure(message) {
      if (failuresQueueUrl === undefined) return;
      const MessageBody = JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl: failuresQueueUrl, MessageBody }));
    },
    onTrouble: (message) => run.note(`${definition.label}: ${message}`),
  });
  run.mappings.push(withClients(mapping, client, sqs));
}

function withClients(
  mapping: EventSourceMapping,
  ...clients: readonly { destroy(): void }[]
): EventSourceMapping {
  return {
    async stop() {
      await mapping.stop();
      for (const client of clients) client.destroy();
    },
  };
}

/** The calls that Lambda makes under a function's role (Lambda Developer Guide, "Configuring permissions", for Amazon SQS). */
const queueCalls = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** The calls for DynamoDB streams. */
const streamCalls = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (call) => `dynamodb:${call}`,
);

function permissions(actions: readonly string[], resource: string): Permission[] {
  return actions.map((action) => ({ action, resource }));
}

/** @throws NotOnOneMachine for an ARN that is not a queue's */
function queueUrlOf(queueArn: string, { endpoints }: MappingParts): string {
  const [, , service, , , queueName] = queueArn.split(':');
  if (service === 'sqs' && queueName !== undefined) return `${endpoints.SQS}/000000000000/${queueName}`;
  throw new NotOnOneMachine(`${queueArn} is not an SQS queue: only queues are supported here on one machine`);
}
