import { Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { driftPrefix } from '../../functions/history/index.ts';
import { allowGetItemsBelow, allowOnPattern, allowOnTable } from '../building-blocks/grants.ts';
import {
  envNumber,
  type FunctionContext,
  LambdaFunction,
  onOrOff,
} from '../building-blocks/lambda-function.ts';
import { groupsClaimOf } from '../query/query-function.ts';
import type { EventsQueue } from '../receive/events-queue.ts';

export interface ConsoleFunctionProps extends FunctionContext {
  readonly events: EventsQueue;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly webhookStateTable: Table;
}

/**
 * Answers the health and replays for users of the console. The function may read and remove single entries of the quarantine, queue events,
 * count the messages of two queues, and read the state of the webhook and of alarms, and the contract's
 * drift. It reads neither messages nor a secret.
 */
export class ConsoleFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ConsoleFunctionProps) {
    const { options, events, historyTable, quarantineTable, webhookStateTable } = props;
    super(scope, id, {
      ...props,
      name: 'console',
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
      },
    });
    allowGetItemsBelow(this.function, historyTable, 'drift#' satisfies typeof driftPrefix);
    allowOnTable(this.function, quarantineTable, 'GetItem', 'DeleteItem');
    allowOnTable(this.function, webhookStateTable, 'GetItem', 'Query');
    const allowOnQueue = (resourceArn: string, ...calls: readonly string[]) =>
      Grant.addToPrincipal({
        grantee: this.function,
        actions: calls.map((call) => `sqs:${call}`),
        resourceArns: [resourceArn],
      });
    allowOnQueue(events.queue.queueArn, 'GetQueueAttributes', 'SendMessage');
    allowOnQueue(events.deadLetterQueue.queueArn, 'GetQueueAttributes');
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
}
