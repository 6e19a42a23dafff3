import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import type { MessageVisibility, QueueSender, VisibilityChange } from '../../aws/sqs-queue.ts';
import { type Clock, invocationDeadline } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log-catalogue.ts';
import type { Count } from '../../runtime/metrics.ts';

/** What was received fewer times may have been tried once, or not at all, when its schedule is over. */
const leastReceives = 3;

/**
 * How long something that just failed waits for its next try. What counts is the time since it first came, not how often
 * it failed: a try that takes long, or comes late, leaves out those whose time has passed. What first came so long ago that
 * the schedule is over, but came fewer than three times, waits its first waits.
 *
 * @param delaysSeconds the waits between tries that fail at once
 * @param ageSeconds since it first came
 * @param receives how often it came, with this time
 * @returns seconds; undefined where it is to be given up
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
  return receives < leastReceives ? delaysSeconds[receives - 1] : undefined;
}

/** A failure after which a message goes to the dead letter queue at once: each further try would end the same. */
export class GiveUpError extends Error {
  override readonly name: string = 'GiveUpError';
}

/** A failure that says of itself what it is, and may say how long to wait. */
export class RetryLaterError extends Error {
  override readonly name: string = 'RetryLaterError';
  /** How long to wait at least, in seconds, instead of until the next time of the schedule; undefined where it does not say. */
  readonly seconds: number | undefined;

  constructor(message: string, seconds?: number) {
    super(message);
    this.seconds = seconds;
  }
}

export interface WorkOptions {
  /**
   * What is to be done for one message; may be called again for the same one.
   *
   * @throws GiveUpError where it can never be done, anything else where it has to be done again
   */
  handle(body: string): Promise<void>;
  readonly visibility: MessageVisibility;
  /**
   * The dead-letter queue of messages that are given up before the queue's last receive. SQS counts them as new messages: a redrive
   * has to name the queue it goes to.
   */
  readonly deadLetters: QueueSender;
  /** The waits between tries, in seconds; a message that fails after they are over is given up. See {@link retryWait}. */
  readonly delaysSeconds: readonly number[];
  readonly concurrency: number;
  readonly clock: Clock;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly count: Count;
  readonly invocation: { getRemainingTimeInMillis(): number };
}

/** SQS hides a message for 12 hours from when it was received, which is a while ago by now. */
const longestDelaySeconds = 12 * 3600 - 1200;

/** No message is begun when less than this is left: what one does may take so long. */
const reservedMs = 15_000;

/** What was no try, or could not be given up, is soon there again. */
const soonSeconds = 30;

/** Messages that are told to wait come again spread over as long as they have been waiting; over so long, in seconds. */
const spread = { least: 60, most: 3600 };

/** What could not be done, and when its message comes again. */
interface Failed {
  readonly messageId: string;
  readonly change: VisibilityChange;
}

/**
 * Works through the queue messages of a batch, each for itself. One that fails comes again, later each time, or when
 * the failure says, until the waits are over since it was first received; then it is given up, as is at once what can never succeed: sent to the dead letter
 * queue. The queue's last receive is for what ends the function itself.
 */
export async function workMessages(
  records: readonly SQSRecord[],
  options: WorkOptions,
): Promise<SQSBatchResponse> {
  const { visibility, concurrency, log, invocation } = options;
  const results = await pMap(records, (record) => workMessage(record, options), { concurrency });
  const failed = results.flatMap((result) => result ?? []);
  const errors = await visibility.change(
    failed.map(({ change }) => change),
    invocationDeadline(invocation, 2000),
  );
  // Those come again when the queue's visibility timeout ends.
  if (errors.length > 0) log('AUTOMATION_WAIT_NOT_SET', { errors: errors.join(', ') });
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function workMessage(record: SQSRecord, options: WorkOptions): Promise<Failed | undefined> {
  const { handle, delaysSeconds, clock, random, count, invocation } = options;
  if (invocation.getRemainingTimeInMillis() < reservedMs)
    return comeAgain(record, new RetryLaterError('no time left in this invocation'), soonSeconds, options);
  try {
    await handle(record.body);
    return undefined;
  } catch (error) {
    const ageMs = clock() - Number(record.attributes.ApproximateFirstReceiveTimestamp);
    const ageSeconds = ageMs / 1000;
    const scheduled = retryWait(delaysSeconds, ageSeconds, receiveCountOf(record));
    if (error instanceof GiveUpError || scheduled === undefined) return giveUp(record, error, options);
    count('failingFor', ageMs);
    const asked = error instanceof RetryLaterError ? error.seconds : undefined;
    const wait = asked === undefined ? scheduled : spreadWait(asked, ageSeconds, random);
    return comeAgain(record, error, wait, options);
  }
}

/**
 * By the schedule all that a rate limit turned away would come again at once, hours later, and most of it be turned away
 * again. Spread, some of it is there in each minute, for the service to take.
 */
function spreadWait(askedSeconds: number, ageSeconds: number, random: () => number): number {
  const span = Math.min(Math.max(ageSeconds, spread.least), spread.most);
  return askedSeconds + Math.floor(random() * span);
}

async function giveUp(record: SQSRecord, error: unknown, options: WorkOptions): Promise<Failed | undefined> {
  const { deadLetters, log } = options;
  try {
    await deadLetters.send(record.body);
  } catch (sendError) {
    log('AUTOMATION_NOT_GIVEN_UP', { error: nameOf(sendError) });
    return comeAgain(record, error, soonSeconds, options);
  }
  log('AUTOMATION_GIVEN_UP', { ...described(error), receiveCount: receiveCountOf(record) });
  return undefined;
}

function comeAgain(record: SQSRecord, error: unknown, waitSeconds: number, { log }: WorkOptions): Failed {
  const seconds = Math.min(waitSeconds, longestDelaySeconds);
  log('AUTOMATION_FAILED', {
    ...described(error),
    receiveCount: receiveCountOf(record),
    retryInSeconds: seconds,
  });
  return { messageId: record.messageId, change: { receiptHandle: record.receiptHandle, seconds } };
}

function described(error: unknown) {
  // Only of errors that are ours: others may quote what they were given.
  const isOurs = error instanceof RetryLaterError || error instanceof GiveUpError;
  return { error: nameOf(error), reason: isOurs ? error.message : null };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

function receiveCountOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
