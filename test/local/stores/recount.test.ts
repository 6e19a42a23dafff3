import {
  DynamoDBClient as Client,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import pMap from 'p-map';
import { afterAll, describe, expect, it } from 'vitest';
import { correct } from '../../../cli/insights/correct.ts';
import { type Measurement, measure } from '../../../cli/insights/measure.ts';
import {
  createChangeReader,
  createOldestUncounted,
  type StreamChange,
} from '../../../cli/stores/history-changes.ts';
import { createRecountSources, type RecountSources } from '../../../cli/stores/recount-sources.ts';
import { messageKey } from '../../../functions/history/item-keys.ts';
import { type Message, mergeMessages } from '../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../functions/history/message-item.ts';
import { replyFromItem, replyItem } from '../../../functions/history/reply-item.ts';
import { maxCodes } from '../../../functions/insights/counters/count-names.ts';
import { createCounterReads } from '../../../functions/insights/counters/counter-read-store.ts';
import { createCounterWriter, maxCounts } from '../../../functions/insights/counters/counter-write-store.ts';
import { deltasOf, type HistoryChange } from '../../../functions/insights/counters/deltas.ts';
import type { Positions } from '../../../functions/insights/counters/recount.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { keywordOf } from '../../../tools/support/keywords.ts';
import { replied, report } from '../../support/suites/reports.ts';

const started: HistoryTables[] = [];
const clients: { destroy(): void }[] = [];

afterAll(async () => {
  for (const client of clients) client.destroy();
  for (const tables of started) await tables.stop();
});

const noon = Date.UTC(2026, 0, 15, 12);
const retention = { retentionDays: 400, hourRetentionDays: 70 };
const settings = { retentionDays: 400, listShards: 2 };
const expiresAt = noon / 1000 + 400 * 86_400;

/** A history with a stream, its counters, and the live function, which counts when it is called. */
async function pipeline() {
  const tables = await startHistoryTables({ hasStreams: true });
  started.push(tables);
  const client: DynamoDBClient = new Client(localClient(tables.endpoint));
  const streams = new DynamoDBStreamsClient(localClient(tables.endpoint));
  clients.push(client, streams);
  let ids = 0;
  const changes = createChangeReader(
    client,
    streams,
    tables.history,
    () => `mark-${++ids}`,
    async () => {},
  );
  const writer = createCounterWriter(client, tables, retention, () => noon);
  const messages = new Map<string, Message>();
  let generations = 0;

  async function put(Item: ReturnType<typeof messageItem>) {
    await client.send(new PutItemCommand({ TableName: tables.history, Item }));
  }
  const version = () => String(++generations);

  return {
    client,
    tables,
    sources: createRecountSources(client, tables, retention, {
      changes,
      oldestUncounted: createOldestUncounted(client, streams, tables.history, async () => {}),
    }),
    async message(view: Message) {
      const known = messages.get(view.messageId);
      const merged = known === undefined ? view : mergeMessages(known, view);
      messages.set(view.messageId, merged);
      await put(messageItem(merged, version(), expiresAt, settings));
    },
    async reply(id: string, messageId: string, text = 'stop') {
      await put(replyItem(replied(id, 'e', 60, { messageId, text }), version(), expiresAt, settings));
    },
    async erase(messageId: string) {
      const Key = { pk: { S: messageKey(messageId) } };
      await client.send(new DeleteItemCommand({ TableName: tables.history, Key }));
    },
    /** Counts at most so many changes of the stream that are not counted yet; `skip` moves the position without counting. */
    async count(most = Number.POSITIVE_INFINITY, skip = false) {
      const positions: Positions = new Map();
      const byShard = Map.groupBy((await changes(positions)) ?? [], ({ shardId }) => shardId);
      for (const [shardId, all] of byShard) {
        for (let attempt = 0; attempt < 3; attempt++) {
          const state = await writer.open(shardId);
          const open = all.filter(({ position }) => position > (state.counted ?? '')).slice(0, most);
          const last = open.at(-1);
          if (last === undefined) break;
          const counted = skip ? [] : open.flatMap((change) => historyChange(change) ?? []);
          const outcome = await writer.commit(state, last.position, deltasOf(counted, keywordOf));
          // A correction may have stored an earlier time of a send, which the next attempt reads.
          if (outcome.kind === 'counted') break;
        }
      }
    },
    async figures() {
      const reads = createCounterReads(client, tables.insights, () => noon);
      const { sends } = await reads.sends({ limit: 10 });
      return {
        sends: Object.fromEntries(sends.map(({ sendId, tally }) => [sendId, tally])),
        quarters: await reads.quarters(noon - 86_400_000, noon + 86_400_000),
        days: await reads.days('2026-01-14', '2026-01-17'),
      };
    },
  };
}

type Pipeline = Awaited<ReturnType<typeof pipeline>>;

function historyChange({ key, isRemoval, before, after }: StreamChange): HistoryChange | undefined {
  if (isRemoval || after === undefined) return undefined;
  if (key.startsWith('message#'))
    return { kind: 'message', before: before && messageFromItem(before), after: messageFromItem(after) };
  return { kind: 'reply', before: before && replyFromItem(before), after: replyFromItem(after) };
}

const measured = (sources: RecountSources) =>
  measure(
    sources,
    keywordOf,
    () => noon + 3_600_000,
    () => {},
  );
const rebuild = (sources: RecountSources, { corrected, differences }: Measurement) =>
  correct(sources.writer(), corrected, differences);

/** Runs something between the steps of a recount: before and after the history and the counters are read. */
function interrupted(sources: RecountSources, step: () => Promise<void>): RecountSources {
  async function* before<T>(generator: AsyncGenerator<T, void>) {
    await step();
    for await (const page of generator) yield page;
    await step();
  }
  return {
    ...sources,
    history: () => before(sources.history()),
    counters: () => before(sources.counters()),
    changes: async (positions) => {
      await step();
      return sources.changes(positions);
    },
  };
}

const sendOf = (index: number) => ({ sendId: `send-${index % 3}`, phone: '+12025550143' });

/** Messages and replies of the time before insights, of which no figure knows. */
async function fillUncounted(own: Pipeline) {
  for (let index = 0; index < 12; index++)
    await own.message(report(`m${index}`, 'e1', 'sent', index, sendOf(index)));
  await own.reply('r0', 'm0');
  await own.reply('r1', 'm1', 'yes');
  await own.count(Number.POSITIVE_INFINITY, true);
}

it('a recount agrees with the counters on segments and spend, and corrects them', async () => {
  const own = await pipeline();
  const dollars = { ...sendOf(0), price: '0.0158', currency: 'USD', segments: 2 };
  await own.message(report('m1', 'e1', 'sent', 0, dollars));
  await own.count();
  expect((await measured(own.sources)).differences).toEqual([]);
  // The price is corrected, and this change is not counted.
  await own.message(report('m1', 'e2', 'delivered', 1, { ...sendOf(0), price: '0.03', currency: 'EUR' }));
  await own.count(Number.POSITIVE_INFINITY, true);
  const measurement = await measured(own.sources);
  const ofSend = measurement.differences.find(({ cohort }) => cohort.kind === 'send');
  expect(ofSend?.tally).toMatchObject({
    'spend#USD': -15_800,
    'priced#USD': -1,
    'spend#EUR': 30_000,
    'priced#EUR': 1,
  });
  await rebuild(own.sources, measurement);
  const spent = { segments: 2, 'priced#EUR': 1, 'spend#EUR': 30_000 };
  expect((await own.figures()).sends['send-0']).toMatchObject({ delivered: 1, ...spent });
  expect((await measured(own.sources)).differences).toEqual([]);
});

it('a reader of changes waits longer after each throttled read of a shard, and reads each shard once a second', async () => {
  const { client, tables, message } = await pipeline();
  await message(report('throttled', 'e1', 'sent', 1));
  const streams = new DynamoDBStreamsClient(localClient(tables.endpoint));
  clients.push(client, streams);
  const failures = ['ProvisionedThroughputExceededException', 'LimitExceededException'];
  const throttling: DynamoDBStreamsClient = Object.create(streams, {
    send: {
      value: async (command: Parameters<DynamoDBStreamsClient['send']>[0]) => {
        const name = command instanceof GetRecordsCommand ? failures.shift() : undefined;
        if (name !== undefined) throw Object.assign(new Error(name), { name });
        return streams.send(command as GetRecordsCommand);
      },
    },
  });
  const pauses: number[] = [];
  const read = createChangeReader(
    client,
    throttling,
    tables.history,
    () => 'only-mark',
    async (ms) => pauses.push(ms),
  );
  expect((await read(new Map()))?.map(({ key }) => key)).toContain('message#throttled');
  expect(pauses.slice(0, 2)).toEqual([1000, 2000]);
  expect(pauses.slice(2).every((ms) => ms === 1000)).toBe(true);
});

it('the lag of the counters is the age of the oldest change after their position, and none where all is counted', async () => {
  const own = await pipeline();
  expect(await own.sources.oldestUncounted()).toBeUndefined();
  const begun = Date.now();
  await own.message(report('m1', 'e1', 'sent', 0));
  const first = await own.sources.oldestUncounted();
  // The stream of DynamoDB Local has times of whole minutes.
  expect(first).toBeGreaterThan(begun - 61_000);
  await own.message(report('m1', 'e2', 'delivered', 1));
  await own.count(1);
  expect(await own.sources.oldestUncounted()).toBeGreaterThanOrEqual(first ?? 0);
  await own.count();
  expect(await own.sources.oldestUncounted()).toBeUndefined();
});

describe('a recount', () => {
  it('finds no difference while messages and replies arrive and are counted late', async () => {
    const own = await pipeline();
    for (let index = 0; index < 12; index++)
      await own.message(report(`m${index}`, 'e1', 'sent', index, sendOf(index)));
    await own.count();
    let step = 0;
    const busy = interrupted(own.sources, async () => {
      step += 1;
      await own.message(report(`m${step}`, 'e2', 'delivered', 20 + step, sendOf(step)));
      await own.message(report(`new-${step}`, 'e1', 'undelivered', 30 + step, sendOf(step)));
      await own.reply(`r${step}`, `m${step}`);
      await own.count(2);
    });
    const { differences, compared, disturbed } = await measured(busy);
    expect([differences, disturbed]).toEqual([[], 0]);
    expect(compared).toBeGreaterThan(4);
    expect(step).toBeGreaterThan(4);
  });

  it('finds a day of more delivery times than one commit can add, and a rebuild corrects it', async () => {
    const own = await pipeline();
    const phone = '+12025550143';
    const gamma = 1.02 / 0.98;
    for (let index = 0; index < 260; index++) {
      const first = report(`m${index}`, 'e1', 'sent', 0, { phone });
      const arrival = report(`m${index}`, 'e2', 'delivered', gamma ** (index + 100) / 1000, { phone });
      await own.message(mergeMessages(first, arrival));
    }
    await own.count(Number.POSITIVE_INFINITY, true);
    const measurement = await measured(own.sources);
    const counts = measurement.differences.map(({ tally }) => Object.keys(tally).length);
    expect(Math.max(...counts)).toBeGreaterThan(maxCounts);
    await rebuild(own.sources, measurement);
    expect((await measured(own.sources)).differences).toEqual([]);
  });

  it('finds what was never counted, and a rebuild brings the figures of a table that was counted from the start', async () => {
    const [own, other] = [await pipeline(), await pipeline()];
    for (let index = 0; index < 12; index++)
      await other.message(report(`m${index}`, 'e1', 'sent', index, sendOf(index)));
    await other.reply('r0', 'm0');
    await other.reply('r1', 'm1', 'yes');
    await fillUncounted(own);

    let step = 0;
    const arrive = async () => {
      step += 1;
      for (const one of [own, other]) {
        await one.message(
          report(`m${step}`, 'e2', step % 2 === 0 ? 'undelivered' : 'delivered', 20 + step, sendOf(step)),
        );
        // An earlier report moves the message to another quarter hour.
        await one.message(report(`m${step + 1}`, 'e0', 'queued', -1000 - step, sendOf(step + 1)));
        await one.reply(`later-${step}`, `m${step}`);
        await one.count(step % 3);
      }
    };
    const measurement = await measured(interrupted(own.sources, arrive));
    expect(measurement.differences).not.toEqual([]);
    await arrive();
    await rebuild(own.sources, measurement);
    await arrive();
    await Promise.all([own.count(), other.count()]);
    expect(await own.figures()).toEqual(await other.figures());
    expect((await measured(own.sources)).differences).toEqual([]);
  });

  it('names more codes than have counts of their own as the counters do, and so does a rebuild', async () => {
    const failures = maxCodes + 20;
    const fill = async (skip: boolean) => {
      const own = await pipeline();
      await pMap(
        Array.from({ length: failures }, (_, index) => index),
        (index) => own.message(report(`m${index}`, 'e', 'failed', 0, { errorCode: `c${index}` })),
        { concurrency: 50 },
      );
      if (skip) await own.count(Number.POSITIVE_INFINITY, skip);
      else for (let counted = 0; counted < failures; counted += 200) await own.count(200);
      return own;
    };
    const [own, other] = [await fill(false), await fill(true)];
    expect((await measured(own.sources)).differences).toEqual([]);
    await rebuild(other.sources, await measured(other.sources));
    expect((await measured(other.sources)).differences).toEqual([]);
    for (const { figures } of [own, other])
      expect((await figures()).days).toMatchObject([{ tally: { failed: failures, 'error#unknown#*': 20 } }]);
  });

  it('is not added after another correction', async () => {
    const own = await pipeline();
    await fillUncounted(own);
    const [one, two] = [await measured(own.sources), await measured(own.sources)];
    await rebuild(own.sources, one);
    await expect(rebuild(own.sources, two)).rejects.toThrow('Another rebuild');
    expect((await measured(own.sources)).differences).toEqual([]);
  });

  it('shows what was erased, while it is erased and afterwards', async () => {
    const own = await pipeline();
    await own.message(report('m0', 'e1', 'sent', 0, sendOf(0)));
    await own.message(report('m1', 'e1', 'sent', 0, sendOf(0)));
    await own.count();
    let step = 0;
    const erasing = interrupted(own.sources, async () => {
      step += 1;
      await own.message(report('m1', `late-${step}`, 'delivered', step, sendOf(0)));
      if (step === 2) await own.erase('m0');
    });
    const erased = [{ sent: -1 }, { sent: -1 }, { sent: -1 }];
    expect((await measured(erasing)).differences.map(({ tally }) => tally)).toEqual(erased);
    const { differences } = await measured(own.sources);
    expect(differences.map(({ tally }) => tally)).toEqual(erased);
  });

  it('leaves out what is older than the history is kept', async () => {
    const own = await pipeline();
    await fillUncounted(own);
    const later = noon + 400 * 86_400_000;
    const { compared, tooOld, differences } = await measure(
      own.sources,
      keywordOf,
      () => later,
      () => {},
    );
    expect([compared, differences]).toEqual([0, []]);
    expect(tooOld).toBe(5);
  });
});
