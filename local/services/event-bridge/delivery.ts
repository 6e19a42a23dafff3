import { reasonOf } from '../../terminal/terminal.ts';
import type { RetryClock } from '../lambda/functions.ts';
import type { Send } from '../lambda/senders.ts';
import type { Envelope } from './events.ts';
import type { TargetPayload } from './targets.ts';

export interface RetryPolicy {
  /** 0 to 185. */
  readonly maximumRetryAttempts: number;
  /** Seconds, 60 to 86,400. */
  readonly maximumEventAgeSeconds: number;
}

/** EventBridge's policy for a target without one. */
export const defaultRetryPolicy: RetryPolicy = {
  maximumRetryAttempts: 185,
  maximumEventAgeSeconds: 86_400,
};

/** A target of a rule. */
export interface RuleTarget {
  readonly id: string;
  readonly arn: string;
  readonly payload: TargetPayload;
  readonly send: Send;
  readonly retryPolicy: RetryPolicy;
  readonly deadLetters?: {
    readonly arn: string;
    put(body: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  };
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 600_000;

/** Errors of a service for a target that does not exist. They are not retried. */
const goneTargets: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'QueueDoesNotExist',
  'AWS.SimpleQueueService.NonExistentQueue',
  'NotFound',
  'NotFoundException',
]);

/**
 * Sends an event to a target, with retries after pauses that double from 1 s to 10 minutes, until its retry policy is exhausted. Then the event
 * goes to the dead-letter queue, or is lost with a note. A target that does not exist is not retried (EventBridge User Guide, "Using dead-letter queues to process undelivered events").
 */
export async function deliver(
  event: Envelope,
  ruleArn: string,
  target: RuleTarget,
  clock: RetryClock,
  note: (line: string) => void,
): Promise<void> {
  const deadline = clock.now() + target.retryPolicy.maximumEventAgeSeconds * 1000;
  const payload = target.payload(event);
  let pauseMs = FIRST_PAUSE_MS;
  for (let retries = 0; ; retries += 1) {
    const failure = await attempt(target, payload);
    if (!failure) return;
    const exhausted = exhaustedBy(retries, clock.now() + pauseMs, deadline, target.retryPolicy);
    if (failure.code === 'NO_RESOURCE' || exhausted) {
      await deadLetter(event, ruleArn, target, { ...failure, retries, exhausted }, note);
      return;
    }
    if (!(await clock.sleep(pauseMs))) return;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

interface Failure {
  /** The `ERROR_CODE` of a dead letter. */
  readonly code: 'NO_RESOURCE' | 'ERROR_FROM_TARGET';
  readonly message: string;
}

type Exhausted = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

async function attempt(target: RuleTarget, payload: unknown): Promise<Failure | undefined> {
  try {
    await target.send(payload);
    return undefined;
  } catch (error) {
    return { code: isGone(error) ? 'NO_RESOURCE' : 'ERROR_FROM_TARGET', message: reasonOf(error) };
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return goneTargets.has(error.name) || ('type' in error && goneTargets.has(String(error.type)));
}

function exhaustedBy(
  retries: number,
  nextAt: number,
  deadline: number,
  policy: RetryPolicy,
): Exhausted | undefined {
  if (retries >= policy.maximumRetryAttempts) return 'MaximumRetryAttempts';
  return nextAt > deadline ? 'MaximumEventAgeInSeconds' : undefined;
}

async function deadLetter(
  event: Envelope,
  ruleArn: string,
  { arn, deadLetters }: RuleTarget,
  failure: Failure & { retries: number; exhausted: Exhausted | undefined },
  note: (line: string) => void,
): Promise<void> {
  if (!deadLetters) {
    note(`an event was not delivered to ${arn}: ${failure.message}`);
    return;
  }
  const attributes = {
    RULE_ARN: ruleArn,
    TARGET_ARN: arn,
    ERROR_CODE: failure.code,
    // An attribute of a message must not be empty.
    ERROR_MESSAGE: failure.message || failure.code,
    RETRY_ATTEMPTS: String(failure.retries),
    ...(failure.exhausted && { EXHAUSTED_RETRY_CONDITION: failure.exhausted }),
  };
  try {
    await deadLetters.put(JSON.stringify(event), attributes);
  } catch (error) {
    note(`an event was not delivered to ${arn}, nor to its dead-letter queue: ${reasonOf(error)}`);
  }
}
