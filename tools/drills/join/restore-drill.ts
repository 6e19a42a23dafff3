import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { parseJson } from '../../../contract/text/json.ts';
import { foldMessages } from '../../../functions/history/index.ts';
import { createHistoryWriter, createOptOutRegister } from '../../../functions/history/io.ts';
import { createRandom } from '../../../local/sms-service/random.ts';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { countsIn, differences, readCounters } from '../insights/compare.ts';
import { recount } from '../insights/recount.ts';
import { makeTraffic, type Traffic } from '../insights/traffic.ts';
import { differentItems, foldTraffic, readFacts } from './fold-traffic.ts';

type Item = Record<string, AttributeValue>;
type Arrival = Traffic['arrivals'][number];

const project = resolve(import.meta.dirname, '../../..');
const writers = 16;
/** The join is killed when it has done these parts of the items. */
const killedAfter = [1 / 3, 2 / 3];
/** So much of what arrives does so while the history is restored. */
const lateShare = 0.1;
const deletedShare = 0.05;
const spoiledShare = 0.01;
/** A person of this number is erased after the copy was made. */
const erased = '+5511955550105';
/** Counters that do not change for this long are final. */
const quietMs = 120_000;
const pollMs = 2000;

/**
 * Restores a history that a script has damaged from an older copy, while reports arrive and the join is killed twice: is every message, reply, opt-out
 * and figure what was made? Is nothing published twice, and does no erased person return? @returns the exit code
 */
export async function playRestore(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, messages: { type: 'string', default: '50000' } },
  });
  const seed = wholeNumber('seed', values.seed, 0);
  const messages = wholeNumber('messages', values.messages, 500);
  const random = createRandom(seed);
  const startedAt = Date.now();
  // Yesterday, because nothing is received in the future.
  const day = Math.floor(startedAt / 86_400_000 - 1) * 86_400_000;
  // An event is a report, and a message has 44/15 of them.
  const traffic = makeTraffic(Math.round((messages * 44) / 15), random, day);
  const [early, late] = divide(traffic);
  console.log(`${traffic.arrivals.length} arrivals of ${traffic.messages.length} messages (seed ${seed})`);

  await using run = new Run(await startLocalPipeline());
  const { dynamoDb, outputs, directory } = run.pipeline;
  const { HistoryTableName = '', InsightsTableName = '' } = outputs;
  const store = storer(dynamoDb, HistoryTableName, Number(outputs.ListShards));
  await whileReading(run, pMap(foldReports(early), store, { concurrency: writers }));
  console.log(`${early.length} stored after ${seconds(startedAt)} s`);
  const copied = await copyTable(dynamoDb, HistoryTableName, 'restored');
  console.log(`${copied.length} items copied after ${seconds(startedAt)} s`);

  const erasure = await run.sms('person', 'erase', erased, '--confirm');
  const broken = erasure.code === 0 ? [] : [`the erasure ended with ${erasure.code}`];
  const lateIds = new Set(late.map((arrival) => keyOf(arrival)));
  const damage = await damageHistory(dynamoDb, HistoryTableName, copied, random, lateIds);
  console.log(`${damage.deleted} items deleted and ${damage.spoiled} spoiled after ${seconds(startedAt)} s`);
  // What the script did is published too.
  const publishedBefore = (await run.readBus()).events;

  const arriving = whileReading(run, pMap(late, store, { concurrency: 2 }));
  const joinedFrom = Date.now();
  const killed: number[] = [];
  for (const part of killedAfter) killed.push(await killJoin(directory, copied.length * part));
  const last = startJoin(directory);
  const printed = parseJson(await last.printed);
  const joinMs = Date.now() - joinedFrom;
  console.log(
    `joined after ${seconds(startedAt)} s, killed with ${killed.join(' and ')} items done: ${JSON.stringify(printed)}`,
  );
  if ((await last.exitCode) !== 0) broken.push(`the last join ended with ${await last.exitCode}`);
  await arriving;

  const kept = withoutErased(traffic);
  const expected = foldTraffic(kept);
  broken.push(...differentItems(await readFacts(dynamoDb, HistoryTableName), expected));
  const counters = recount({ ...kept, arrivals: [] });
  let left: string[] = [];
  let changedAt = Date.now();
  await until(
    'all is counted, or nothing changes any more',
    async () => {
      await delay(pollMs);
      const now = differences(await readCounters(dynamoDb, InsightsTableName), counters);
      if (now.length !== left.length) changedAt = Date.now();
      left = now;
      return now.length === 0 || Date.now() - changedAt > quietMs;
    },
    3_600_000,
  );
  broken.push(...left);

  // The stream is read in order, so what was written before this message is published before it.
  await store(markerOf(traffic));
  await until('the marker is published', async () => (await run.readBus()).messages.has('marker'), 600_000);
  const { facts, events } = run.published;
  // A script that deletes a message makes the pipeline forget what it has published of it, so what arrives later is published as new.
  const repeated = [...facts.values()].filter(
    ({ id, eventIds }) =>
      !damage.keys.has(`message#${id}`) && [...eventIds.values()].some((count) => count > 1),
  );
  broken.push(...repeated.map(({ type, about }) => `${type} of ${about} was published twice`));

  const figures: readonly (readonly [string, number])[] = [
    ['messages', traffic.messages.length],
    ['replies', traffic.replies.length],
    ['items in the copy', copied.length],
    ['items that the script deleted', damage.deleted],
    ['items that the script spoiled', damage.spoiled],
    ['arrivals during the restore', late.length],
    ['times the join was killed', killed.length],
    ['items compared with an independent fold', expected.size],
    ['counts compared with the recount', countsIn(counters)],
    ['events published before the join', publishedBefore],
    ['events published after it, of what arrived', events - publishedBefore],
    ['differences', broken.length],
    ['seconds to join, with the kills and the recount', Math.round(joinMs / 1000)],
    ['seconds in all', seconds(startedAt)],
  ];
  console.log(renderTable(figures.map(([name, figure]) => [name, String(figure)])));
  return printVerdict(broken);
}

