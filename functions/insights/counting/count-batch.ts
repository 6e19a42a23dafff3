import type { DynamoDBRecord } from 'aws-lambda';
import { type Deadline, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { KeywordOf } from '../../history/index.ts';
import type { CounterWriter } from '../counters/counter-write-store.ts';
import { type Deltas, deltasOf, type HistoryChange } from '../counters/deltas.ts';
import { paddedSequence } from '../counters/shard-state.ts';
import { countedChange } from './stream-changes.ts';

export interface CountDependencies {
  readonly counters: CounterWriter;
  readonly keywordOf: KeywordOf;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** A record of the stream with what it changes. */
interface Counted {
  readonly sequenceNumber: string;
  /** Padded. */
  readonly position: string;
  /** Identifies the record in the log. */
  readonly id: string | undefined;
  /** Undefined for what is not counted. */
  readonly change: HistoryChange | undefined;
}

/** The first pause is drawn from 0 to this, which doubles with each failure. */
const basePauseMs = 50;
const maxPauseMs = 2000;
const maxFailures = 8;

/** A transaction is tried with so many changes first. One of a send of many messages changes few counters, however many changes it has. */
const maxChanges = 2000;

/**
 * Counts a batch of stream records. The counters and the position of the shard change in one transaction, so a batch that is repeated, halved
 * or half counted changes nothing twice. What one transaction cannot hold is halved, and each half moves the position.
 *
 * @param records in stream order, of one shard
 * @returns the sequence number of the first record that is not counted; undefined if all are
 */
export async function countBatch(
  shardId: string,
  records: readonly DynamoDBRecord[],
  dependencies: CountDependencies,
  deadline: Deadline,
): Promise<string | undefined> {
  let open: readonly Counted[] = records.map(readRecord);
  let size = maxChanges;
  let failures = 0;
  while (open.length > 0) {
    const step = await countStep(shardId, open, size, dependencies);
    open = step.left;
    if (step.kind === 'counted') {
      failures = 0;
    } else if (step.kind === 'too-large') {
      size = Math.max(1, Math.floor(step.records / 2));
    } else {
      failures += 1;
      const pauseMs = Math.floor(dependencies.random() * Math.min(maxPauseMs, basePauseMs * 2 ** failures));
      if (failures >= maxFailures || pauseMs >= deadline.remainingMs()) {
        dependencies.log('COUNT_FAILED', { error: step.error, recordsAgain: open.length });
        return open[0]?.sequenceNumber;
      }
      await dependencies.sleep(pauseMs);
    }
  }
  return undefined;
}

type Step =
  | { readonly kind: 'counted'; readonly records: number; readonly left: readonly Counted[] }
  | { readonly kind: 'too-large'; readonly records: number; readonly left: readonly Counted[] }
  | { readonly kind: 'failed'; readonly error: string; readonly left: readonly Counted[] };

/** Counts the first of the records that are not counted yet. The position is read each time, because an earlier attempt may have succeeded unseen. */
async function countStep(
  shardId: string,
  records: readonly Counted[],
  size: number,
  { counters, keywordOf, log }: CountDependencies,
): Promise<Step> {
  try {
    const state = await counters.open(shardId);
    const { counted = '' } = state;
    const left = records.filter(({ position }) => position > counted);
    const first = left.slice(0, size);
    const last = first.at(-1);
    if (last === undefined) return { kind: 'counted', records: 0, left };
    const deltas = deltasOfCountable(first, keywordOf, log);
    const outcome = await counters.commit(state, last.position, deltas);
    switch (outcome.kind) {
      case 'counted':
        return { kind: 'counted', records: first.length, left: left.slice(first.length) };
      case 'too-large':
        return { kind: 'too-large', records: first.length, left };
      case 'retry':
        return { kind: 'failed', error: outcome.cause, left };
    }
  } catch (error) {
    return { kind: 'failed', error: errorName(error), left: records };
  }
}

/**
 * Returns the deltas of all changes. Like a state that cannot be read, one with which no figure can be computed counts as no state. Otherwise the changes
 * behind it would wait until the stream drops it.
 */
function deltasOfCountable(records: readonly Counted[], keywordOf: KeywordOf, log: Log): Deltas {
  try {
    return deltasOf(
      records.flatMap(({ change }) => change ?? []),
      keywordOf,
    );
  } catch {
    const countable = records.flatMap(({ id, change }) => {
      if (change === undefined) return [];
      const asNew = { ...change, before: undefined };
      if (errorOf(change, keywordOf) === undefined) return [change];
      const error = errorOf(asNew, keywordOf);
      if (error === undefined) return [asNew];
      log('CHANGE_NOT_COUNTED', { id: id ?? null, error });
      return [];
    });
    return deltasOf(countable, keywordOf);
  }
}

/** Returns the name of the error if a change cannot be counted. */
function errorOf(change: HistoryChange, keywordOf: KeywordOf): string | undefined {
  try {
    deltasOf([change], keywordOf);
    return undefined;
  } catch (error) {
    return errorName(error);
  }
}

function readRecord(record: DynamoDBRecord): Counted {
  const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
  return {
    sequenceNumber,
    position: paddedSequence(sequenceNumber),
    id: record.eventID,
    change: countedChange(record),
  };
}
