import { createHash } from 'node:crypto';
import { type Cohort, cohortKey, sendList } from '../../../functions/counters/cohort.ts';
import { sendTimeIndex } from '../../../functions/counters/counter-read-store.ts';
import { type Deltas, deltasOf } from '../../../functions/counters/deltas.ts';
import { isEmpty, type Tally } from '../../../functions/counters/tally.ts';
import { createRandom } from '../../../local/sms-service/random.ts';
import { keywordOf } from '../../support/keywords.ts';
import type { Batching } from '../cost/template-facts.ts';
import { billWrite, type Item } from '../cost/write-rules.ts';
import { makeChanges, type TimedChange } from './traffic.ts';

/** "DynamoDB read and write operations" of the Developer Guide: a transaction writes each item twice. */
const transactionFactor = 2;
/** Shards of the stream of a new table on demand, which takes 4,000 writes a second (Developer Guide, "On-demand capacity mode"). */
const startingShards = 4;
/** The position and the control item are read for each batch, consistent. */
const readsPerBatch = 2;
/** Assumed: milliseconds at 512 MiB for an invocation, most of which waits for three calls, and for an event. */
const billedMs = { perInvocation: 40, perEvent: 0.5 };
const memoryGb = 0.5;

/** Events of a measurement, and the seconds that it has at least. The first third fills the counters of the day, and is not measured. */
const minEvents = 8000;
const minSeconds = 90;

/** Units of an event for its counters. */
export interface InsightsUsage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly invocations: number;
  readonly gbSeconds: number;
}

const kinds = {
  single: { sendSize: 0, pauseSeconds: 0 },
  sends: { sendSize: 1000, pauseSeconds: 0 },
  sendsApart: { sendSize: 1000, pauseSeconds: 3600 },
} as const;

/** What the messages of a measurement are. */
export type Messages = keyof typeof kinds;

const checkpoint: Item = {
  pk: { S: 'checkpoint' },
  sk: { S: 'shardId-00000001768478400000-1a2b3c4d' },
  seq: { S: '0'.repeat(40) },
  expiresAt: { N: '1768478400' },
};
const measured = new Map<string, InsightsUsage>();

/**
 * Returns what an event takes on average, in one country, while so many events a second come. Made-up messages become batches as Lambda makes
 * them, and the deltas of the function's own rules are added to items, whose writes are billed by DynamoDB's rules.
 *
 * @param messages what the messages are: in none, or in sends of 1,000, one after the other or with an hour between them
 */
export function insightsPerEvent(
  batching: Batching | undefined,
  perSecond: number,
  messages: Messages = 'sends',
): InsightsUsage {
  if (batching === undefined) return { writeUnits: 0, readUnits: 0, invocations: 0, gbSeconds: 0 };
  const name = JSON.stringify([batching, perSecond, messages]);
  const usage = measured.get(name) ?? measure(batching, perSecond, kinds[messages]);
  measured.set(name, usage);
  return usage;
}

function measure(
  batching: Batching,
  perSecond: number,
  { sendSize, pauseSeconds }: (typeof kinds)[Messages],
): InsightsUsage {
  const events = Math.max(minEvents, perSecond * minSeconds);
  const changes = makeChanges({ perSecond, sendSize, pauseSeconds, events, random: createRandom(1) });
  // While messages go on beginning.
  const last =
    changes.findLast(({ change }) => change.kind === 'message' && change.before === undefined)?.at ?? 0;
  const items = new Map<string, Item>();
  const sends = new Set<string>();
  const sum = { events: 0, batches: 0, writeUnits: 0, readUnits: 0 };
  let counted = 0;
  for (const batch of batchesOf(changes, batching, perSecond)) {
    const deltas = deltasOf(
      batch.map(({ change }) => change),
      keywordOf,
    );
    const [writeUnits, readUnits] = [writeUnitsOf(deltas, items), readUnitsOf(deltas, sends)];
    counted += batch.length;
    if (counted <= events / 3 || (batch[0]?.at ?? 0) > last) continue;
    sum.events += batch.length;
    sum.batches += 1;
    sum.writeUnits += writeUnits;
    sum.readUnits += readUnits;
  }
  return {
    writeUnits: sum.writeUnits / sum.events,
    readUnits: sum.readUnits / sum.events,
    invocations: sum.batches / sum.events,
    gbSeconds: (((billedMs.perInvocation * sum.batches) / sum.events + billedMs.perEvent) / 1000) * memoryGb,
  };
}

/** Returns the batches of all shards, in the order of their ends. A batch ends when it is full, or its window after its first change. */
function batchesOf(changes: readonly TimedChange[], batching: Batching, perSecond: number): TimedChange[][] {
  const shards = Math.max(startingShards, Math.ceil(perSecond / 1000));
  const batches: { end: number; changes: TimedChange[] }[] = [];
  const open = new Map<number, { end: number; changes: TimedChange[] }>();
  for (const change of changes) {
    const shard = createHash('md5').update(change.id).digest().readUInt32LE() % shards;
    let batch = open.get(shard);
    if (batch === undefined || change.at > batch.end || batch.changes.length === batching.batchSize) {
      batch = { end: change.at + batching.windowSeconds * 1000, changes: [] };
      batches.push(batch);
      open.set(shard, batch);
    }
    batch.changes.push(change);
  }
  return batches.sort((a, b) => a.end - b.end).map((batch) => batch.changes);
}

/** Adds deltas to items, and returns the units of the transaction that does. */
function writeUnitsOf({ cohorts }: Deltas, items: Map<string, Item>): number {
  let units = transactionFactor * billWrite(checkpoint, checkpoint, []).table;
  for (const { cohort, tally, first } of cohorts) {
    const { pk, sk } = cohortKey(cohort);
    const before = items.get(`${pk} ${sk}`);
    const isEarlier = first !== undefined && first < Number(before?.first?.N ?? Number.POSITIVE_INFINITY);
    if (isEmpty(tally) && !isEarlier) continue;
    const after: Item = {
      ...(before ?? { pk: { S: pk }, sk: { S: sk }, expiresAt: { N: '1803168000' } }),
      ...(isEarlier && { list: { S: sendList }, first: { N: String(first) } }),
      ...added(before, tally),
    };
    items.set(`${pk} ${sk}`, after);
    const bill = billWrite(before, after, [{ name: sendTimeIndex, keys: ['list', 'first', 'pk', 'sk'] }]);
    units += transactionFactor * bill.table;
    for (const each of Object.values(bill.indexes)) units += each;
  }
  return units;
}

/** A count that becomes zero stays in its item. */
function added(before: Item | undefined, tally: Tally): Item {
  return Object.fromEntries(
    Object.entries(tally).map(([name, count]) => [
      name,
      { N: String(Number(before?.[name]?.N ?? 0) + count) },
    ]),
  );
}

/** The position, sends that this instance does not know, replies that may wait for a new message of a send, and the messages of replies. */
function readUnitsOf({ cohorts, replies, learntSends }: Deltas, known: Set<string>): number {
  const unknown = cohorts.flatMap(({ cohort }) => idOf(cohort) ?? []).filter((id) => !known.has(id));
  for (const id of unknown) known.add(id);
  return readsPerBatch + unknown.length + learntSends.size + replies.size;
}

const idOf = (cohort: Cohort) => (cohort.kind === 'send' ? cohort.sendId : undefined);
