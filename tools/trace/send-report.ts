import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { signRequest } from '../../contract/signature/sign.ts';
import { decodeEnvelope } from '../../functions/receive/index.ts';
import { dynamoDbStreamsClient } from '../../local/services/dynamodb/api.ts';
import { recordOf } from '../../local/services/lambda/event-sources/queue-batches.ts';
import { streamRecordOf } from '../../local/services/lambda/event-sources/stream-records.ts';
import { shippedContract } from '../support/contracts.ts';
import { httpApiEvent, lambdaContext, waitLongForAws } from '../support/lambda-events.ts';
import { localBus } from '../support/local-bus.ts';
import type { RunningPipeline } from '../support/local-pipeline.ts';
import { until } from '../support/until.ts';
import { type TracedFile, tracedFiles } from './coverage.ts';
import { type Hop, type HopName, hopsOf } from './hops.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Sends one signed report through the handlers of ingest, worker and publisher in this process, against the services of a local run.
 * The handlers have a queue and a table of their own, so that the run's own functions leave the report alone.
 *
 * Another report goes first: loading, starting and first connections are in no hop.
 */
export async function traceReport(pipeline: RunningPipeline): Promise<Hop[]> {
  const services = await createServices(pipeline);
  Object.assign(process.env, handlerEnvironment(pipeline, services));
  const handlers = await loadHandlers();
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const send = (messageId: string) => sendReport(messageId, pipeline, services, handlers, session);
    await send('trace-warm-up');
    return await send('trace');
  } finally {
    session.disconnect();
  }
}

interface Services {
  readonly eventsQueueUrl: string;
  readonly signalsQueueUrl: string;
  readonly failuresQueueUrl: string;
  readonly table: string;
  readonly streamArn: string;
}

/** Creates queues, and a table like the run's history table. */
async function createServices({ sqs, dynamoDb, outputs }: RunningPipeline): Promise<Services> {
  const queue = async (QueueName: string) =>
    (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
  const { Table: original } = await dynamoDb.send(
    new DescribeTableCommand({ TableName: outputs.HistoryTableName }),
  );
  const { TableDescription } = await dynamoDb.send(
    new CreateTableCommand({
      TableName: 'trace-history',
      AttributeDefinitions: original?.AttributeDefinitions,
      KeySchema: original?.KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: original?.GlobalSecondaryIndexes?.map(
        ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
      ),
      StreamSpecification: original?.StreamSpecification,
    }),
  );
  return {
    eventsQueueUrl: await queue('trace-events'),
    signalsQueueUrl: await queue('trace-signals'),
    failuresQueueUrl: await queue('trace-failures'),
    table: 'trace-history',
    streamArn: TableDescription?.LatestStreamArn ?? '',
  };
}

/** The environment that the stacks give ingest, worker and publisher, with the trace's own queue and table. */
export function handlerEnvironment(
  { port, outputs }: RunningPipeline,
  services: Omit<Services, 'streamArn'>,
): Record<string, string> {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port + 2}`,
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port + 3}`,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port + 4}`,
    AWS_ENDPOINT_URL_EVENTBRIDGE: `http://127.0.0.1:${port + 4}`,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_SERVICE_NAME: 'trace',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
    EVENTS_QUEUE_URL: services.eventsQueueUrl,
    SIGNALS_QUEUE_URL: services.signalsQueueUrl,
    FAILURES_QUEUE_URL: services.failuresQueueUrl,
    PARK_UNVERIFIED: 'rotating',
    ALLOWED_SOURCE_IPS: '',
    CAPTURE_UNTIL: '',
    WEBHOOK_SECRET_ID: outputs.WebhookSecretId ?? '',
    WEBHOOK_URL: outputs.WebhookUrl ?? '',
    WEBHOOK_STATE_TABLE_NAME: outputs.WebhookStateTableName ?? '',
    HISTORY_TABLE_NAME: services.table,
    QUARANTINE_TABLE_NAME: outputs.QuarantineTableName ?? '',
    RETENTION_DAYS: '400',
    QUARANTINE_RETENTION_DAYS: '90',
    LIST_SHARDS: '1',
    OPT_OUTS_BY_SOURCE: 'off',
    REGISTRATION: 'on',
    SOURCE: 'main',
    EVENT_BUS_NAME: outputs.EventBusName ?? '',
    PIPELINE_NAME: outputs.PipelineName ?? '',
    EVERY_EVENT: 'off',
  };
}