/** Reads what is published until some work is done. The bus on this machine keeps the newest events only. */
async function whileReading(run: Run, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await run.readBus();
    await Promise.race([ended, delay(pollMs)]);
  }
  await ended;
}

/** Joins the reports of each message, so that one write stores it: what is tried begins after that. */
function foldReports(arrivals: readonly Arrival[]): readonly Arrival[] {
  return [...Map.groupBy(arrivals, keyOf).values()].flatMap((ofItem) => {
    const [first, ...others] = ofItem.flatMap((arrival) =>
      arrival.kind === 'message' ? [arrival.view] : [],
    );
    return first === undefined
      ? ofItem
      : [{ kind: 'message' as const, view: foldMessages([first, ...others]) }];
  });
}

/** Divides the arrivals into those before the damage and those after it. The erased person gets nothing any more. */
function divide({ arrivals }: Traffic): readonly [readonly Arrival[], readonly Arrival[]] {
  const first = Math.round(arrivals.length * (1 - lateShare));
  const isEarly = (arrival: Arrival, index: number) => index < first || numberOf(arrival) === erased;
  return [arrivals.filter(isEarly), arrivals.filter((arrival, index) => !isEarly(arrival, index))];
}

function numberOf(arrival: Arrival): string | undefined {
  return arrival.kind === 'message' ? arrival.view.phone : arrival.view.current.from;
}

function keyOf(arrival: Arrival): string {
  return arrival.kind === 'message' ? `message#${arrival.view.messageId}` : `reply#${arrival.view.replyId}`;
}

function withoutErased({ messages, replies }: Traffic): Pick<Traffic, 'messages' | 'replies'> {
  return {
    messages: messages.filter(({ phone }) => phone !== erased),
    replies: replies.filter(({ of }) => of.phone !== erased),
  };
}

/** Returns what stores an arrival as the worker does. */
function storer(dynamoDb: DynamoDBClient, table: string, listShards: number) {
  const writer = createHistoryWriter(dynamoDb, table, { retentionDays: 400, listShards });
  const register = createOptOutRegister(dynamoDb, table, { listShards });
  return async (arrival: Arrival): Promise<void> => {
    if (arrival.kind === 'message') return void (await writer.storeMessage(arrival.view));
    const { replyId, current } = arrival.view;
    const { from: phone, occurredAt: at, eventId } = current;
    if (current.text === 'STOP')
      await register.record({ phone, state: 'out', at, by: 'person', replyId, eventId });
    await writer.storeReply(arrival.view);
  };
}

/** Returns the arrival of a message that is not part of the traffic. */
function markerOf({ arrivals }: Traffic): Arrival {
  const found = arrivals.find((arrival) => arrival.kind === 'message');
  if (found?.kind !== 'message') throw new Error('the traffic has no message');
  return { kind: 'message', view: { ...found.view, messageId: 'marker' } };
}

