import { posix } from 'node:path';
import type { CloudWatchClient, GetMetricStatisticsCommandInput } from '@aws-sdk/client-cloudwatch';
import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { SNSClient } from '@aws-sdk/client-sns';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { splitId } from '../../../contract/events/source-id.ts';
import { type RingingAlarm, readRingingAlarms } from '../../../functions/base/alarms-client.ts';
import { metricNames } from '../../../functions/base/metrics.ts';
import { createQueueCount } from '../../../functions/base/sqs-queue.ts';
import { messageKey, probeMessagePrefix } from '../../../functions/history/index.ts';
import { parseJson } from '../../text/format.ts';
import { CommandFailure } from '../errors.ts';
import { type AlarmAccess, createAlarmAccess } from './alarms.ts';
import { deadLetterQueueNames } from './dead-letter-queues.ts';
import type { PipelineOutputs, StackState } from './outputs.ts';

/** A queue that a function reads. The counts are approximate. */
export interface QueueState {
  /** The stack output that holds its URL. */
  readonly name: string;
  readonly waiting: number;
  readonly inFlight: number;
  /** The age of the oldest message in seconds; undefined if no metric has it. */
  readonly oldestSeconds: number | undefined;
}

/** A topic that notifies people. */
export interface TopicState {
  /** The stack output that holds its ARN. */
  readonly name: string;
  readonly arn: string;
  /** Undefined for a topic that does not exist. */
  readonly settings: TopicSettings | undefined;
}

interface TopicSettings {
  readonly confirmed: number;
  /** Subscriptions whose owner has not followed the link yet. */
  readonly pending: number;
  /** The key that encrypts it, as it was given; undefined for none. */
  readonly key: string | undefined;
}

/** The parts of a pipeline that a test message passes. */
export interface ProbeAccess {
  /** Waits up to two seconds for the event about a test message, and removes it from its queue. @returns whether it has come */
  receive(messageId: string): Promise<boolean>;
  /** Deletes a test message from the history. @throws RangeError for any other message */
  remove(messageId: string): Promise<void>;
}

/** What `sms doctor` looks at, in addition to the parts that other commands use. */
export interface Inspection {
  /** Reads the stack of the pipeline; undefined for a missing one. */
  stack(): Promise<StackState | undefined>;
  queues(): Promise<readonly QueueState[]>;
  topics(): Promise<readonly TopicState[]>;
  alarms(): Promise<AlarmAccess>;
  /** Reads how many functions may run at once in the account and region. */
  maxConcurrency(): Promise<number>;
  /** Reads the alarms that are on. */
  alarmsOn(): Promise<readonly RingingAlarm[]>;
  probe(): Promise<ProbeAccess>;
}

interface InspectionParts {
  readonly outputs: PipelineOutputs;
  /** The outputs of all sources, whichever the command names. */
  readonly allOutputs: Pick<PipelineOutputs, 'all'>;
  /** Whether the pipeline runs on this machine, which has no metrics, and none of the topics that the user made. */
  readonly local: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sqs: () => Promise<SQSClient>;
  readonly sns: () => Promise<SNSClient>;
  readonly dynamoDb: () => Promise<DynamoDBClient>;
  readonly cloudWatch: () => Promise<CloudWatchClient>;
  readonly lambda: () => Promise<LambdaClient>;
}

const queueOutput = /QueueUrl$/;
/** Only `sms doctor` reads this queue. */
const probeQueue = 'ProbeQueueUrl';
const ageMetric = { Namespace: 'AWS/SQS', MetricName: 'ApproximateAgeOfOldestMessage' };

function nameOf(queueUrl: string): string {
  return posix.basename(new URL(queueUrl).pathname);
}

/** Returns the function that reads a queue, as its metrics name it: `opt-out` for `OptOutQueueUrl`, `worker-backup` for `SourceBackupEventsQueueUrl`. */
function consumerOf(queue: string): string {
  const [, source] = /^Source(\w+)EventsQueueUrl$/.exec(queue) ?? [];
  if (source !== undefined) return `worker-${kebab(source)}`;
  const [, owner = ''] = /^(\w+)QueueUrl$/.exec(queue) ?? [];
  return owner === 'Events' ? 'worker' : kebab(owner);
}

/** `OptOut` becomes `opt-out`, and `PlanB` becomes `plan-b`. */
const kebab = (words: string) => words.replaceAll(/(?<!^)(?=[A-Z])/g, '-').toLowerCase();

const topicOutput = /TopicArn$/;
/** The topic that the pipeline makes itself. The user makes the others. */
const ownTopic = 'NoticesTopicArn';

