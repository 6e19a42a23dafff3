import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEntries, createClient } from '../../client/index.ts';
import { fill } from '../../local/sample/fill.ts';
import { supportPhone } from '../../local/sample/tables.ts';
import { createTraffic, type SampleEvent } from '../../local/sample/traffic.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

const dayMs = 86_400_000;
const dayOf = (time: string | number) => new Date(time).toISOString().slice(0, 10);
const fieldsOf = (event: SampleEvent): Readonly<Record<string, string>> =>
  event.kind === 'body' ? {} : event.fields;

/** Returns whether an event differs from the contract, and is stored. */
const hasNewField = (event: SampleEvent) => event.kind === 'body' && event.body.includes('"carrier"');

/** Counts messages by the day of their first report. */
function messagesByDay(events: readonly SampleEvent[]): Map<string, number> {
  const firsts = new Map<string, string>();
  for (const event of events) {
    const { messageId, occurredAt = '' } = fieldsOf(event);
    if (event.kind !== 'sms.status' || messageId === undefined) continue;
    const first = firsts.get(messageId);
    if (first === undefined || occurredAt < first) firsts.set(messageId, occurredAt);
  }
  const ofBodies = events.filter(hasNewField).map(({ at }) => new Date(at).toISOString());
  const days = Map.groupBy([...firsts.values(), ...ofBodies], dayOf);
  return new Map([...days].map(([day, messages]) => [day, messages.length]));
}

async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

let pipeline: LocalPipeline;
beforeAll(async () => {
  pipeline = await startLocalPipeline();
});
afterAll(async () => {
  expect(await pipeline.stop()).toBe(0);
});

describe('the sample', () => {
  it('is in the history and in the figures at the times of its events', async () => {
    const { port, outputs, sqs, dynamoDb } = pipeline;
    const ask = createClient({
      baseUrl: outputs.QueryUrl ?? '',
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const now = Date.now();
    const today = Math.floor(now / dayMs) * dayMs;
    // The second fill is that of a restart.
    const traffic = createTraffic(shippedContract, now);
    const [played, left] = [traffic.due(today - 5 * dayMs), traffic.due(now)];
    const events = [...played, ...left];
    const days = { since: new Date(today - 31 * dayMs).toISOString(), until: new Date(today).toISOString() };
    const figures = async () => {
      const { periods } = await ask.getInsights({ ...days, interval: 'day' });
      return new Map(periods.map(({ start, messages }) => [dayOf(start), messages]));
    };
    const quarantined = async () =>
      (await collect(allEntries((page) => ask.listQuarantine({ ...days, ...page })))).map(
        ({ receivedAt, reason }) => `${receivedAt} ${reason}`,
      );
    const [figuresBefore, quarantinedBefore] = [await figures(), await quarantined()];

    const target = {
      smsServiceUrl: `http://127.0.0.1:${port + 1}`,
      awsUrl: `http://127.0.0.1:${port + 4}`,
      sqs,
      dynamodb: dynamoDb,
      output: (name: string) => outputs[name],
    };
    const fills: ({ readonly sent: number; readonly all: number } | null)[] = [];
    const reportFill = (progress: (typeof fills)[number]) => void fills.push(progress);
    expect(await fill(target, played, reportFill)).toEqual([]);
    expect(await fill(target, left, reportFill, played)).toEqual([]);
    expect(fills).toContainEqual({ sent: played.length, all: played.length });
    expect(fills.at(-1)).toBeNull();

    // The fill may have taken messages of the other tests, which are counted late, for its own.
    const expectedDays = [...messagesByDay(events)].filter(([day]) => day < dayOf(today));
    expect(expectedDays.length).toBeGreaterThan(20);
    await until('the messages of each day are counted', async () => {
      const after = await figures();
      const added = (day: string) => (after.get(day) ?? 0) - (figuresBefore.get(day) ?? 0);
      if (expectedDays.every(([day, messages]) => added(day) === messages)) return true;
      // The query API is throttled.
      await delay(1_000);
      return false;
    });

    const sendIds = new Set(events.flatMap((event) => fieldsOf(event).sendId ?? []));
    await until('every send of the sample is counted', async () => {
      const sends = await collect(allEntries((page) => ask.listSends({ since: days.since, ...page })));
      const counted = new Set(sends.filter(({ messages }) => messages > 0).map(({ sendId }) => sendId));
      if ([...sendIds].every((sendId) => counted.has(sendId))) return true;
      // The query API is throttled.
      await delay(1_000);
      return false;
    });

    const replies = await collect(allEntries((page) => ask.listReplies({ ...days, ...page })));
    const ids = new Set(replies.map(({ replyId }) => replyId));
    const expectedReplies = events.flatMap((event) =>
      event.kind === 'sms.reply' && event.at < today ? (event.fields.replyId ?? []) : [],
    );
    expect(expectedReplies.filter((replyId) => !ids.has(replyId))).toEqual([]);

    const unreadable = events.filter(
      (event) => event.kind === 'body' && event.isForged !== true && !hasNewField(event) && event.at < today,
    );
    // Capture may still be on, and keeps the forged body.
    const quarantinedNow = (await quarantined()).filter(
      (entry) => !quarantinedBefore.includes(entry) && !entry.endsWith(' captured'),
    );
    // A request without an answer in time is sent again, and its body is kept twice.
    expect(quarantinedNow.length).toBeGreaterThanOrEqual(unreadable.length);
    expect(new Set(quarantinedNow.map(dayOfEntry))).toEqual(new Set(unreadable.map(({ at }) => dayOf(at))));

    const { results } = await ask.search({ q: supportPhone });
    const [found] = results;
    const conversation = await ask.getConversation({
      of: found?.kind === 'number' ? (found.of ?? '') : '',
      // The other tests write to the same number, today.
      since: new Date(today - dayMs).toISOString(),
      until: new Date(today).toISOString(),
    });
    const texts = conversation.entries.flatMap((entry) => (entry.kind === 'reply' ? [entry.text] : []));
    expect(texts).toContain("Yes, I'll be there. Is there parking nearby?");
  });
});

const dayOfEntry = (entry: string) => entry.slice(0, 10);
