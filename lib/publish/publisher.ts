import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { publishedPrefixes } from '../../functions/publish/index.ts';
import { allowPutEvents, allowStream } from '../building-blocks/grants.ts';
import { type FunctionContext, LambdaFunction, onOrOff } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import { queueRetentionDays } from '../options/queue-timing.ts';

export interface PublisherProps extends FunctionContext {
  /** A table with a stream of new and old images. */
  readonly historyTable: Table;
  readonly eventBus: IEventBus;
}

/** Selects new and changed items of these kinds: deletions by erasure and age are not published. */
const publishedChanges = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    Keys: { pk: { S: publishedPrefixes.map((prefix) => ({ prefix })) } },
  },
};

const everyMinute = { period: Duration.minutes(1), statistic: 'Sum' };

/**
 * Turns changes of the history table into events on the bus, in order for each item. The function may read the stream, put
 * events on the bus, and keep events that can never be published in a queue. A batch that fails is retried until the stream drops it.
 */
export class PublisherFunction extends LambdaFunction {
  readonly failures: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: PublisherProps) {
    const { options, historyTable, eventBus } = props;
    super(scope, id, {
      ...props,
      name: 'publisher',
      description: 'Publishes changes of the delivery history to the event bus.',
      memoryMiB: 512,
      timeoutSeconds: 60,
      environment: {
        EVENT_BUS_NAME: eventBus.eventBusName,
        PIPELINE_NAME: options.name,
        EVERY_EVENT: onOrOff(options.events.everyEvent),
      },
    });
    this.failures = new DeadLetterQueue(this, 'Failures');
    this.function.addEnvironment('FAILURES_QUEUE_URL', this.failures.queueUrl);
    this.failures.grant(this.function, 'sqs:SendMessage');
    allowPutEvents(this.function, eventBus);
    this.readStream(historyTable, options.events.parallelism);
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by a stream only, which is synchronous: unpublishable events go to the failures queue of the event source mapping.',
    });
    this.addAlarms();
  }

  private readStream(historyTable: Table, parallelizationFactor: number): void {
    this.function.addEventSourceMapping('Changes', {
      eventSourceArn: allowStream(this, this.function, historyTable),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Written out, because the window of a mapping that leaves it out stays as it was.
      maxBatchingWindow: Duration.seconds(0),
      parallelizationFactor,
      // Shorter than the stream's 24 hours, so that abandoned changes reach the failures queue.
      maxRecordAge: Duration.hours(23),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: [FilterCriteria.filter(publishedChanges)],
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
    });
  }

  private addAlarms(): void {
    const severity = 'EventsNotPublished';
    const runbook = 'Events are not published';
    const impact =
      'Automations start late; events wait in the stream of the history table for up to 24 hours. After that they are lost to the bus, though never to history.';
    this.addAlarm('PublisherBehind', {
      metric: this.function.metric('IteratorAge', { ...everyMinute, statistic: 'Maximum' }),
      threshold: Duration.minutes(5).toMilliseconds(),
      evaluationPeriods: 3,
      severity,
      runbook,
      cause:
        'Changes of history wait to be published: the event bus throttles or fails, or the function "publisher" fails or is too slow.',
      impact,
      firstStep:
        'Read PUBLISH-01 in the log group of "publisher" and look at its errors, throttles and duration; ask for a higher PutEvents quota if EventBridge throttles, raise events.parallelism (setting sms:publisherParallelism) if it is healthy but busy.',
    });
    this.addAlarm('PublisherErrors', {
      metric: sumOf(
        {
          errors: this.function.metricErrors(everyMinute),
          throttles: this.function.metricThrottles(everyMinute),
        },
        everyMinute.period,
      ),
      evaluationPeriods: 3,
      severity,
      runbook,
      cause:
        'The function "publisher" crashes, times out or cannot start (Errors), or Lambda does not start it (Throttles).',
      impact,
      firstStep:
        "Read the error in its log group; if it began with a deployment, return to the version before. No error there: look at ConcurrentExecutions of the account and at the function's reserved concurrency, which the stack does not set.",
    });
    // An event that the bus rejects for good is counted as PublishRefused after it is in this queue.
    this.addAlarm('PublisherFailuresPresent', {
      metric: this.failures.metricDeadLetters(),
      severity: 'page',
      runbook: 'PublisherFailuresPresent',
      cause:
        'Changes of history could not be published: EventBridge rejected an event for good, or they failed until the stream dropped them.',
      impact: `No automation receives them; they are in the delivery history. The queue keeps their ids for ${queueRetentionDays} days.`,
      firstStep:
        'Read the messages of the failures queue (output PublisherFailuresQueueUrl) and PUBLISH-02 in the log group of "publisher", look the ids up in the history, do the work of the automations by hand, then delete the messages.',
    });
  }
}
