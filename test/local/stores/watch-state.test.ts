import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RunWatchDependencies,
  runWatch,
} from '../../../functions/automations/delivery-watch/run-watch.ts';
import { watchEvent } from '../../../functions/automations/delivery-watch/watch-events.ts';
import { createWatchStore } from '../../../functions/automations/delivery-watch/watch-state-store.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { createHistoryLists } from '../../../functions/history/lists/history-list-store.ts';
import { cohortKey, quarterMs } from '../../../functions/insights/counters/cohort.ts';
import { createCounterReads } from '../../../functions/insights/counters/counter-read-store.ts';
import type { BusEvent } from '../../../functions/publish/bus/details.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { recorder } from '../../support/recorder.ts';
import { report } from '../../support/suites/reports.ts';

let tables: HistoryTables;
const made: HistoryTables[] = [];

beforeEach(async () => {
  tables = await startHistoryTables();
  made.push(tables);
});

afterAll(async () => {
  await Promise.all(made.map((one) => one.stop()));
});

const quarter = Date.parse('2026-11-23T10:00:00Z');
const dueAt = quarter + quarterMs + 180_000;

describe('the state of the watch', () => {
  const stored = {
    judgedTo: quarter,
    state: new Map([
      [
        'country:DE',
        {
          degradedSince: quarter,
          silent: 0,
          charts: { 'delivery-rate': { sum: 7.5, isOut: true, calm: 0 } },
        },
      ],
      [
        'country:FR',
        { silent: 0, held: 1, charts: { 'delivery-rate': { sum: 7.5, isOut: false, calm: 0 } } },
      ],
      [
        'source:backup',
        {
          degradedSince: quarter,
          silent: 0,
          charts: { 'slow-share': { sum: 0, isOut: true, calm: 3 } },
        },
      ],
    ]),
    badSends: new Map([['spring', quarter]]),
    unpublished: [
      watchEvent({ kind: 'degraded', subject: { kind: 'all' }, since: quarter, findings: [] }, [], dueAt),
    ],
  };

  it('is read as it was written, and empty at first', async () => {
    const store = createWatchStore(tables.client, tables.insights);
    expect(await store.read()).toEqual({
      judgedTo: undefined,
      state: new Map(),
      badSends: new Map(),
      unpublished: [],
    });
    expect(await store.write(stored)).toBe(true);
    expect(await createWatchStore(tables.client, tables.insights).read()).toEqual(stored);
    expect(await store.write({ ...stored, unpublished: [] })).toBe(true);
    expect((await store.read()).unpublished).toEqual([]);
  });

  it('is written by one of two runs that read it at once', async () => {
    const [one, other] = [1, 2].map(() => createWatchStore(tables.client, tables.insights));
    await one?.read();
    await other?.read();
    expect(await one?.write(stored)).toBe(true);
    expect(await other?.write({ ...stored, judgedTo: quarter + quarterMs })).toBe(false);
    expect((await other?.read())?.judgedTo).toBe(quarter);
  });
});

/** Writes the counters of quarter hours of a country, as insights does. */
async function count(from: number, until: number, tally: (start: number) => Record<string, number>) {
  for (let start = from; start < until; start += quarterMs) {
    const key = cohortKey({ kind: 'quarter', start, country: 'DE', source: 'main' });
    const Item = marshall({ ...key, expiresAt: 4_000_000_000, ...tally(start) });
    await tables.client.send(new PutItemCommand({ TableName: tables.insights, Item }));
  }
}

describe('the watch on the counters of the table', () => {
  it('finds a country in which messages fail, and publishes that once over two runs', async () => {
    const usual = (start: number) => {
      const wobble = ((start / quarterMs) % 5) - 2;
      return { delivered: 380 + wobble, failed: 20 - wobble };
    };
    for (const week of [1, 2, 3, 4]) {
      const same = quarter - week * 7 * 96 * quarterMs;
      await count(same - 4 * quarterMs, same + 5 * quarterMs, usual);
    }
    await count(quarter - 4 * quarterMs, quarter, usual);
    await count(quarter, quarter + quarterMs, () => ({ delivered: 200, failed: 200 }));
    await count(quarter + quarterMs, quarter + 2 * quarterMs, usual);
    const writer = createHistoryWriter(tables.client, tables.history, {
      retentionDays: 400,
      listShards: 2,
    });
    const failed = (messageId: string, phone: string, ms: number) => {
      const occurredAt = new Date(ms).toISOString();
      return report(messageId, `event-${messageId}`, 'failed', 0, { phone, sendId: 'spring', occurredAt });
    };
    await writer.storeMessage(failed('example', '+493023125001', quarter + 60_000));
    await writer.storeMessage(failed('of another country', '+12025550143', quarter + 60_000));
    await writer.storeMessage(failed('later', '+493023125002', quarter + quarterMs));
    const events: BusEvent[] = [];
    const run = (clock: number) => {
      const dependencies: RunWatchDependencies = {
        ...recorder(),
        counters: createCounterReads(tables.client, tables.insights, () => clock),
        lists: createHistoryLists(tables.client, tables.history, 2),
        store: createWatchStore(tables.client, tables.insights),
        bus: {
          publish: async (batch) => {
            events.push(...batch);
            return batch.map(() => ({ kind: 'published' }));
          },
        },
        clock: () => clock,
      };
      return runWatch(dependencies);
    };
    await run(dueAt);
    await run(dueAt + 300_000);
    expect(events.filter(({ detail }) => 'country' in detail)).toMatchObject([
      {
        detailType: 'SMS Delivery Degraded',
        detail: {
          country: 'DE',
          since: '2026-11-23T10:00:00.000Z',
          examples: [{ messageId: 'example', sendId: 'spring' }],
        },
      },
    ]);
  });
});
