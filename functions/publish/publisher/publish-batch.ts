import type { DynamoDBRecord } from 'aws-lambda';
import pMap from 'p-map';
import { type Clock, type Deadline, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import { staleEventId, UnreadableItemError } from '../../history/index.ts';
import type { BusEvent } from '../bus/details.ts';
import type { EventBus, PublishFailure, PublishFailures } from '../bus/event-bus-client.ts';
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

/** What one record asks for: an event to publish, or a failure to set aside because the record cannot be read. */
type Task = {
  /** Index of the record in the batch. */
  readonly record: number;
  /** Key of the record's item; undefined if it holds a phone number. */
  readonly itemKey: string | undefined;
} & (
  | { readonly kind: 'publish'; readonly event: BusEvent }
  | { readonly kind: 'set-aside'; readonly failure: PublishFailure }
);

/** A task is also done once its failure is in the queue of failures. */
type TaskOutcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: string };

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
  const tasks = read.flatMap((record) => record.tasks);
  // The events of one item are published in stream order; items do not wait for each other.
  const byItem = Map.groupBy(
    tasks,
    ({ record }) => records[record]?.dynamodb?.Keys?.pk?.S ?? `record ${record}`,
  );
  const { left, errors } = await publishInRounds([...byItem.values()], dependencies, deadline);

  const first = left.reduce((lowest, { record }) => Math.min(lowest, record), records.length);
  // The later records are delivered again, and counted then.
  for (const { recordChange } of read.slice(0, first))
    recordChange?.itemKind.count?.(recordChange.change, count);
  if (left.length === 0) {
    log('BATCH_PUBLISHED', { records: records.length, events: tasks.length });
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
): { readonly recordChange?: RecordChange; readonly tasks: readonly Task[] } {
  const origin = { record: index, itemKey: publicKeyOf(record) };
  try {
    const recordChange = readChange(record);
    if (recordChange === undefined) return { tasks: [] };
    // history-events.ts has the events of each kind of item.
    const events = recordChange.itemKind.events(recordChange.change, options);
    return { recordChange, tasks: events.map((event) => ({ ...origin, kind: 'publish', event })) };
  } catch (error) {
    const failure: PublishFailure = {
      kind: 'record-unreadable',
      recordId: record.eventID,
      itemKey: origin.itemKey,
      // Messages of other errors may quote the record.
      error: error instanceof UnreadableItemError ? `${error.name}: ${error.message}` : errorName(error),
    };
    return { tasks: [{ ...origin, kind: 'set-aside', failure }] };
  }
}

/** The pause after a failed round is drawn from 0 to this, which doubles with each further failed round, up to the longest one. */
const basePauseMs = 100;
const maxPauseMs = 5000;

/**
 * Publishes in rounds. Each round takes the next task of every item, so an event is sent only after the earlier events of its item are
 * confirmed, and all items share few calls.
 *
 * @param queues the tasks of each item, in stream order
 * @returns the tasks that are left, with the names of the errors
 */
async function publishInRounds(
  queues: readonly Task[][],
  dependencies: PublishDependencies,
  deadline: Deadline,
): Promise<{ readonly left: readonly Task[]; readonly errors: readonly string[] }> {
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
    const outcomes = await publishRound(heads, dependencies, deadline);
    waiting = waiting
      .map((tasks, index) => (outcomes[index]?.kind === 'done' ? tasks.slice(1) : tasks))
      .filter((tasks) => tasks.length > 0);
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

/** Publishes the events of the tasks, and sets aside what can never be published. @returns one outcome for each task, in their order */
async function publishRound(
  tasks: readonly Task[],
  dependencies: PublishDependencies,
  deadline: Deadline,
): Promise<TaskOutcome[]> {
  const { bus, clock, count } = dependencies;
  const events = tasks.flatMap((task) => (task.kind === 'publish' ? [task.event] : []));
  const answers = events.length === 0 ? [] : await bus.publish(events, deadline);
  const published = events.filter((_, index) => answers[index]?.kind === 'published');
  if (published.length > 0) count('published', published.length);
  for (const { detail } of published) {
    // A message that this pipeline found to be stale has no cause at the service, from which a delay could be measured.
    if ('historyEventId' in detail && detail.historyEventId === staleEventId) continue;
    if ('occurredAt' in detail) count('lagToPublished', clock() - Date.parse(detail.occurredAt));
  }

  const nextAnswer = answers.values();
  const answered = tasks.map((task) => ({
    task,
    answer: task.kind === 'publish' ? nextAnswer.next().value : undefined,
  }));
  const outcomes = await pMap(
    answered,
    async ({ task, answer }): Promise<TaskOutcome> => {
      if (answer?.kind === 'published') return { kind: 'done' };
      if (task.kind === 'set-aside') return setAside(task.failure, dependencies, deadline);
      const error = answer?.error ?? 'NoAnswer';
      if (answer?.kind !== 'refused') return { kind: 'failed', error };
      const { detailType, detail } = task.event;
      const { itemKey } = task;
      const failure = { kind: 'event-refused', detailType, eventId: detail.eventId, itemKey, error } as const;
      return setAside(failure, dependencies, deadline);
    },
    { concurrency: concurrentFailures },
  );
  const failed = outcomes.filter(({ kind }) => kind === 'failed').length;
  if (failed > 0) count('publishFailures', failed);
  return outcomes;
}

/** Sends a failure to the queue of failures, so that the changes after it need not wait. */
async function setAside(
  failure: PublishFailure,
  { failures, log, count }: PublishDependencies,
  deadline: Deadline,
): Promise<TaskOutcome> {
  if (deadline.isOver()) return { kind: 'failed', error: 'OutOfTime' };
  try {
    await failures.keep(failure);
  } catch (error) {
    return { kind: 'failed', error: errorName(error) };
  }
  count('publishRefused');
  const { kind, error } = failure;
  const id = failure.kind === 'event-refused' ? failure.eventId : (failure.recordId ?? null);
  log('PUBLISH_REFUSED', { kind, id, error });
  return { kind: 'done' };
}
