import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import type { MessageVisibility, QueueSender, VisibilityChange } from '../../aws/sqs-queue.ts';
import { type Clock, errorName, invocationDeadline } from '../../runtime/basics.ts';
import type { Log } from '../../runtime/log-catalogue.ts';
import type { Count } from '../../runtime/metrics.ts';

/** A message that was received fewer times may have had one attempt, or none, when its schedule is over. */
const minReceives = 3;

/**
 * Returns how long a failed message waits for its next attempt. The time since its first receipt counts, not the number of its failures: after a
 * long or late attempt, the waits that have passed are skipped. A message that was received fewer than three times when the schedule is
 * over waits its first waits.
 *
 * @param delaysSeconds the waits between attempts that fail at once
 * @param ageSeconds the time since the first receipt
 * @param receives how often the message was received, this time included
 * @returns seconds; undefined where the message is to be given up
 */
export function retryWait(
  delaysSeconds: readonly number[],
  ageSeconds: number,
  receives: number,
): number | undefined {
  let next = 0;
  for (const delay of delaysSeconds) {
    next += delay;
    if (next > ageSeconds) return Math.ceil(next - ageSeconds);
  }
  return receives < minReceives ? delaysSeconds[receives - 1] : undefined;
}

/** A failure after which a message goes to the dead-letter queue at once, because each retry would fail too. */
export class GiveUpError extends Error {
  override readonly name: string = 'GiveUpError';
}

/** A failure that is retried. Its message holds no content and may be logged. */
export class RetryLaterError extends Error {
  override readonly name: string = 'RetryLaterError';
  /** The shortest wait in seconds, which replaces the wait of the schedule; undefined where the schedule applies. */
  readonly seconds: number | undefined;