/** DynamoDB accepts so many items in one call. */
const batchSize = 25;

/** Copies a table, as a restore to a point in time does. @returns its items */
async function copyTable(client: DynamoDBClient, from: string, to: string): Promise<readonly Item[]> {
  await client.send(
    new CreateTableCommand({
      TableName: to,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true }))
    items.push(...Items);
  const batches = Array.from({ length: Math.ceil(items.length / batchSize) }, (_, index) =>
    items.slice(index * batchSize, (index + 1) * batchSize),
  );
  await pMap(
    batches,
    (batch) =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: { [to]: batch.map((Item) => ({ PutRequest: { Item } })) },
        }),
      ),
    { concurrency: writers },
  );
  return items;
}

interface Damage {
  readonly deleted: number;
  readonly spoiled: number;
  /** The keys of the items. */
  readonly keys: ReadonlySet<string>;
}

/** Does what a bad script may do to items that the copy has. @param late the keys of items that change later */
async function damageHistory(
  client: DynamoDBClient,
  TableName: string,
  copied: readonly Item[],
  random: () => number,
  late: ReadonlySet<string>,
): Promise<Damage> {
  const keys = new Set<string>();
  let [deleted, spoiled] = [0, 0];
  await pMap(
    copied,
    async (item) => {
      const { pk = { S: '' }, phone } = item;
      const key = pk.S ?? '';
      const [chance, kind] = [random(), random()];
      // The erased person has no items any more, and a script that puts one back is another drill.
      if (
        phone?.S === erased ||
        !/^(message|reply|optout)#/.test(key) ||
        chance > deletedShare + spoiledShare
      )
        return;
      keys.add(key);
      if (chance < deletedShare) {
        deleted += 1;
        await client.send(new DeleteItemCommand({ TableName, Key: { pk } }));
      } else {
        spoiled += 1;
        await client.send(new PutItemCommand({ TableName, Item: spoil(item, kind, !late.has(key)) }));
      }
    },
    { concurrency: writers },
  );
  return { deleted, spoiled, keys };
}

/** Spoils an item. @param mayBreak whether it may become unreadable: the worker would fail on it, and no drill looks at that here */
function spoil(item: Item, kind: number, mayBreak: boolean): Item {
  const generation = { S: 'script' };
  if (item.pk?.S?.startsWith('optout#')) return { ...item, state: { S: 'in' } };
  if (item.pk?.S?.startsWith('reply#')) return { ...item, generation, text: { S: 'spoiled' } };
  const [report = '', other] = Object.keys(item).filter((name) => name.startsWith('report#'));
  if (kind < 0.2) return { ...item, generation, status: { S: 'failed' }, rank: { N: '100' } };
  if (kind < 0.4 && other !== undefined) {
    const { [other]: _, ...rest } = item;
    return { ...rest, generation };
  }
  if (kind < 0.6)
    return { ...item, generation, [report]: { M: { ...item[report]?.M, status: { S: 'read' } } } };
  if (kind < 0.8 || !mayBreak) return { ...item, generation, phone: { S: '+12025550199' } };
  return { ...item, generation, [report]: { S: 'spoiled' } };
}

interface StartedJoin {
  readonly kill: () => void;
  readonly printed: Promise<string>;
  readonly exitCode: Promise<number | null>;
}

/** Starts the join as an operator does. */
function startJoin(directory: string): StartedJoin {
  const words = [
    'history',
    'join',
    '--from-table',
    'restored',
    '--prefer-copy',
    '--confirm',
    '--json',
    'counts,problems',
  ];
  const child = spawn(process.execPath, [join(project, 'bin/sms.ts'), ...words, '--dir', directory], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    kill: () => void child.kill('SIGKILL'),
    printed: text(child.stdout),
    exitCode: once(child, 'close').then(([code]) => code),
  };
}

/** Kills a join once it has done some items. @returns how many its progress counts */
async function killJoin(directory: string, items: number): Promise<number> {
  const started = startJoin(directory);
  const ended = started.exitCode.then((code) => {
    throw new Error(`the join ended with ${code} before it was killed`);
  });
  await Promise.race([
    ended,
    until('the join has done some items', () => itemsDone(directory) >= items, 1_200_000),
  ]);
  started.kill();
  await started.exitCode;
  return itemsDone(directory);
}

function itemsDone(directory: string): number {
  try {
    return JSON.parse(readFileSync(join(directory, 'restored.join-progress'), 'utf8')).tally.items;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
