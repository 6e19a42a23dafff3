import { setTimeout as delay } from 'node:timers/promises';
import { detailTypes } from '../../../functions/bus/event-types.ts';
import { messagePrefix } from '../../../functions/history/history-item-store.ts';
import { readItems } from '../../../functions/history/item-read-store.ts';
import { factKey } from '../../engine/published.ts';
import type { Run } from '../../engine/run.ts';
import { sendBySchedule } from '../../engine/sender.ts';
import { until } from '../../support/until.ts';
import { differenceOf, readCounters } from '../cost/counters.ts';
import type { LocalTimes } from './mappings.ts';
import { type Latency, latencyOf } from './simulate.ts';

/** Lookups of stored messages; about so many messages a second are looked for. */
const lookEveryMs = 40;
const lookedForPerSecond = 5;

export interface Measured {
  readonly stored: Latency;
  readonly published: Latency;
  readonly batches: { readonly worker: number; readonly publisher: number };
  readonly times: LocalTimes;
}

/**
 * Sends events at an even rate, each of a message of its own, and measures them from the post to the history table and to the bus.
 *
 * @param series what the ids begin with; unlike any other's in this run
 */
export async function measure(
  run: Run,
  {
    perSecond,
    events,
    series,
  }: { readonly perSecond: number; readonly events: number; readonly series: string },
): Promise<Measured> {
  const before = await readCounters(run.pipeline);
  const ids = Array.from({ length: events }, (_, index) => `${series}-${index}`);
  const every = Math.ceil(perSecond / lookedForPerSecond);
  const accepted: number[] = [];
  const post = async (index: number) => {
    const postedAt = performance.now();
    const messageId = ids[index] ?? '';
    const result = await run.sender.post({ messageId, eventId: messageId, status: 'queued', second: 0 });
    if (result !== 200) throw new Error(`an event was answered with ${result}`);
    accepted.push(performance.now() - postedAt);
  };
  const lookedFor = ids.filter((_, index) => index % every === 0);
  const [storedAt] = await Promise.all([
    storedTimes(run, lookedFor),
    sendBySchedule({ perSecond, late: 'caught up', isOver: (index) => index >= events }, post),
  ]);
  const publishedAt = (id: string) =>
    run.published.facts.get(factKey({ type: detailTypes.statusChanged, about: `${id} queued` }))?.firstAt;
  await until('all is published', async () => {
    await run.readBus();
    return ids.every((id) => publishedAt(id) !== undefined);
  });
  const postedAt = (id: string) => run.ledger.reports.get(id)?.postedAt ?? Number.NaN;
  const stored = [...storedAt].map(([id, at]) => at - postedAt(id));
  const counted = differenceOf(before, await readCounters(run.pipeline));
  const mean = (name: string) =>
    (counted.get(`${name} billedMs`) ?? 0) / (counted.get(`${name} invocations`) ?? 0);
  return {
    stored: latencyOf(stored),
    published: latencyOf(ids.map((id) => (publishedAt(id) ?? Number.NaN) - postedAt(id))),
    batches: {
      worker: events / (counted.get('worker invocations') ?? 0),
      publisher: events / (counted.get('publisher invocations') ?? 0),
    },
    times: { accepted, worker: mean('worker'), publisher: mean('publisher') },
  };
}

/** Looks for messages until all are stored. @returns when each was seen first, milliseconds since the epoch */
async function storedTimes({ pipeline }: Run, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const table = pipeline.outputs.HistoryTableName ?? '';
  await until('all is stored', async () => {
    await delay(lookEveryMs);
    const missing = ids.filter((id) => !seen.has(id)).slice(0, 100);
    const items = await readItems(
      pipeline.dynamoDb,
      table,
      missing.map((id) => messagePrefix + id),
    );
    const now = Date.now();
    for (const key of items.keys()) seen.set(key.slice(messagePrefix.length), now);
    return seen.size === ids.length;
  });
  return seen;
}
