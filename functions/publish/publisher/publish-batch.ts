import type { DynamoDBRecord } from 'aws-lambda';
import pMap from 'p-map';
import { type Clock, type Deadline, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import { staleEventId, UnreadableItemError } from '../../history/index.ts';
import type { BusEvent } from '../bus/details.ts';
import type { EventBus, PublishFailure, PublishFailures, PublishOutcome } from '../bus/event-bus-client.ts';
import type { PublishOptions } from './history-events.ts';
import { publicKeyOf, type RecordChange, readChange } from './item-kinds.ts';

export interface PublishDependencies {
  readonly bus: EventBus;
  readonly failures: PublishFailures;
  readonly options: PublishOptions;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** A change of the history that is published, or a record that cannot be read and is set aside. */
type Step = {
  /** Index of the record in the batch. */
  readonly record: number;
  /** Key of the record's item; undefined if it holds a phone number. */
  readonly itemKey: string | undefined;
} & (
  | { readonly kind: 'publish'; readonly event: BusEvent }
  | { readonly kind: 'set-aside'; readonly failure: PublishFailure }
);

/** A step is also done once its failure is in the queue of failures. */
type StepOutcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: string };

const done: StepOutcome = { kind: 'done' };

/**
 * Publishes the changes in a batch of stream records. It retries failed events with growing pauses until the deadline. An event that
 * can never be published goes to the queue of failures by its ids, and the batch continues.
 *
 * Lambda delivers the first failed record again, and every later record with it, also the published ones. They become the same
 * events with the same `eventId`s, by which consumers deduplicate them.
 *
 * @param records in stream order
 * @returns the sequence number of the first record that failed, '' if the record has no number (Lambda then retries the whole batch);
 * undefined if all records are done
 */
export async function publishBatch(
  records: readonly DynamoDBRecord[],
  dependencies: PublishDependencies,
  deadline: Deadline,
): Promise<string | undefined> {
  const { options, log, count } = dependencies;
  const read = records.map((record, index) => readRecord(record, index, options));
  const steps = read.flatMap((record) => record.steps);
  const { left, errors } = await doSteps(queuesByItem(records, steps), dependencies, deadline);

  const first = left.reduce((lowest, { record }) => Math.min(lowest, record), records.length);
  // The later records are delivered again, and counted then.
  for (const { change } of read.slice(0, first)) change?.kind.count?.(change.change, count);
  if (left.length === 0) {
    log('BATCH_PUBLISHED', { records: records.length, events: steps.length });
    return undefined;
  }
  log('PUBLISH_FAILED', {
    error: [...new Set(errors)].join(', '),
    events: left.length,
    recordsAgain: records.length - first,
  });
  return records[first]?.dynamodb?.SequenceNumber ?? '';
}

/** Reads a record and makes its events. */
function readRecord(
  record: DynamoDBRecord,
  index: number,
  options: PublishOptions,
): { readonly change?: RecordChange; readonly steps: readonly Step[] } {
  const origin = { record: index, itemKey: publicKeyOf(record) };
  try {
    const change = readChange(record);
    if (change === undefined) return { steps: [] };
    const events = change.kind.events(change.change, options);
    return { change, steps: events.map((event) => ({ ...origin, kind: 'publish', event })) };
  } catch (error) {
    const failure: PublishFailure = {
      kind: 'record-unreadable',
      recordId: record.eventID,
      itemKey: origin.itemKey,
      // Messages of other errors may quote the record.
      error: error instanceof UnreadableItemError ? `${error.name}: ${error.message}` : errorName(error),
    };
    return { steps: [{ ...origin, kind: 'set-aside', failure }] };
  }
}

/** Returns the steps of each item, in stream order. */
function queuesByItem(records: readonly DynamoDBRecord[], steps: readonly Step[]): readonly Step[][] {
  const queues = Map.groupBy(
    steps,
    ({ record }) => records[record]?.dynamodb?.Keys?.pk?.S ?? `record ${record}`,
  );
  return [...queues.values()];
}

/** The pause after a failed round is drawn from 0 to this, which doubles with each further failed round, up to the longest one. */
const basePauseMs = 100;
const maxPauseMs = 5000;

/**
 * Does the steps in rounds. Each round takes the next step of every item, so an event is sent only after the earlier events of its item
 * are confirmed, and all items share few calls.
 *
 * @returns the steps that are left, with the names of the errors
 */
async function doSteps(
  queues: readonly Step[][],
  dependencies: PublishDependencies,
  deadline: Deadline,
): Promise<{ readonly left: readonly Step[]; readonly errors: readonly string[] }> {
  const { sleep, random } = dependencies;
  let waiting = queues;
  let errors: readonly string[] = [];
  let failedRounds = 0;
  while (waiting.length > 0) {
    if (deadline.isOver()) {
      errors = [...errors, 'OutOfTime'];
      break;
    }
    const heads = waiting.flatMap(([head]) => head ?? []);
    const outcomes = await doRound(heads, dependencies, deadline);
    waiting = waiting
      .map((steps, index) => (outcomes[index]?.kind === 'done' ? steps.slice(1) : steps))
      .filter((steps) => steps.length > 0);
    errors = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.error] : []));
    failedRounds = errors.length === 0 ? 0 : failedRounds + 1;
    if (failedRounds === 0) continue;
    const pauseMs = Math.floor(random() * Math.min(maxPauseMs, basePauseMs * 2 ** (failedRounds - 1)));
    if (pauseMs >= deadline.remainingMs()) break;
    await sleep(pauseMs);
  }
  return { left: waiting.flat(), errors };
}

