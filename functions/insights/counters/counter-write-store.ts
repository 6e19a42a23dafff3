import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../base/basics.ts';
import { type Item, idIn, messageKey } from '../../history/index.ts';
import { readItems } from '../../history/io.ts';
import { createCodes } from './code-store.ts';
import { type Cohort, cohortKey, dayMs, sendList, waitingRepliesKey } from './cohort.ts';
import { addition, checkpointAction, deletionOf, type Expiry, sendlessCheck } from './counter-actions.ts';
import { readCounters } from './counter-item-store.ts';
import { firstReportOf, nameOf, timeAttribute } from './counter-items.ts';
import type { CohortDelta, Deltas } from './deltas.ts';
import { checkpointKey, type ShardState } from './shard-state.ts';
import { addTallies, isEmpty, type Tally, tallyOfItem } from './tally.ts';

/** The tables that the counting reads and writes. */
export interface CounterTables {
  readonly insights: string;
  readonly history: string;
}

export interface CounterRetention {
  /** Sends and days are kept for this long. */
  readonly retentionDays: number;
  /** Quarter hours are kept for this long. */
  readonly hourRetentionDays: number;
}

/** What became of a transaction. */
export type CommitOutcome =
  | { readonly kind: 'counted' }
  /** It would have more actions than a transaction may have. */
  | { readonly kind: 'too-large' }
  /** Another writer changed what was read, or the transaction was throttled. Nothing is written. */
  | { readonly kind: 'retry'; readonly cause: string };

/** Writes counters and checkpoints. */
export interface CounterWriter {
  /** Reads up to where a shard is counted. */
  open(shardId: string): Promise<ShardState>;
  /**
   * Adds deltas to the counters and moves the checkpoint, in one transaction. A second commit of the same state writes nothing.
   *
   * @param counted the padded sequence number of the last record in the deltas
   */
  commit(state: ShardState, counted: string, deltas: Deltas): Promise<CommitOutcome>;
}

/** The limit of actions in a transaction (Amazon DynamoDB API reference, TransactWriteItems). */
const maxActions = 100;

/** A commit adds at most this many counts to an item, because an expression has at most 4 KB. */
export const maxCounts = 250;

/** The stream keeps records for a day, so the checkpoint of a shard is of no use later. */
const checkpointDays = 7;

/** Replies wait for the send of their message for so long. Erasure does not reach them, because they have no number. */
const waitingDays = 7;

/** Knows the first times of so many sends. */
const maxKnownSends = 10_000;

