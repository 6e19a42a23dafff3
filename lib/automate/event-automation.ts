import { posix } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { type EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../../functions/bus/event-types.ts';
import type { FunctionDefaults } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import {
  QueueConsumer,
  type QueueConsumerProps,
  type QueueConsumerTexts,
} from '../building-blocks/queue-consumer.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import { queueRetentionDays } from '../settings/queue-timing.ts';
import type { Settings } from '../settings/read-settings.ts';

/** What every automation is made of. */
export interface AutomationProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly eventBus: EventBus;
  /** Told of what needs an operator. */
  readonly alarmTopic: ITopic | undefined;
}

/** One that calls the SMS service. */
export interface ServiceAutomationProps extends AutomationProps {
  /** Where the SMS service answers. */
  readonly serviceBaseUrl: string;
}

export interface EventRulesProps {
  /** What the events are for, for example "opt-out". */
  readonly automation: string;
  readonly eventBus: EventBus;
  readonly queue: Queue;
  /** Which events of the pipeline are wanted: a rule each, by id. */
  readonly patterns: Readonly<Record<string, Omit<EventPattern, 'source'>>>;
  readonly alarmTopic: ITopic | undefined;
}

/**
 * Rules that put events of the pipeline into a queue, whole. What EventBridge cannot hand over for 24 hours, or may not, goes to a dead letter
 * queue of the rules' targets.
 */
export class EventRules extends Construct {
  readonly undelivered: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: EventRulesProps) {
    super(scope, id);
    const { automation, eventBus, queue, alarmTopic: topic } = props;
    this.undelivered = new DeadLetterQueue(this, 'Undelivered');
    for (const [name, pattern] of Object.entries(props.patterns))
      new Rule(this, name, {
        description: `Events for the automation "${automation}".`,
        eventBus,
        eventPattern: { source: [eventSource], ...pattern },
        targets: [new SqsQueue(queue, { deadLetterQueue: this.undelivered })],
      });
    new OperatorAlarm(this, 'UndeliveredPresent', {
      metric: this.undelivered.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'An automation fails',
      cause: `EventBridge could not put an event into the queue of the automation "${automation}": somebody changed the queue's policy, or SQS failed for a day.`,
      impact: `The automation does not hear of it; the queue of undelivered events keeps it for ${queueRetentionDays} days.`,
      firstStep:
        'Read the attribute ERROR_MESSAGE of a message there, deploy to put the policy right, have the archive deliver that time again with "npm run -s sms -- replay" (SQS redrives no queue that a rule has filled), then delete the messages.',
      topic,
    });
  }
}

export interface EventAutomationProps
  extends Omit<QueueConsumerProps, 'texts' | 'maxReceiveCount'>,
    Pick<EventRulesProps, 'eventBus' | 'patterns'> {
  /** What is not done, or late, when it fails; the beginning of a sentence, for example "Contacts are not updated". */
  readonly loss: string;
}

/**
 * SQS's most: with a visibility timeout of six minutes it takes a function that cannot run about four days to lose a message
 * to the dead letter queue. What the function gives up, after the waits of its schedule or at once, it sends there itself.
 */
const maxReceiveCount = 1000;

/** The third try fails after two and a half minutes, the fourth after twelve and a half. */
const failingAfter = Duration.minutes(10);

/**
 * An automation: rules of the bus put events into a queue, from which a function takes them. It may send those that it gives
 * up to the dead letter queue.
 */
export class EventAutomation extends QueueConsumer {
  readonly rules: EventRules;

  constructor(scope: Construct, id: string, { loss, eventBus, patterns, ...props }: EventAutomationProps) {
    const { behindAfter = Duration.hours(1), alarmTopic } = props;
    const automation = posix.basename(props.consumer.name);
    super(scope, id, {
      ...props,
      maxReceiveCount,
      behindAfter,
      failingAfter,
      texts: textsOf(automation, loss, behindAfter),
    });
    this.consumer.function.addEnvironment('QUEUE_URL', this.queue.queueUrl);
    this.consumer.function.addEnvironment('DEAD_LETTER_QUEUE_URL', this.deadLetterQueue.queueUrl);
    this.deadLetterQueue.grant(this.consumer.function, 'sqs:SendMessage');
    this.rules = new EventRules(this, 'Rules', {
      automation,
      eventBus,
      queue: this.queue,
      patterns,
      alarmTopic,
    });
  }
}

function textsOf(automation: string, loss: string, behindAfter: Duration): QueueConsumerTexts {
  return {
    deadLetters: {
      runbook: 'An automation fails',
      cause: `The automation "${automation}" gave up an event: its waits are over, it can never succeed, or it ended the function again and again.`,
      impact: `${loss}; the dead letter queue keeps the events for up to ${queueRetentionDays} days.`,
      firstStep: `Read AUTOMATION-03 in the log group of "${automation}" for the reason, mend it, then redrive the dead letter queue (SQS console, Start DLQ redrive, to a custom destination: the queue of the automation).`,
    },
    behind: {
      runbook: 'An automation fails',
      cause: `The automation "${automation}" is throttled, not started, or cannot keep up with what comes.`,
      impact: `${loss} for ${behindAfter.toMinutes()} minutes or more; events wait in its queue.`,
      firstStep: `Look at errors, throttles and duration of "${automation}".`,
    },
    failing: {
      runbook: 'An automation fails',
      cause: `An event has failed in the automation "${automation}" for ${failingAfter.toMinutes()} minutes: what it calls is down, or refuses it.`,
      impact: `${loss}; the event is tried again, less and less often.`,
      firstStep: `Read AUTOMATION-01 in the log group of "${automation}" for the reason. Back in OK says only that nothing was tried just now.`,
    },
    errors: {
      runbook: 'An automation fails',
      cause: `The automation "${automation}" crashes, times out or cannot start, so its whole batches are tried again.`,
      impact: `${loss}, and events end in its dead letter queue if this goes on.`,
      firstStep: `Read the error in the log group of "${automation}". If it began with a deployment, mend it and deploy again.`,
    },
  };
}
