import { posix } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { type EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../../functions/bus/event-types.ts';
import {
  ConsumedQueue,
  type ConsumedQueueProps,
  type ConsumedQueueTexts,
} from '../building-blocks/consumed-queue.ts';
import type { FunctionContext } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import type { PipelineOptions } from '../props/options.ts';
import { queueRetentionDays } from '../props/queue-timing.ts';

/** The input of every automation. */
export interface AutomationProps extends FunctionContext {
  readonly eventBus: EventBus;
}

/**
 * The maximum of SQS: with a visibility timeout of six minutes, a function that cannot run moves a message to the dead-letter queue
 * after about four days only. The function itself sends abandoned events there, at once or after the waits of its schedule.
 */
const maxReceiveCount = 1000;

/** The third attempt fails after two and a half minutes, the fourth after twelve and a half. */
const failingAfter = Duration.minutes(10);

export interface EventAutomationProps
  extends Omit<ConsumedQueueProps, 'texts' | 'maxReceiveCount'>,
    Pick<EventRulesProps, 'eventBus' | 'patterns'> {
  /** The impact of a failure; the beginning of a sentence, for example "Contacts are not updated". */
  readonly loss: string;
}

/**
 * An automation: rules of the bus put events into a queue, from which a function reads them. The function may send abandoned events
 * to the dead-letter queue.
 */
export class EventAutomation extends ConsumedQueue {
  constructor(scope: Construct, id: string, { loss, eventBus, patterns, ...props }: EventAutomationProps) {
    const { behindAfter = Duration.hours(1), consumer } = props;
    const automation = posix.basename(consumer.name);
    super(scope, id, {
      ...props,
      maxReceiveCount,
      behindAfter,
      failingAfter,
      texts: alarmTexts(automation, loss, behindAfter),
    });
    this.consumer.function.addEnvironment('QUEUE_URL', this.queue.queueUrl);
    this.consumer.function.addEnvironment('DEAD_LETTER_QUEUE_URL', this.deadLetterQueue.queueUrl);
    this.deadLetterQueue.grant(this.consumer.function, 'sqs:SendMessage');
    new EventRules(this, 'Rules', {
      automation,
      eventBus,
      queue: this.queue,
      patterns,
      alarms: consumer.options.alarms,
    });
  }
}

export interface EventRulesProps {
  /** The name of the automation, for example "opt-out". */
  readonly automation: string;
  readonly eventBus: EventBus;
  readonly queue: Queue;
  /** The patterns of the pipeline's events, by the id of their rule. */
  readonly patterns: Readonly<Record<string, Omit<EventPattern, 'source'>>>;
  readonly alarms: PipelineOptions['alarms'];
}

/**
 * Rules that put whole events of the pipeline into a queue. Events that EventBridge cannot or may not deliver for 24 hours go to a
 * dead-letter queue of the rules' targets.
 */
export class EventRules extends Construct {
  constructor(scope: Construct, id: string, props: EventRulesProps) {
    super(scope, id);
    const { automation, eventBus, queue, alarms } = props;
    const undelivered = new DeadLetterQueue(this, 'Undelivered');
    for (const [name, pattern] of Object.entries(props.patterns))
      new Rule(this, name, {
        description: `Events for the automation "${automation}".`,
        eventBus,
        eventPattern: { source: [eventSource], ...pattern },
        targets: [new SqsQueue(queue, { deadLetterQueue: undelivered })],
      });
    new OperatorAlarm(this, 'UndeliveredPresent', {
      metric: undelivered.metricDeadLetters(),
      runbook: 'An automation fails',
      cause: `EventBridge could not put an event into the queue of the automation "${automation}": the queue's policy was changed, or SQS failed for a day.`,
      impact: `The automation does not receive it; the queue of undelivered events keeps it for ${queueRetentionDays} days.`,
      firstStep:
        'Read the attribute ERROR_MESSAGE of a message there, deploy to repair the policy, have the archive deliver that time again with "sms events replay" (SQS cannot redrive a queue that a rule fills), then delete the messages.',
      alarms,
    });
  }
}

function alarmTexts(automation: string, loss: string, behindAfter: Duration): ConsumedQueueTexts {
  const runbook = 'An automation fails';
  return {
    deadLetters: {
      runbook,
      cause: `The automation "${automation}" abandoned an event: its retries are used up, it can never succeed, or it ended the function again and again.`,
      impact: `${loss}; the dead-letter queue keeps the events for up to ${queueRetentionDays} days.`,
      firstStep: `Read AUTOMATION-03 in the log group of "${automation}" for the reason, fix it, then redrive the dead-letter queue (SQS console, Start DLQ redrive, to a custom destination: the queue of the automation).`,
    },
    behind: {
      runbook,
      cause: `The automation "${automation}" is throttled, not started, or too slow for the incoming events.`,
      impact: `${loss} for ${behindAfter.toMinutes()} minutes or more; events wait in its queue.`,
      firstStep: `Look at errors, throttles and duration of "${automation}".`,
    },
    failing: {
      runbook,
      cause: `An event has failed in the automation "${automation}" for ${failingAfter.toMinutes()} minutes: the service that it calls is down, or rejects it.`,
      impact: `${loss}; the event is retried at growing intervals.`,
      firstStep: `Read AUTOMATION-01 in the log group of "${automation}" for the reason. A return to OK only means that there was no recent attempt.`,
    },
    errors: {
      runbook,
      cause: `The automation "${automation}" crashes, times out or cannot start, so its whole batches are retried.`,
      impact: `${loss}, and events end in its dead-letter queue if this continues.`,
      firstStep: `Read the error in the log group of "${automation}". If it began with a deployment, fix it and deploy again.`,
    },
  };
}
