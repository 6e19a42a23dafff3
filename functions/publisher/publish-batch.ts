import type { DynamoDBRecord } from 'aws-lambda';
import pMap from 'p-map';
import { type CanonicalStatus, canonicalStatuses, unmappedRank } from '../../contract/schema/sms-event.ts';
import type { BusEvent } from '../bus/details.ts';
import type { EventBus, PublishFailure, PublishFailures, PublishOutcome } from '../bus/event-bus-client.ts';
import {
  compareEntries,
  decidingEntry,
  hasConflict,
  type StatusEntry,
  staleEventId,
} from '../history/message.ts';
import type { Clock } from '../runtime/clock.ts';
import { nextDelay, type RetryPolicy } from '../runtime/http.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count, MetricName } from '../runtime/metrics.ts';
import type { HistoryChange, PublishOptions } from './history-events.ts';
import { readRecords, type Step } from './read-records.ts';

const reportMetrics: Readonly<Record<CanonicalStatus, MetricName>> = {
  accepted: 'reportsAccepted',
  queued: 'reportsQueued',
  sent: 'reportsSent',
  unknown: 'reportsUnknown',
  expired: 'reportsExpired',
  rejected: 'reportsRejected',
  failed: 'reportsFailed',
  undelivered: 'reportsUndelivered',
  delivered: 'reportsDelivered',
  read: 'reportsRead',
};

/**
 * Counts what is new in history: reports by status, those that came too late to decide anything, and messages that became
 * contradictory; not the pipeline's own report that a message is stale. Here and not in the worker, since most of its writes know
 * nothing of what was there before.
 */
export function countChanges(changes: readonly HistoryChange[], count: Count): void {
  for (const change of changes) {
    if (change.kind !== 'message') continue;
    const { before, after } = change;
    const fresh = [...after.events.values()].filter(
      ({ eventId }) => eventId !== staleEventId && before?.events.has(eventId) !== true,
    );
    for (const entry of fresh) count(metricOf(entry));
    if (hasConflict(after) && !(before && hasConflict(before))) count('conflicting');
    if (before === undefined) continue;
    const deciding = decidingEntry(before);
    const late = fresh.filter((entry) => compareEntries(entry, deciding) < 0);
    if (late.length > 0) count('superseded', late.length);
  }
}

function metricOf({ status, rank }: StatusEntry): MetricName {
  const canonical = canonicalStatuses.find((known) => known === status);
  return canonical === undefined || rank === unmappedRank ? 'reportsUnmapped' : reportMetrics[canonical];
}

export interface PublishDependencies {
  readonly bus: EventBus;
  readonly failures: PublishFailures;
  readonly settings: PublishOptions;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** Pauses after a round in which something failed; how often is up to the time left. */
const policy: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
  baseDelayMs: 100,
  maxDelayMs: 5000,
};

/** Nothing is begun when less than this is left, in milliseconds: a call that hangs takes about six seconds. */
const reservedMs = 7000;

/** Messages to the queue of failures under way at once. */
const concurrentKeeps = 10;

/** What became of a step: `done` also where it was set aside. */
type StepOutcome = { readonly done: true } | { readonly done: false; readonly error: string };

/**
 * Publishes what a batch of stream records means. Round by round, each round the next event of every item in as few calls as
 * possible: a later event of an item is not sent before the one ahead of it is confirmed. What fails is tried again, after
 * growing pauses, while there is time; what can never be published is set aside by its ids, and the batch goes on.
 *
 * A stream is a line, not a heap: Lambda goes back to the first record that failed and delivers it with every record after it
 * again, those that were published too. They give the same events with the same `eventId`s, by which consumers tell repeats.
 *
 * @param records in stream order
 * @param remainingMs what is left of the function's time
 * @returns the sequence number of the first record that is not done, '' where it has none (Lambda then takes the whole batch
 * for failed); undefined where all are done
 */