export function createInspection({
  outputs,
  allOutputs,
  local,
  now,
  ...clients
}: InspectionParts): Inspection {
  const entriesOf = async (name: RegExp): Promise<readonly (readonly [string, string])[]> => {
    return Object.entries(await allOutputs.all()).filter(([key]) => name.test(key));
  };

  /** SQS leaves messages out of its metric that were received three times. Functions measure these. */
  async function oldest(name: string, url: string): Promise<number | undefined> {
    const client = await clients.cloudWatch();
    const { MetricsNamespace: namespace } = await outputs.all();
    const [waiting, failing] = await Promise.all([
      newestMaximum(client, { ...ageMetric, Dimensions: [{ Name: 'QueueName', Value: nameOf(url) }] }, now()),
      newestMaximum(
        client,
        {
          Namespace: namespace,
          MetricName: metricNames.failingFor,
          Dimensions: [{ Name: 'service', Value: consumerOf(name) }],
        },
        now(),
      ),
    ]);
    if (failing === undefined) return waiting;
    return Math.max(waiting ?? 0, failing / 1000);
  }

  return {
    stack: outputs.state,

    async maxConcurrency() {
      const { AccountLimit } = await (await clients.lambda()).send(new GetAccountSettingsCommand({}));
      if (AccountLimit?.ConcurrentExecutions === undefined)
        throw new CommandFailure('Lambda does not report its quota of concurrent executions.');
      return AccountLimit.ConcurrentExecutions;
    },

    async alarmsOn() {
      const stack = await outputs.state();
      return stack === undefined ? [] : readRingingAlarms(await clients.cloudWatch(), stack.name);
    },

    async queues() {
      const all = await entriesOf(queueOutput);
      const deadLetters = new Set(deadLetterQueueNames(Object.fromEntries(all)).map(({ name }) => name));
      const sqs = await clients.sqs();
      const read = all.filter(([name]) => !deadLetters.has(name) && name !== probeQueue);
      return Promise.all(
        read.map(async ([name, url]) => {
          const { waiting, inFlight } = await createQueueCount(sqs, name, url)();
          const isAged = waiting + inFlight > 0 && !local;
          return {
            name,
            waiting,
            inFlight,
            oldestSeconds: isAged ? await oldest(name, url) : undefined,
          };
        }),
      );
    },

    async topics() {
      const arns = (await entriesOf(topicOutput)).filter(([name]) => !local || name === ownTopic);
      const sns = await clients.sns();
      return Promise.all(
        arns.map(async ([name, arn]) => ({ name, arn, settings: await topicSettings(sns, arn) })),
      );
    },

    async alarms() {
      return createAlarmAccess(await clients.cloudWatch());
    },

    async probe() {
      const queueUrl = () => outputs.output(probeQueue);
      const table = await outputs.output('HistoryTableName');
      return createProbeAccess(await clients.sqs(), queueUrl, await clients.dynamoDb(), table);
    },
  };
}

/** Returns the newest maximum of a metric within ten minutes. SQS publishes ages as a metric only, each minute. */
async function newestMaximum(
  client: CloudWatchClient,
  metric: Pick<GetMetricStatisticsCommandInput, 'Namespace' | 'MetricName' | 'Dimensions'>,
  now: number,
): Promise<number | undefined> {
  const { GetMetricStatisticsCommand } = await import('@aws-sdk/client-cloudwatch');
  const { Datapoints = [] } = await client.send(
    new GetMetricStatisticsCommand({
      ...metric,
      StartTime: new Date(now - 10 * 60_000),
      EndTime: new Date(now),
      Period: 60,
      Statistics: ['Maximum'],
    }),
  );
  const newest = Datapoints.toSorted((a, b) => Number(b.Timestamp) - Number(a.Timestamp)).at(0);
  return newest?.Maximum;
}

async function topicSettings(client: SNSClient, TopicArn: string): Promise<TopicSettings | undefined> {
  const { GetTopicAttributesCommand, NotFoundException } = await import('@aws-sdk/client-sns');
  try {
    const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
    return {
      confirmed: Number(Attributes.SubscriptionsConfirmed ?? 0),
      pending: Number(Attributes.SubscriptionsPending ?? 0),
      key: Attributes.KmsMasterKeyId,
    };
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}

/** The part of an event that names its message. */
const eventSchema = z.object({ detail: z.object({ messageId: z.string() }) });

function createProbeAccess(
  sqs: SQSClient,
  queueUrl: () => Promise<string>,
  dynamoDb: DynamoDBClient,
  table: string,
): ProbeAccess {
  return {
    async receive(messageId) {
      const QueueUrl = await queueUrl();
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 2,
          // Another run of the command finds its event a moment later.
          VisibilityTimeout: 2,
        }),
      );
      const own = Messages.filter(
        ({ Body = '' }) => eventSchema.safeParse(parseJson(Body)).data?.detail.messageId === messageId,
      );
      for (const { ReceiptHandle } of own)
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      return own.length > 0;
    },

    async remove(messageId) {
      if (!splitId(messageId).id.startsWith(probeMessagePrefix)) throw new RangeError('not a test message');
      await dynamoDb.send(
        new DeleteItemCommand({ TableName: table, Key: { pk: { S: messageKey(messageId) } } }),
      );
    },
  };
}