/** @param onCodesFull called once, when the first error code is not counted apart */
export function createCounterWriter(
  client: DynamoDBClient,
  tables: CounterTables,
  retention: CounterRetention,
  clock: Clock,
  onCodesFull: () => void = () => {},
): CounterWriter {
  /** The stored first times of sends. They only ever become earlier, so an old value errs towards a write too many. */
  const knownFirsts = new Map<string, number>();
  const nameCodes = createCodes(client, tables.insights, onCodesFull);

  const expiryAfter = (ms: number, days: number): Expiry => ({
    N: String(Math.floor(ms / 1000) + days * 86_400),
  });

  function expiryOf(cohort: Cohort): Expiry {
    if (cohort.kind === 'send')
      return expiryAfter(Math.ceil(clock() / dayMs) * dayMs, retention.retentionDays);
    const { kind, start } = cohort;
    return expiryAfter(start, kind === 'day' ? retention.retentionDays : retention.hourRetentionDays);
  }

  async function read(deltas: Deltas) {
    const sends = deltas.cohorts.flatMap(({ cohort, first }) =>
      first === undefined ? [] : [cohortKey(cohort)],
    );
    const waiting = [...deltas.learntSends.keys()].map(waitingRepliesKey);
    const unknown = sends.filter((key) => !knownFirsts.has(nameOf(key)));
    const [items, messages] = await Promise.all([
      readCounters(client, tables.insights, [...unknown, ...waiting], true),
      readItems(client, tables.history, [...deltas.replies.keys()].map(messageKey), undefined, {
        consistent: true,
      }),
    ]);
    if (knownFirsts.size > maxKnownSends) knownFirsts.clear();
    for (const key of unknown) {
      const first = firstReportOf(items.get(nameOf(key)));
      if (first !== undefined) knownFirsts.set(nameOf(key), first);
    }
    return { items, messages };
  }

  function updateOf({ cohort, tally, first }: CohortDelta): TransactWriteItem[] {
    const key = cohortKey(cohort);
    const known = knownFirsts.get(nameOf(key));
    const isEarlier = first !== undefined && (known === undefined || first < known);
    if (isEmpty(tally) && !isEarlier) return [];
    const sets: Item = { expiresAt: expiryOf(cohort) };
    if (cohort.kind === 'send') sets.sendId = { S: cohort.sendId };
    if (isEarlier) {
      sets.listName = { S: sendList };
      sets.firstReportAt = timeAttribute(first);
    }
    const update = addition(tables.insights, key, tally, sets);
    if (!isEarlier) return [{ Update: update }];
    return [
      {
        Update: {
          ...update,
          ConditionExpression:
            known === undefined ? 'attribute_not_exists(#firstReportAt)' : '#firstReportAt = :known',
          ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#firstReportAt': 'firstReportAt' },
          ExpressionAttributeValues: {
            ...update.ExpressionAttributeValues,
            ...(known !== undefined && { ':known': timeAttribute(known) }),
          },
        },
      },
    ];
  }

  /** Returns the deltas with those of replies whose send is known, and the actions for replies that wait for one. */
  function settleReplies(deltas: Deltas, { items, messages }: Awaited<ReturnType<typeof read>>): Settled {
    const sends: CohortDelta[] = [];
    const actions: TransactWriteItem[] = [];
    const waiting: string[] = [];
    const addTo = (sendId: string, tally: Tally) =>
      sends.push({ cohort: { kind: 'send', sendId }, tally, first: undefined });
    for (const [messageId, tally] of deltas.replies) {
      const item = messages.get(messageKey(messageId));
      const sendId = (item?.sendId?.S && idIn(item, item.sendId.S)) ?? deltas.learntSends.get(messageId);
      if (sendId !== undefined) {
        addTo(sendId, tally);
        continue;
      }
      const expiresAt = expiryAfter(clock(), waitingDays);
      const key = waitingRepliesKey(messageId);
      actions.push({ Update: addition(tables.insights, key, tally, { expiresAt }) });
      waiting.push(messageId);
    }
    for (const [messageId, sendId] of deltas.learntSends) {
      const waited = items.get(nameOf(waitingRepliesKey(messageId)));
      if (waited === undefined) continue;
      addTo(sendId, tallyOfItem(waited));
      actions.push(deletionOf(tables.insights, waited));
    }
    return { cohorts: joined([...deltas.cohorts, ...sends]), actions, waiting };
  }

  return {
    async open(shardId) {
      const key = checkpointKey(shardId);
      const items = await readCounters(client, tables.insights, [key], true);
      return { shardId, counted: items.get(nameOf(key))?.countedTo?.S };
    },
    async commit(state, counted, { cohorts, ...others }) {
      if (cohorts.length > maxActions) return { kind: 'too-large' };
      const named = await nameCodes(cohorts.map(({ tally }) => tally));
      const deltas = {
        cohorts: cohorts.map((delta) => ({ ...delta, tally: named(delta.tally) })),
        ...others,
      };
      const settled = settleReplies(deltas, await read(deltas));
      if (settled.cohorts.some(({ tally }) => Object.keys(tally).length > maxCounts))
        return { kind: 'too-large' };
      const TransactItems = [
        checkpointAction(tables.insights, state, counted, expiryAfter(clock(), checkpointDays)),
        ...settled.cohorts.flatMap(updateOf),
        ...settled.actions,
        ...settled.waiting.map((messageId) => sendlessCheck(tables.history, messageId)),
      ];
      if (TransactItems.length > maxActions) return { kind: 'too-large' };
      const firsts = deltas.cohorts.flatMap(({ cohort, first }) =>
        first === undefined ? [] : [{ name: nameOf(cohortKey(cohort)), first }],
      );
      try {
        await client.send(new TransactWriteItemsCommand({ TransactItems }));
      } catch (error) {
        // Another writer may have stored an earlier time.
        for (const { name } of firsts) knownFirsts.delete(name);
        const cause = retryable(error);
        if (cause === undefined) throw error;
        return { kind: 'retry', cause };
      }
      for (const { name, first } of firsts)
        knownFirsts.set(name, Math.min(first, knownFirsts.get(name) ?? first));
      return { kind: 'counted' };
    },
  };
}

interface Settled {
  readonly cohorts: readonly CohortDelta[];
  readonly actions: readonly TransactWriteItem[];
  /** The messages whose replies wait. */
  readonly waiting: readonly string[];
}

/** Adds the tallies of one cohort together. */
function joined(cohorts: readonly CohortDelta[]): CohortDelta[] {
  const byName = Map.groupBy(cohorts, ({ cohort }) => nameOf(cohortKey(cohort)));
  return [...byName.values()].flatMap((same) => {
    const [{ cohort, first } = { cohort: undefined, first: undefined }] = same;
    if (cohort === undefined) return [];
    return [{ cohort, first, tally: addTallies(same.map(({ tally }) => tally)) }];
  });
}

const retried: ReadonlySet<string | undefined> = new Set([
  'ConditionalCheckFailed',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);

/** Returns why a transaction was cancelled; undefined for errors that a repetition does not cure, and for those of other calls. */
function retryable(error: unknown): string | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => retried.has(code)) ? codes[0] : undefined;
}
