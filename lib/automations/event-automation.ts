import { posix } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  ConsumedQueue,
  type ConsumedQueueProps,
  type ConsumedQueueTexts,
} from '../building-blocks/consumed-queue.ts';
import type { FunctionContext } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { eventsOf, type Selection } from '../building-blocks/pipeline-events.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import { queueRetentionDays } from '../options/queue-timing.ts';

/** The input of every automation. */
export interface AutomationProps extends FunctionContext {
  readonly eventBus: IEventBus;
}

/**
 * The maximum of SQS: with a visibility timeout of six minutes, a function that cannot run moves a message to the dead-letter queue
 * after about four days only. The function itself sends abandoned events there, at once or after the waits of its schedule.
 */
const maxReceiveCount = 1000;

/** The third attempt fails after two and a half minutes, the fourth after twelve and a half. */
const failingAfter = Duration.minutes(10);

export interface EventAutomationProps
  extends Omit<
      ConsumedQueueProps,
      'texts' | 'maxReceiveCount' | 'behindAfterSeconds' | 'severity' | 'automation'
    >,
    Pick<EventRulesProps, 'eventBus' | 'patterns'> {
  /** The impact of a failure; the beginning of a sentence, for example "Contacts are not updated". */
  readonly loss: string;
  /** The age of the oldest event at which the automation has fallen behind; an hour by default. */
  readonly behindAfter?: Duration;
}

/**
 * An automation: rules of the bus put events into a queue, from which a function reads them. The function may send abandoned events
 * to the dead-letter queue.
 */
export class EventAutomation extends ConsumedQueue {
  constructor(
    scope: Construct,
    id: string,
    { loss, eventBus, patterns, behindAfter = Duration.hours(1), ...props }: EventAutomationProps,
  ) {
    const { consumer } = props;
    const automation = posix.basename(consumer.name);
    super(scope, id, {
      ...props,
      maxReceiveCount,
      behindAfterSeconds: behindAfter.toSeconds(),
      failingAfter,
      severity: 'ticket',
      automation: id,
      texts: alarmTexts(automation, loss, behindAfter),
    });
    this.consumer.function.addEnvironment('QUEUE_URL', this.queue.queueUrl);
    this.consumer.function.addEnvironment('DEAD_LETTER_QUEUE_URL', this.deadLetterQueue.queueUrl);
    this.deadLetterQueue.grant(this.consumer.function, 'sqs:SendMessage');
    const { undelivered } = new EventRules(this, 'Rules', {
      pipeline: consumer.options.name,
      automation,
      eventBus,
      queue: this.queue,
      patterns,
    });
    this.alarmOnDeadLetters(abandoned(this.deadLetterQueue, undelivered), {
      runbook,
      cause: `The automation "${automation}" abandoned an event: its retries are used up, it can never succeed, or it ended the function again and again; or ${undeliveredCause}`,
      impact: `${loss}; its queues keep the events for up to ${queueRetentionDays} days.`,
      firstStep: `Read AUTOMATION-03 in the log group of "${automation}" for the reason, fix it, then redrive the dead-letter queue with "sms dead-letter redrive". ${undeliveredStep}`,
    });
  }
}

const runbook = 'An automation fails';

/** Why an event is in the queue of undelivered ones. */
export const undeliveredCause =
  "EventBridge could not put one into its queue: the queue's policy was changed, or SQS failed for a day.";

/** What to do about an undelivered event. */
export const undeliveredStep =
  'For the queue "Undelivered": read ERROR_MESSAGE of a message, deploy, and have the archive deliver that time again ("sms events replay").';

/** Counts the events that an automation does not get any more, in either queue. */
export function abandoned(deadLetters: DeadLetterQueue, undelivered: DeadLetterQueue): MathExpression {
  return sumOf(
    { deadLetters: deadLetters.metricDeadLetters(), undelivered: undelivered.metricDeadLetters() },
    Duration.minutes(1),
  );
}

export interface EventRulesProps {
  /** The name of the pipeline whose events they are. */
  readonly pipeline: string;
  /** The name of the automation, for example "opt-out". */
  readonly automation: string;
  readonly eventBus: IEventBus;
  readonly queue: Queue;
  /** The events of the pipeline, by the id of their rule. */
  readonly patterns: Readonly<Record<string, Selection>>;
}

/**
 * Rules that put whole events of the pipeline into a queue. Events that EventBridge cannot or may not deliver for 24 hours go to a
 * dead-letter queue of the rules' targets.
 */
export class EventRules extends Construct {
  readonly undelivered: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: EventRulesProps) {
    super(scope, id);
    const { pipeline, automation, eventBus, queue } = props;
    const undelivered = new DeadLetterQueue(this, 'Undelivered');
    this.undelivered = undelivered;
    for (const [name, pattern] of Object.entries(props.patterns))
      new Rule(this, name, {
        description: `Events for the automation "${automation}".`,
        eventBus,
        eventPattern: eventsOf(pipeline, pattern),
        targets: [new SqsQueue(queue, { deadLetterQueue: undelivered })],
      });
  }
}

function alarmTexts(automation: string, loss: string, behindAfter: Duration): ConsumedQueueTexts {
  return {
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