  constructor(message: string, seconds?: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** The message waits for the work on another one. No call failed. */
export class WaitForTurnError extends RetryLaterError {
  override readonly name = 'WaitForTurnError';
}

/**
 * What an instance remembers of the destination of its calls. While the destination is down, one message of each batch probes it, and the others
 * wait without a call.
 */
export interface CircuitBreaker {
  /** Whether most calls of the last batch failed. */
  isOpen: boolean;
}

export const closedBreaker = (): CircuitBreaker => ({ isOpen: false });

export interface WorkOptions {
  /**
   * Does the work of one message. It may be called again for the same message.
   *
   * @throws GiveUpError where the work can never succeed, and any other error where it has to be retried
   */
  handle(body: string): Promise<void>;
  readonly visibility: MessageVisibility;
  /**
   * The dead-letter queue of messages that are given up before the queue's last receive. SQS counts them as new messages: a redrive
   * has to name the queue it goes to.
   */
  readonly deadLetters: QueueSender;
  /** The waits between attempts, in seconds. A message that fails after the last one is given up. See {@link retryWait}. */
  readonly delaysSeconds: readonly number[];
  readonly concurrency: number;
  /** Kept from one invocation to the next. */
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly count: Count;
  readonly invocation: { getRemainingTimeInMillis(): number };
}

/** SQS hides a message for at most 12 hours from its receipt, which is a while ago when the attempt ends. */
const maxDelaySeconds = 12 * 3600 - 1200;

/**
 * The longest wait while the destination is down. A queue has at most 120,000 hidden messages, and delivers no other messages above that. So
 * new events wait no longer than this after the destination is back.
 */
const maxDelayWhileOpenSeconds = 900;

/** No message is begun with less time left, because its work may take so long. */
const reservedMs = 15_000;

/** The wait of a message that had no attempt, or could not be given up. */
const shortWaitSeconds = 30;

/** Messages that a rate limit rejected are retried over a span as long as their age, within these limits in seconds. */
const spreadLimits = { min: 60, max: 3600 };

/** A message that has to be retried, with the reason and the wait until then. */
interface Failed {
  readonly record: SQSRecord;
  readonly error: unknown;
  readonly waitSeconds: number;
  /** Whether a call of the destination failed. */
  readonly isAttempted: boolean;
}

/**
 * Works the messages of a batch, each for itself. A message that fails is retried after its wait, until its schedule is over. Then it is given
 * up: it goes to the dead-letter queue. A message that can never succeed is given up at once. The queue's own limit of receives applies only to
 * messages that end the function.
 */
export async function workMessages(
  records: readonly SQSRecord[],
  options: WorkOptions,
): Promise<SQSBatchResponse> {
  const { visibility, breaker, log, invocation } = options;
  const failed = (await workBatch(records, options)).filter((result) => result !== undefined);
  const maxSeconds = breaker.isOpen ? maxDelayWhileOpenSeconds : maxDelaySeconds;
  const changes = failed.map(({ record, error, waitSeconds, isAttempted }): VisibilityChange => {
    const seconds = Math.min(waitSeconds, maxSeconds);
    if (isAttempted || !breaker.isOpen)
      log('AUTOMATION_FAILED', {
        ...described(error),
        receiveCount: receiveCountOf(record),
        retryInSeconds: seconds,
      });
    return { receiptHandle: record.receiptHandle, seconds };
  });
  const waiting = failed.filter(({ isAttempted }) => !isAttempted).length;
  if (breaker.isOpen && waiting > 0) log('AUTOMATION_PAUSED', { waiting });
  const errors = await visibility.change(changes, invocationDeadline(invocation, 2000));
  // These messages are received again when the queue's visibility timeout ends.
  if (errors.length > 0) log('AUTOMATION_WAIT_NOT_SET', { errors: errors.join(', ') });
  return { batchItemFailures: failed.map(({ record: { messageId } }) => ({ itemIdentifier: messageId })) };
}

/** Calls the destination for each message, or while it is down for one of them, and remembers whether most calls failed. */
async function workBatch(
  records: readonly SQSRecord[],
  options: WorkOptions,
): Promise<readonly (Failed | undefined)[]> {
  const { breaker, concurrency } = options;
  const workAll = async (some: readonly SQSRecord[]) => {
    const results = await pMap(some, (record) => workMessage(record, options), { concurrency });
    const failures = results.filter((result) => result?.isAttempted === true).length;
    if (failures * 2 > some.length) breaker.isOpen = true;
    else if (results.some((result) => result?.isAttempted !== false)) breaker.isOpen = false;
    return results;
  };
  const pauseAll = (some: readonly SQSRecord[]) =>
    pMap(some, (record) => pauseMessage(record, options), { concurrency });
  if (!breaker.isOpen) return workAll(records);
  const probe = await workAll(records.slice(0, 1));
  const others = records.slice(1);
  return [...probe, ...(await (breaker.isOpen ? pauseAll(others) : workAll(others)))];
}

/** Lets a message wait without a call. After its schedule it has a last attempt. */
async function pauseMessage(record: SQSRecord, options: WorkOptions): Promise<Failed | undefined> {
  const ageMs = ageOf(record, options);
  const waitSeconds = retryWait(options.delaysSeconds, ageMs / 1000, receiveCountOf(record));
  if (waitSeconds === undefined) return workMessage(record, options);
  options.count('failingFor', ageMs);
  return { record, error: new RetryLaterError('the destination is down'), waitSeconds, isAttempted: false };
}

async function workMessage(record: SQSRecord, options: WorkOptions): Promise<Failed | undefined> {
  const { handle, delaysSeconds, random, count, invocation } = options;
  if (invocation.getRemainingTimeInMillis() < reservedMs) {
    const error = new RetryLaterError('no time left in this invocation');
    return { record, error, waitSeconds: shortWaitSeconds, isAttempted: false };
  }
  try {
    await handle(record.body);
    return undefined;
  } catch (error) {
    const ageMs = ageOf(record, options);
    const ageSeconds = ageMs / 1000;
    const scheduled = retryWait(delaysSeconds, ageSeconds, receiveCountOf(record));
    if (error instanceof GiveUpError || scheduled === undefined) return giveUp(record, error, options);
    count('failingFor', ageMs);
    const requested = error instanceof RetryLaterError ? error.seconds : undefined;
    const waitSeconds = requested === undefined ? scheduled : spreadWait(requested, ageSeconds, random);
    return { record, error, waitSeconds, isAttempted: !(error instanceof WaitForTurnError) };
  }
}

function ageOf({ attributes }: SQSRecord, { clock }: WorkOptions): number {
  return clock() - Number(attributes.ApproximateFirstReceiveTimestamp);
}

/**
 * Adds a random part to the wait that the service asks for. Otherwise all messages that a rate limit rejected would be retried at once, and most
 * of them rejected again.
 */
function spreadWait(requestedSeconds: number, ageSeconds: number, random: () => number): number {
  const span = Math.min(Math.max(ageSeconds, spreadLimits.min), spreadLimits.max);
  return requestedSeconds + Math.floor(random() * span);
}

async function giveUp(record: SQSRecord, error: unknown, options: WorkOptions): Promise<Failed | undefined> {
  const { deadLetters, log } = options;
  try {
    await deadLetters.send(record.body);
  } catch (sendError) {
    log('AUTOMATION_NOT_GIVEN_UP', { error: errorName(sendError) });
    return { record, error, waitSeconds: shortWaitSeconds, isAttempted: !(error instanceof GiveUpError) };
  }
  log('AUTOMATION_GIVEN_UP', { ...described(error), receiveCount: receiveCountOf(record) });
  return undefined;
}

function described(error: unknown) {
  // The messages of other errors may quote their input.
  const isOurs = error instanceof RetryLaterError || error instanceof GiveUpError;
  return { error: errorName(error), reason: isOurs ? error.message : null };
}

function receiveCountOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
