import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { itemKinds } from '../../functions/publisher/item-kinds.ts';
import { allowPutEvents } from '../building-blocks/grants.ts';
import { type FunctionDefaults, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import { queueRetentionDays } from '../settings/queue-timing.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface PublisherProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  /** With a stream of new and old images. */
  readonly historyTable: Table;
  readonly eventBus: EventBus;
  readonly alarmTopic: ITopic | undefined;
}

/** What history says anew: not what erasure and age take away, and no other items than these. */
const worthPublishing = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    Keys: { pk: { S: itemKinds.map(({ prefix }) => ({ prefix })) } },
  },
};

const minute = Duration.minutes(1);

/**
 * Turns changes of the history table into events on the bus, in order for each item. The function may read the stream, put
 * events on the bus, and keep in a queue what can never be published. A batch that fails comes again until the stream forgets it.
 */
export class Publisher extends LambdaFunction {
  readonly failures: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: PublisherProps) {
    const { settings, historyTable, eventBus } = props;
    super(scope, id, {
      ...props.defaults,
      name: 'publisher',
      description: 'Publishes what is new in the delivery history to the event bus.',
      memoryMiB: 512,
      timeoutSeconds: 60,
      environment: {
        EVENT_BUS_NAME: eventBus.eventBusName,
        EVERY_EVENT: settings.everyEvent,
      },
    });
    this.failures = new DeadLetterQueue(this, 'Failures');
    this.function.addEnvironment('FAILURES_QUEUE_URL', this.failures.queueUrl);
    this.failures.grant(this.function, 'sqs:SendMessage');
    allowPutEvents(this.function, eventBus);
    this.readStream(historyTable, settings.publisherParallelism);
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by a stream only, which is synchronous: what cannot be published goes to the failures queue of the event source mapping.',
    });
    this.addAlarms(props.alarmTopic);
  }

  /** Not through DynamoEventSource: its grants add calls that nobody makes. */
  private readStream({ tableStreamArn }: Table, parallelizationFactor: number): void {
    if (tableStreamArn === undefined) throw new Error('the history table has no stream');
    const calls = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    Grant.addToPrincipal({
      grantee: this.function,
      actions: calls.map((call) => `dynamodb:${call}`),
      resourceArns: [tableStreamArn],
    });
    this.function.addEventSourceMapping('Changes', {
      eventSourceArn: tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      maxBatchingWindow: Duration.seconds(1),
      parallelizationFactor,
      // Before the stream forgets them, so that what is given up is told.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: [FilterCriteria.filter(worthPublishing)],
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
    });
  }

  private addAlarms(topic: ITopic | undefined): void {
    const late =
      'Automations start late; events wait in the stream of the history table for up to 24 hours and are lost to the bus after that, though never to history.';
    new OperatorAlarm(this, 'PublisherBehind', {
      metric: this.function.metric('IteratorAge', { period: minute, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
      evaluationPeriods: 3,
      runbook: 'Events are not published',
      cause:
        'Changes of history wait for five minutes to be published: the event bus throttles or fails, or the function "publisher" fails or cannot keep up.',
      impact: late,
      firstStep:
        'Read PUBLISH-01 in the log group of "publisher" and look at its errors, throttles and duration; ask for a higher PutEvents quota if EventBridge throttles, raise sms:publisherParallelism if it is healthy but busy.',
      topic,
    });
    new OperatorAlarm(this, 'PublisherErrors', {
      metric: this.function.metricErrors({ period: minute, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      runbook: 'Events are not published',
      cause:
        'The function "publisher" crashes, times out or cannot start, so its whole batches are tried again, halved each time.',
      impact: late,
      firstStep:
        'Read the error in the log group of "publisher". If it began with a deployment, go back to the one before.',
      topic,
    });
    new OperatorAlarm(this, 'PublisherThrottled', {
      metric: this.function.metricThrottles({ period: minute, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      runbook: 'Events are not published',
      cause:
        'Lambda refuses to start the function "publisher": the account\'s concurrent executions are used up, or somebody gave the function too few of its own.',
      impact: late,
      firstStep:
        'Look at ConcurrentExecutions of the account and at the function\'s reserved concurrency, which the stack does not set; end what uses them up, or ask for a higher quota of Lambda ("Concurrent executions", Service Quotas).',
      topic,
    });
    new OperatorAlarm(this, 'PublishRefused', {
      metric: this.metricCounted('PublishRefused'),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'PublishRefused, PublisherFailuresPresent',
      cause: 'EventBridge refused an event for good, for example because it is too large.',
      impact:
        'No automation hears of it; it is in the delivery history, and its ids are in the failures queue.',
      firstStep:
        'Read PUBLISH-02 in the log group of "publisher", then look the ids up in the history and do by hand what the automations would have done.',
      topic,
    });
    new OperatorAlarm(this, 'PublisherFailuresPresent', {
      metric: this.failures.metricApproximateNumberOfMessagesVisible({
        period: minute,
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'PublishRefused, PublisherFailuresPresent',
      cause:
        'Changes of history could not be published: EventBridge refused an event for good, or they failed until the stream forgot them.',
      impact: `No automation hears of them; they are in the delivery history. The queue keeps what it knows of them for ${queueRetentionDays} days.`,
      firstStep:
        'Read the messages of the failures queue (output PublisherFailuresQueueUrl) and the log group of "publisher" at their time, look the ids up in the history, then delete them.',
      topic,
    });
  }
}