export async function publishBatch(
  records: readonly DynamoDBRecord[],
  dependencies: PublishDependencies,
  remainingMs: () => number,
): Promise<string | undefined> {
  const { settings, sleep, random, log, count } = dependencies;
  const { changes, ...read } = readRecords(records, settings);
  let { lists } = read;
  const events = lists.flat().length;
  let failedRounds = 0;
  let errors: readonly string[] = [];
  while (lists.length > 0) {
    if (remainingMs() < reservedMs) {
      errors = [...errors, 'OutOfTime'];
      break;
    }
    const heads = lists.flatMap(([head]) => head ?? []);
    const outcomes = await doRound(heads, dependencies, remainingMs);
    lists = lists
      .map((steps, index) => (outcomes[index]?.done === true ? steps.slice(1) : steps))
      .filter((steps) => steps.length > 0);
    errors = [...new Set(outcomes.flatMap((outcome) => (outcome.done ? [] : [outcome.error])))];
    if (errors.length === 0) {
      failedRounds = 0;
      continue;
    }
    failedRounds += 1;
    const progress = {
      attempts: failedRounds,
      remainingMs: remainingMs() - reservedMs,
      retryAfterMs: null,
    };
    const delay = nextDelay(progress, policy, random);
    if (delay === undefined) break;
    await sleep(delay);
  }

  const left = lists.flat();
  const first = left.reduce((least, { record }) => Math.min(least, record), records.length);
  // What is behind it comes again, and is counted then.
  countChanges(changes.slice(0, first).filter(isChange), count);
  if (left.length === 0) {
    log('BATCH_PUBLISHED', { records: records.length, events });
    return undefined;
  }
  log('PUBLISH_FAILED', {
    error: [...new Set(errors)].join(', '),
    events: left.length,
    recordsAgain: records.length - first,
  });
  return records[first]?.dynamodb?.SequenceNumber ?? '';
}

async function doRound(
  steps: readonly Step[],
  dependencies: PublishDependencies,
  remainingMs: () => number,
): Promise<StepOutcome[]> {
  const { bus, clock, count } = dependencies;
  const sendable = steps.flatMap((step) => ('event' in step ? [step.event] : []));
  const hasTime = () => remainingMs() >= reservedMs;
  const answers = sendable.length === 0 ? [] : await bus.publish(sendable, hasTime);
  const published = sendable.filter((_, index) => answers[index]?.kind === 'published');
  if (published.length > 0) count('published', published.length);
  for (const event of published) {
    const occurredAt = occurrenceOf(event);
    if (occurredAt !== undefined) count('lagToPublished', clock() - Date.parse(occurredAt));
  }
  const rest = answers.values();
  const asked = steps.map((step) => ({ step, answer: 'event' in step ? rest.next().value : undefined }));
  const outcomes = await pMap(asked, ({ step, answer }) => settle(step, answer, dependencies, remainingMs), {
    concurrency: concurrentKeeps,
  });
  const failed = outcomes.filter(({ done }) => !done).length;
  if (failed > 0) count('publishFailures', failed);
  return outcomes;
}

async function settle(
  step: Step,
  answer: PublishOutcome | undefined,
  { failures, log, count }: PublishDependencies,
  remainingMs: () => number,
): Promise<StepOutcome> {
  if (answer?.kind === 'published') return { done: true };
  if ('event' in step && answer?.kind !== 'refused')
    return { done: false, error: answer?.error ?? 'NoAnswer' };
  if (remainingMs() < reservedMs) return { done: false, error: 'OutOfTime' };
  const failure = failureOf(step, answer?.error ?? 'unknown');
  try {
    await failures.keep(failure);
  } catch (error) {
    return { done: false, error: error instanceof Error ? error.name : 'unknown' };
  }
  count('publishRefused');
  const { kind, error } = failure;
  const id = failure.kind === 'event-refused' ? failure.eventId : (failure.recordId ?? null);
  log('PUBLISH_REFUSED', { kind, id, error });
  return { done: true };
}

function isChange(change: HistoryChange | undefined): change is HistoryChange {
  return change !== undefined;
}

/** When what an event tells of happened; undefined for what only this pipeline noticed. */
function occurrenceOf({ detail }: BusEvent): string | undefined {
  if ('historyEventId' in detail && detail.historyEventId === staleEventId) return undefined;
  return 'occurredAt' in detail ? detail.occurredAt : undefined;
}

function failureOf(step: Step, error: string): PublishFailure {
  if ('unreadable' in step) return step.unreadable;
  const { event, itemKey } = step;
  const { detailType, detail } = event;
  return { kind: 'event-refused', detailType, eventId: detail.eventId, itemKey, error };
}
