import { Lazy, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { driftPrefix } from '../../functions/history/index.ts';
import type { FurtherSource } from '../../functions/query/index.ts';
import { allowOnItemsBelow, allowOnPattern, allowOnTable } from '../building-blocks/grants.ts';
import {
  envNumber,
  type FunctionContext,
  LambdaFunction,
  onOrOff,
} from '../building-blocks/lambda-function.ts';
import type { PipelineOptions } from '../options/options.ts';
import { groupsClaimOf } from '../query/query-function.ts';
import type { EventsQueue } from '../receive/events-queue.ts';
import type { Source } from '../receive/source.ts';

export interface ConsoleFunctionProps extends FunctionContext {
  readonly events: EventsQueue;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly webhookStateTable: Table;
}

/** What the health shows of a source. */
type WatchedSource = Pick<Source, 'worker' | 'webhookStateTable'>;

/**
 * Answers the health and replays for users of the console. The function may read and remove single entries of the quarantine, queue events,
 * count the messages of two queues of each source, and read the state of its webhook, of alarms, and the contract's
 * drift. It reads neither messages nor a secret.
 */
export class ConsoleFunction extends LambdaFunction {
  private readonly further: FurtherSource[];

  constructor(scope: Construct, id: string, props: ConsoleFunctionProps) {
    const { options, events, historyTable, quarantineTable, webhookStateTable } = props;
    const further: FurtherSource[] = [];
    super(scope, id, {
      ...props,
      name: 'console',
      isAudited: true,
      description: 'Answers the health and replays for users of the console.',
      memoryMiB: 512,
      timeoutSeconds: 10,
      environment: {
        EVENTS_QUEUE_URL: events.queue.queueUrl,
        DEAD_LETTER_QUEUE_URL: events.deadLetterQueue.queueUrl,
        HISTORY_TABLE_NAME: historyTable.tableName,
        QUARANTINE_TABLE_NAME: quarantineTable.tableName,
        LIST_SHARDS: envNumber(options.listShards),
        WEBHOOK_STATE_TABLE_NAME: webhookStateTable.tableName,
        GROUPS_CLAIM: groupsClaimOf(options),
        REGISTRATION: onOrOff(options.registration),
        STACK_NAME: options.stackName,
        // More sources may be added until synthesis.
        FURTHER_SOURCES: Lazy.string({ produce: () => Stack.of(scope).toJsonString(further) }),
      },
    });
    allowOnItemsBelow(this.function, historyTable, 'drift#' satisfies typeof driftPrefix, 'GetItem');
    allowOnTable(this.function, quarantineTable, 'GetItem', 'DeleteItem');
    this.further = further;
    this.allowHealthOf({ worker: events, webhookStateTable }, 'sqs:SendMessage');
    allowOnPattern(this, this.function, {
      actions: ['cloudwatch:DescribeAlarms'],
      resourceArn: '*',
      reason: 'CloudWatch shows composite alarms only to those who may read all alarms of the account.',
    });
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: the page shows a failure, and its user tries again.',
    });
  }

  /** Shows the health of a further source, too. */
  addSource(
    { source, registration }: Pick<PipelineOptions, 'source' | 'registration'>,
    parts: WatchedSource,
  ): void {
    this.further.push({
      source,
      events: parts.worker.queue.queueName,
      deadLetters: parts.worker.deadLetterQueue.queueName,
      state: parts.webhookStateTable.tableName,
      registers: registration,
    });
    this.allowHealthOf(parts);
  }

  /** @param onEvents further calls on the queue of events */
  private allowHealthOf({ worker, webhookStateTable }: WatchedSource, ...onEvents: readonly string[]): void {
    allowOnTable(this.function, webhookStateTable, 'GetItem', 'Query');
    worker.queue.grant(this.function, 'sqs:GetQueueAttributes', ...onEvents);
    worker.deadLetterQueue.grant(this.function, 'sqs:GetQueueAttributes');
  }
}
