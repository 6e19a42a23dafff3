import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter, type HistoryWriter } from '../../../functions/history/history-write-store.ts';
import {
  createHistoryLists,
  createHistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { decidingEntry, type Message, mergeMessages, messageOf } from '../../../functions/history/message.ts';
import { createStaleMarker, type StaleMarker } from '../../../functions/history/sweep/stale-marker-store.ts';
import { sweep } from '../../../functions/history/sweep/sweep.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { recorder } from '../../support/recorder.ts';

const hourMs = 3_600_000;
const settings = { retentionDays: 10, listShards: 4 };
const now = Date.parse('2026-01-20T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now - hours * hourMs).toISOString();

let tables: HistoryTables;
let writer: HistoryWriter;
let marker: StaleMarker;

beforeAll(async () => {
  tables = await startHistoryTables();
  writer = createHistoryWriter(tables.client, tables.history, settings);
  marker = createStaleMarker(tables.client, tables.history, settings);
});
afterAll(() => tables.stop());

const lists = () => createHistoryLists(tables.client, tables.history, settings.listShards);
const stored = (id: string) => createHistoryReader(tables.client, tables.history).message(id);

function report(
  messageId: string,
  status: CanonicalStatus,
  hours: number,
  eventId: string = status,
): Message {
  const event = { kind: 'sms.status', messageId, eventId, status, rank: rankOf(status) } as const;
  return messageOf({ ...event, phone: '+12025550143', occurredAt: hoursAgo(hours) }, hoursAgo(hours));
}

async function run(mark: StaleMarker['mark'] = marker.mark): Promise<number> {
  const { log, count, counts } = recorder();
  const dependencies = { pending: lists().pending, marker: { mark }, staleAfterHours: 72, clock: () => now };
  await sweep({ ...dependencies, log, count }, { remainingMs: () => 60_000, isOver: () => false });
  return counts.get('staleMarked') ?? 0;
}

async function statusOf(id: string) {
  const message = await stored(id);
  return message && decidingEntry(message).status;
}

const keyOf = (id: string) => ({ TableName: tables.history, Key: { pk: { S: `message#${id}` } } });

describe('the sweep', () => {
  it('marks a message whose id has a lone surrogate, and its send lists it', async () => {
    const id = 'lone \ud800';
    await writer.storeMessage({ ...report(id, 'sent', 75), sendId: id });
    await run();
    expect(await statusOf(id)).toBe('unknown');
    expect((await lists().send({ sendId: id }, { limit: 9 })).entries).toHaveLength(1);
  });

  it('keeps earlier reports, records when the wait ended, and restarts retention', async () => {
    await writer.storeMessage(report('kept', 'queued', 75));
    await writer.storeMessage(report('kept', 'sent', 74));
    await run();
    const message = await stored('kept');
    expect([...(message?.events.keys() ?? [])].sort()).toEqual(['pipeline:stale', 'queued', 'sent']);
    expect(message?.events.get('pipeline:stale')).toMatchObject({
      occurredAt: hoursAgo(3),
      receivedAt: hoursAgo(0),
      errorText: 'no final report within 72 h',
    });
    const { Item } = await tables.client.send(new GetItemCommand(keyOf('kept')));
    expect(Item).toMatchObject({
      expiresAt: { N: String(now / 1000 + 10 * 86_400) },
      firstSeenAt: { S: hoursAgo(75) },
    });
    expect(Item?.listName?.S).toMatch(/^unknown#/);
    expect(Item?.listedAt).toEqual(Item?.statusAt);
  });

  it('never makes a message expire sooner, also after retention was shortened', async () => {
    await writer.storeMessage(report('shortened', 'sent', 80));
    const shorter = createStaleMarker(tables.client, tables.history, { ...settings, retentionDays: 1 });
    expect(await run(shorter.mark)).toBe(1);
    const { Item } = await tables.client.send(new GetItemCommand(keyOf('shortened')));
    expect(Item).toMatchObject({
      expiresAt: { N: String(Date.parse(hoursAgo(80)) / 1000 + 10 * 86_400) },
    });
  });

  it('marks a message that is full of reports', async () => {
    const reports = Array.from({ length: 100 }, (_, index) => report('full', 'sent', 80, `e${index}`));
    await writer.storeMessage(reports.reduce(mergeMessages));
    expect(await run()).toBe(1);
    expect(await statusOf('full')).toBe('unknown');
    await writer.storeMessage(report('full', 'delivered', 1));
    expect(await statusOf('full')).toBe('delivered');
    expect((await stored('full'))?.events.size).toBe(102);
  });
});

it('the sweep creates no deleted message again', async () => {
  await writer.storeMessage(report('remade', 'sent', 80));
  const fresh = report('remade', 'queued', 0, 'new');
  const marked = await run(async (message, entry) => {
    await tables.client.send(new DeleteItemCommand(keyOf('remade')));
    await writer.storeMessage(fresh);
    return marker.mark(message, entry);
  });
  expect(marked).toBe(0);
  expect(await stored('remade')).toEqual(fresh);
});