/** Failures that are sent to their queue at once. */
const concurrentFailures = 10;

/** Publishes the events of the steps, and sends what can never be published to the queue of failures. */
async function doRound(
  steps: readonly Step[],
  dependencies: PublishDependencies,
  deadline: Deadline,
): Promise<StepOutcome[]> {
  const { bus, clock, count } = dependencies;
  const events = steps.flatMap((step) => (step.kind === 'publish' ? [step.event] : []));
  const answers = events.length === 0 ? [] : await bus.publish(events, deadline);
  const published = events.filter((_, index) => answers[index]?.kind === 'published');
  if (published.length > 0) count('published', published.length);
  for (const event of published) {
    const occurredAt = occurrenceOf(event);
    if (occurredAt !== undefined) count('lagToPublished', clock() - Date.parse(occurredAt));
  }
  const nextAnswer = answers.values();
  const answered = steps.map((step) => ({
    step,
    answer: step.kind === 'publish' ? nextAnswer.next().value : undefined,
  }));
  const outcomes = await pMap(answered, ({ step, answer }) => settle(step, answer, dependencies, deadline), {
    concurrency: concurrentFailures,
  });
  const failed = outcomes.filter(({ kind }) => kind === 'failed').length;
  if (failed > 0) count('publishFailures', failed);
  return outcomes;
}

/** Returns when the event's cause happened; undefined for a message that only this pipeline found to be stale. */
function occurrenceOf({ detail }: BusEvent): string | undefined {
  if ('historyEventId' in detail && detail.historyEventId === staleEventId) return undefined;
  return 'occurredAt' in detail ? detail.occurredAt : undefined;
}

async function settle(
  step: Step,
  answer: PublishOutcome | undefined,
  { failures, log, count }: PublishDependencies,
  deadline: Deadline,
): Promise<StepOutcome> {
  if (answer?.kind === 'published') return done;
  if (step.kind === 'publish' && answer?.kind !== 'refused')
    return { kind: 'failed', error: answer?.error ?? 'NoAnswer' };
  if (deadline.isOver()) return { kind: 'failed', error: 'OutOfTime' };
  const failure = failureOf(step, answer?.error ?? 'unknown');
  try {
    await failures.keep(failure);
  } catch (error) {
    return { kind: 'failed', error: errorName(error) };
  }
  count('publishRefused');
  const { kind, error } = failure;
  const id = failure.kind === 'event-refused' ? failure.eventId : (failure.recordId ?? null);
  log('PUBLISH_REFUSED', { kind, id, error });
  return done;
}

function failureOf(step: Step, error: string): PublishFailure {
  if (step.kind === 'set-aside') return step.failure;
  const { detailType, detail } = step.event;
  return { kind: 'event-refused', detailType, eventId: detail.eventId, itemKey: step.itemKey, error };
}
