import { posix } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { queueRetentionDays } from '../../queue-timing.ts';
import { EventRules, type EventRulesProps } from '../event-rules.ts';
import { QueueConsumer, type QueueConsumerProps, type QueueConsumerTexts } from '../queue-consumer.ts';

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