/** Loads the handlers, which read the environment while they load. */
async function loadHandlers() {
  await waitLongForAws();
  const ingest = await import('../../functions/receive/ingest/handler.ts');
  await ingest.ready;
  const worker = await import('../../functions/receive/worker/handler.ts');
  const publisher = await import('../../functions/publish/publisher/handler.ts');
  return { ingest: ingest.handler, worker: worker.handler, publisher: publisher.handler };
}

async function sendReport(
  messageId: string,
  pipeline: RunningPipeline,
  services: Services,
  handlers: Awaited<ReturnType<typeof loadHandlers>>,
  session: Session,
): Promise<Hop[]> {
  const body = JSON.stringify({
    type: 'sms.status',
    data: { id: messageId, to: '+12025550143', status: 'delivered', occurred_at: '2026-01-15T12:00:05Z' },
  });
  const request = {
    body: Buffer.from(body),
    id: `evt-${messageId}`,
    now: Date.now(),
    url: pipeline.webhookUrl,
  };
  const headers = signRequest(shippedContract.webhook.signature, request, await pipeline.webhookSecret());

  const ingest = await measure(session, () =>
    handlers.ingest(httpApiEvent({ body, headers }), lambdaContext),
  );
  const message = await until('the queue has the report', async () => {
    const QueueUrl = services.eventsQueueUrl;
    const { Messages: [received] = [] } = await pipeline.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'], WaitTimeSeconds: 5 }),
    );
    if (received === undefined) return undefined;
    const { ReceiptHandle, Body = '' } = received;
    await pipeline.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return decodeEnvelope(Body)?.signedId === request.id && received;
  });
  const record = recordOf(message, 'arn:aws:sqs:us-east-1:000000000000:trace-events');
  const worker = await measure(session, () => handlers.worker({ Records: [record] }, lambdaContext));
  const { Item } = await pipeline.dynamoDb.send(
    new GetItemCommand({ TableName: services.table, Key: { pk: { S: `message#${messageId}` } } }),
  );
  const change = await until('the stream has the change', () => streamRecord(messageId, pipeline, services));
  const publisher = await measure(session, () => handlers.publisher({ Records: [change] }, lambdaContext));
  const published = (await localBus(pipeline.port).published()).filter(
    ({ detail }) => detail.messageId === messageId,
  );
  const answers: Record<HopName, string> = {
    ingest: `POST /webhooks/sms is answered ${ingest.answer.statusCode}`,
    queue: `one message of ${message.Body?.length} bytes`,
    worker: failuresIn(worker.answer),
    table: `item ${Item?.pk?.S} with status ${Item?.status?.S}`,
    stream: `one record, ${change.eventName}`,
    publisher: failuresIn(publisher.answer),
    bus: published.map((event) => event['detail-type']).join(', ') || 'no event',
  };
  const ran = { ingest: ingest.files, worker: worker.files, publisher: publisher.files };
  return hopsOf(ran, answers);
}

function failuresIn({ batchItemFailures }: { batchItemFailures: readonly unknown[] }): string {
  return `a batch of one, ${batchItemFailures.length} failed`;
}

/** Finds the change of a message in the table's stream. */
async function streamRecord(messageId: string, { port }: RunningPipeline, { streamArn }: Services) {
  const streams = dynamoDbStreamsClient(`http://127.0.0.1:${port + 2}`);
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    const found = Records.find(({ dynamodb }) => dynamodb?.Keys?.pk?.S === `message#${messageId}`);
    if (found !== undefined) return streamRecordOf(found, streamArn);
  }
  return undefined;
}

/** Runs one invocation, and returns its answer with the product files that ran in it. Metrics that it prints are dropped. */
async function measure<Answer>(
  session: Session,
  invoke: () => Promise<Answer>,
): Promise<{ answer: Answer; files: TracedFile[] }> {
  await session.post('Profiler.takePreciseCoverage');
  const { write } = process.stdout;
  process.stdout.write = () => true;
  let answer: Answer;
  try {
    answer = await invoke();
  } finally {
    process.stdout.write = write;
  }
  // Taking the coverage sets all counts to zero.
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return { answer, files: tracedFiles(result, root) };
}
