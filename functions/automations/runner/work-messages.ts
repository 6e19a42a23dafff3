import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import { type Clock, errorName, invocationDeadline } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { MessageVisibility, QueueSender, VisibilityChange } from '../../base/sqs-queue.ts';

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
 * @returns seconds; undefined if the message is to be given up
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
  /**
   * The shortest wait in seconds, which replaces the wait of the schedule; undefined if the schedule applies. While the destination is
   * down, a message waits {@link maxDelayWhileOpenSeconds} at most, and then one message of a batch probes the destination.
   */
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
   * @throws GiveUpError if the work can never succeed, and any other error if it has to be retried
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

/** The result of one message. */
interface Result {
  /** What the destination did; undefined if it was not called. */
  readonly call: 'succeeded' | 'failed' | undefined;
  /** Undefined for a message that is done, or was given up. */
  readonly retry?: Retry | undefined;
}

/** A message that has to be retried, with the reason and the wait until then. */
interface Retry {
  readonly record: SQSRecord;
  readonly error: unknown;
  readonly waitSeconds: number;
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
  const { visibility, breaker, log, random, invocation } = options;
  const results = await workBatch(records, options);
  const changes = results.flatMap(({ retry }): VisibilityChange[] => {
    if (retry === undefined) return [];
    const seconds = breaker.isOpen ? cappedWait(retry.waitSeconds, random) : retry.waitSeconds;
    const retryInSeconds = Math.min(seconds, maxDelaySeconds);
    if (!isPaused(retry))
      log('AUTOMATION_FAILED', {
        ...described(retry.error),
        receiveCount: receiveCountOf(retry.record),
        retryInSeconds,
      });
    return [{ receiptHandle: retry.record.receiptHandle, seconds: retryInSeconds }];
  });
  const waiting = results.filter(({ retry }) => retry !== undefined && isPaused(retry)).length;
  if (waiting > 0) log('AUTOMATION_PAUSED', { waiting });
  const errors = await visibility.change(changes, invocationDeadline(invocation, 2000));
  // These messages are received again when the queue's visibility timeout ends.
  if (errors.length > 0) log('AUTOMATION_WAIT_NOT_SET', { errors: errors.join(', ') });
  return {
    batchItemFailures: results.flatMap(({ retry }) =>
      retry === undefined ? [] : [{ itemIdentifier: retry.record.messageId }],
    ),
  };
}

/** Shortens a wait to the last third of the longest one, so that messages with long waits are not all retried at once. */
function cappedWait(seconds: number, random: () => number): number {
  if (seconds <= maxDelayWhileOpenSeconds) return seconds;
  return Math.ceil(maxDelayWhileOpenSeconds * (1 - random() / 3));
}

/** Calls the destination for each message, or while it is down for one of them, and remembers whether most calls failed. */
async function workBatch(records: readonly SQSRecord[], options: WorkOptions): Promise<readonly Result[]> {
  const { breaker, concurrency } = options;
  const workAll = async (some: readonly SQSRecord[]) => {
    const results = await pMap(some, (record) => workMessage(record, options), { concurrency });
    const calls = results.flatMap(({ call }) => call ?? []);
    const failures = calls.filter((call) => call === 'failed').length;
    if (calls.length > 0) breaker.isOpen = failures * 2 > calls.length;
    return results;
  };
  if (!breaker.isOpen) return workAll(records);
  const probe = await workAll(records.slice(0, 1));
  const others = records.slice(1);
  if (!breaker.isOpen) return [...probe, ...(await workAll(others))];
  return [...probe, ...(await pMap(others, (record) => pauseMessage(record, options), { concurrency }))];
}

/** The reason of a message that waits because the probe failed. */
class PausedError extends RetryLaterError {
  override readonly name = 'PausedError';
}

const isPaused = ({ error }: Retry) => error instanceof PausedError;

/** Lets a message wait without a call. After its schedule it has a last attempt. */
async function pauseMessage(record: SQSRecord, options: WorkOptions): Promise<Result> {
  const ageMs = ageOf(record, options);
  const waitSeconds = retryWait(options.delaysSeconds, ageMs / 1000, receiveCountOf(record));
  if (waitSeconds === undefined) return workMessage(record, options);
  options.count('failingFor', ageMs);
  const error = new PausedError('the destination is down');
  return { call: undefined, retry: { record, error, waitSeconds } };
}

async function workMessage(record: SQSRecord, options: WorkOptions): Promise<Result> {
  const { handle, delaysSeconds, random, count, invocation } = options;
  if (invocation.getRemainingTimeInMillis() < reservedMs) {
    const error = new RetryLaterError('no time left in this invocation');
    return { call: undefined, retry: { record, error, waitSeconds: shortWaitSeconds } };
  }
  try {
    await handle(record.body);
    return { call: 'succeeded' };
  } catch (error) {
    const ageMs = ageOf(record, options);
    const ageSeconds = ageMs / 1000;
    const scheduled = retryWait(delaysSeconds, ageSeconds, receiveCountOf(record));
    const call = callOf(error);
    if (error instanceof GiveUpError || scheduled === undefined)
      return { call, retry: await giveUp(record, error, options) };
    count('failingFor', ageMs);
    const requested = error instanceof RetryLaterError ? error.seconds : undefined;
    const waitSeconds = requested === undefined ? scheduled : spreadWait(requested, ageSeconds, random);
    return { call, retry: { record, error, waitSeconds } };
  }
}

/** A destination that says that a message can never succeed works. */
function callOf(error: unknown): Result['call'] {
  if (error instanceof WaitForTurnError) return undefined;
  return error instanceof GiveUpError ? 'succeeded' : 'failed';
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

/** @returns a retry if the dead-letter queue did not accept the message */
async function giveUp(record: SQSRecord, error: unknown, options: WorkOptions): Promise<Retry | undefined> {
  const { deadLetters, log } = options;
  try {
    await deadLetters.send(record.body);
  } catch (sendError) {
    log('AUTOMATION_NOT_GIVEN_UP', { error: errorName(sendError) });
    return { record, error, waitSeconds: shortWaitSeconds };
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
