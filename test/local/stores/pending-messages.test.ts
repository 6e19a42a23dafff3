import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import {
  createHistoryLists,
  createHistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { decidingEntry, isFinal, type Message, messageOf } from '../../../functions/history/message.ts';
import { createStaleMarker } from '../../../functions/history/sweep/stale-marker-store.ts';
import { sweep } from '../../../functions/history/sweep/sweep.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { assertProperty } from '../../support/property.ts';
import { recorder } from '../../support/recorder.ts';
import { readAll } from '../../support/suites/reports.ts';

const hourMs = 3_600_000;
const staleAfterHours = 72;
const settings = { retentionDays: 400, listShards: 2 };
const startedAt = Date.parse('2026-01-15T11:59:59.000Z');
const ids = ['m0', 'm1', 'm2', 'm3'];

/** A history, its worker and its sweep. The clock moves by hand. */
function pipelineOn({ client, ...tables }: HistoryTables) {
  let now = startedAt;
  let events = 0;
  const clock = () => now;
  const reader = createHistoryReader(client, tables.history);
  const { pending } = createHistoryLists(client, tables.history, settings.listShards);
  const writer = createHistoryWriter(client, tables.history, settings);

  function report(messageId: string, status: CanonicalStatus, delayMs: number): Message {
    const event = { messageId, eventId: `e${events++}`, status, rank: rankOf(status) };
    const receivedAt = new Date(now - delayMs).toISOString();
    return messageOf({ kind: 'sms.status', ...event, occurredAt: receivedAt }, receivedAt);
  }

  async function isOpen(messageId: string) {
    const message = await reader.message(messageId);
    return message !== undefined && !isFinal(decidingEntry(message)) ? message : undefined;
  }

  return {
    report,
    wait: (hours: number) => {
      now += hours * hourMs;
    },
    /** Stores a batch as the worker does. A worker that crashes makes so many writes. */
    async work(batch: readonly Message[], writes: number) {
      for (const message of batch.slice(0, writes)) await writer.storeMessage(message);
    },
    /** A sweep that is killed makes so many calls. */
    async sweep(calls: number) {
      const killed = killedAfter(client, calls);
      const { log, count } = recorder();
      await sweep(
        {
          pending: createHistoryLists(killed, tables.history, settings.listShards).pending,
          marker: createStaleMarker(killed, tables.history, settings),
          staleAfterHours,
          clock,
          log,
          count,
        },
        { remainingMs: () => 60_000, isOver: () => false },
      ).catch((error: unknown) => {
        if (calls === Number.POSITIVE_INFINITY) throw error;
      });
    },
    /** The open messages of the table, as the list has to have them. */
    async open(): Promise<string[]> {
      const found = (await Promise.all(ids.map(isOpen))).filter((message) => message !== undefined);
      return found
        .toSorted((a, b) => (a.firstSeenAt === b.firstSeenAt ? 0 : a.firstSeenAt > b.firstSeenAt ? -1 : 1))
        .map(({ messageId }) => messageId);
    },
    async listed(limit: number, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
      const found = await readAll(async (page) => {
        if (page.cursor !== undefined) await between();
        return pending({}, page);
      }, limit);
      return found.map(({ messageId }) => messageId);
    },
  };
}

function killedAfter(client: DynamoDBClient, calls: number): DynamoDBClient {
  let left = calls;
  const send: DynamoDBClient['send'] = async (...args: [never]) => {
    if (left <= 0) throw new Error('killed');
    left -= 1;
    return client.send(...args);
  };
  return Object.create(client, { send: { value: send } });
}

const statuses = fc.constantFrom<CanonicalStatus>('accepted', 'queued', 'sent', 'delivered', 'failed');
const steps = fc.oneof(
  fc.record({
    kind: fc.constant('work' as const),
    reports: fc.uniqueArray(
      fc.tuple(fc.constantFrom(...ids), statuses, fc.constantFrom(0, 0, 1, 20_000, 80 * hourMs)),
      { minLength: 1, maxLength: 4, selector: ([id]) => id },
    ),
    writes: fc.oneof(fc.constant(9), fc.nat(4)),
  }),
  fc.record({ kind: fc.constant('redeliver' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(0.02, 0.5, 1, 2.5, 30) }),
  fc.record({
    kind: fc.constant('sweep' as const),
    calls: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(40)),
  }),
  fc.record({ kind: fc.constant('sweep while listing' as const) }),
);

it('the list has each pending message once, and the sweep marks each in time, in any order of reports, with crashes of both', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 12 }), async (all) => {
      const tables = await startHistoryTables();
      try {
        const pipeline = pipelineOn(tables);
        const crashed: Message[][] = [];
        for (const step of all) {
          if (step.kind === 'work') {
            const batch = step.reports.map(([id, status, delayMs]) => pipeline.report(id, status, delayMs));
            await pipeline.work(batch, step.writes);
            if (step.writes < batch.length) crashed.push(batch);
          } else if (step.kind === 'redeliver') {
            for (const batch of crashed.splice(0)) await pipeline.work(batch, 9);
          } else if (step.kind === 'wait') pipeline.wait(step.hours);
          else if (step.kind === 'sweep') await pipeline.sweep(step.calls);
          else {
            const before = await pipeline.open();
            const listed = await pipeline.listed(1, () => pipeline.sweep(Number.POSITIVE_INFINITY));
            const after = await pipeline.open();
            expect(new Set(listed).size).toBe(listed.length);
            expect(listed).toEqual(expect.arrayContaining(before.filter((id) => after.includes(id))));
          }
          expect(await pipeline.listed(2)).toEqual(await pipeline.open());
        }
        for (const batch of crashed) await pipeline.work(batch, 9);
        for (let day = 0; day < 4; day++) {
          pipeline.wait(25);
          await pipeline.sweep(Number.POSITIVE_INFINITY);
        }
        expect(await pipeline.open()).toEqual([]);
        expect(await pipeline.listed(3)).toEqual([]);
      } finally {
        await tables.stop();
      }
    }),
    { numRuns: 12 },
  );
});
