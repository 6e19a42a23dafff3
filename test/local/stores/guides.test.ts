import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createChangeReader, createOldestUncounted } from '../../../cli/stores/history-changes.ts';
import { createHistoryItems } from '../../../cli/stores/history-items.ts';
import { createRecountSources } from '../../../cli/stores/recount-sources.ts';
import { openTables } from '../../../cli/stores/table-copy.ts';
import type { Connection, Target } from '../../../cli/target/connection.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import type { Item } from '../../../functions/history/item-keys.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import type { TableNames } from '../../../tools/support/history-database.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { type DocBlock, taskBlocks } from '../../support/doc-blocks.ts';
import { shortOf, wordsOf } from '../../support/doc-examples.ts';
import { at, replied, report } from '../../support/suites/reports.ts';
import { commandLine } from '../../unit/cli/support/harness.ts';

/**
 * The commands of the guides about copies of the history run here, in their order, on tables of this machine. What they print has to be what
 * the page shows. The commands of `aws` that work with single tables or items run too; a restore is made by writing the items to new tables.
 */

/** 15 January 2026, 14:00. The script of the guide ran at 12:00. */
const now = Date.parse(at(7200));
const settings = { retentionDays: 400, listShards: 1 };
const phone = '+12025550143';

const started: HistoryTables[] = [];
let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;
let folder: string;
const home = process.cwd();

beforeAll(async () => {
  const { endpoint } = await newTables();
  client = new DynamoDBClient(localClient(endpoint));
  streams = new DynamoDBStreamsClient(localClient(endpoint));
});
afterAll(async () => {
  client.destroy();
  streams.destroy();
  for (const tables of started) await tables.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sms-guide-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function newTables(): Promise<HistoryTables> {
  const tables = await startHistoryTables({ hasStreams: true });
  started.push(tables);
  return tables;
}

async function itemsOf(TableName: string): Promise<Item[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items;
}

/** The items of a pipeline by their keys, without what each write changes. */
async function stateOf({ history, quarantine }: TableNames): Promise<ReadonlyMap<string, Item>> {
  const items = [...(await itemsOf(history)), ...(await itemsOf(quarantine))];
  return new Map(
    items
      .map(({ generation: _, quiet: _quiet, ...item }) => [item.sk?.S ?? item.pk?.S ?? '', item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** An event, which a worker stores. */
type Event = (tables: TableNames) => Promise<unknown>;

const reported =
  (id: string, eventId: string, status: 'sent' | 'delivered' | 'failed' | 'read', second: number): Event =>
  ({ history }) =>
    createHistoryWriter(client, history, settings).storeMessage(
      report(id, eventId, status, second, { phone, received: second }),
    );

const answered =
  (id: string, second: number, text: string): Event =>
  ({ history }) =>
    createHistoryWriter(client, history, settings).storeReply(
      replied(id, 'e1', second, { text, received: second }),
    );

const optedOut =
  (replyId: string, second: number): Event =>
  ({ history }) =>
    createOptOutRegister(client, history, settings).record({
      phone,
      state: 'out',
      at: at(second),
      by: 'person',
      replyId,
    });

const quarantined =
  (requestId: string, second: number): Event =>
  ({ quarantine }) =>
    createQuarantine(client, quarantine, { ...settings, retentionDays: 90 }, 'rules').keep({
      reason: 'unknown-kind',
      receivedAt: at(second),
      requestId,
      raw: Buffer.from('{"kind":"unknown"}'),
    });

async function store(tables: TableNames, events: readonly Event[]): Promise<void> {
  for (const event of events) await event(tables);
}

/** What an independent pipeline has that received all events and nothing else. */
async function stateAfter(events: readonly Event[]): Promise<ReadonlyMap<string, Item>> {
  const tables = await newTables();
  await store(tables, events);
  return stateOf(tables);
}

/** Writes the items of a table to a new one without indexes, as a restore of DynamoDB does. */
async function copyTable(source: string, target: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: source }));
  const { KeySchema = [] } = Table ?? {};
  const names = KeySchema.map(({ AttributeName }) => AttributeName);
  await client.send(
    new CreateTableCommand({
      TableName: target,
      KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions?.filter((one) => names.includes(one.AttributeName)),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  for (const Item of await itemsOf(source))
    await client.send(new PutItemCommand({ TableName: target, Item }));
}

interface Guide {
  /** The page and the heading. */
  readonly page: string;
  readonly heading: string;
  /** The pipelines by the profile of a target; the one of the page without a profile. */
  readonly pipelines: Readonly<Record<string, TableNames>>;
  /** The tables of this machine by the names that the page has for them. */
  readonly names: Map<string, string>;
  /** What happens at other commands, by their beginnings. */
  readonly at?: Readonly<Record<string, () => Promise<unknown>>>;
  /** What happens before commands of `sms` that run here, by how many ran before. */
  readonly before?: Readonly<Record<number, () => Promise<unknown>>>;
  /** The setting that is deployed. */
  readonly retentionDays?: number;
}

/** Commands that other tests run. */
const elsewhere =
  /^sms (?:outputs|target|doctor|webhook)\b|^npm run deploy\b|^aws (?:secretsmanager|sns) |^rm -f /;

function connectionTo(
  tables: TableNames,
  { names, retentionDays = settings.retentionDays }: Guide,
): Partial<Connection> {
  return {
    historyItems: () => createHistoryItems(client, tables),
    historySettings: async () => ({ ...settings, retentionDays, optOutsBySource: false }),
    copiedTables: (copied) =>
      openTables(
        client,
        copied.tables.map((name) => names.get(name.replace(/^.*:table\//, '')) ?? name),
      ),
    recount: async (newId) =>
      createRecountSources(
        client,
        tables,
        { retentionDays: 400, hourRetentionDays: 400 },
        {
          changes: createChangeReader(client, streams, tables.history, newId, async () => {}),
          oldestUncounted: createOldestUncounted(client, streams, tables.history, async () => {}),
        },
      ),
  };
}

/** Runs the commands below a heading of a page. @returns how many commands of `sms` ran */
async function follow(guide: Guide): Promise<number> {
  const { page, heading, pipelines, names, at: handlers = {}, before = {} } = guide;
  const blocks = blocksBelow(page, heading);
  const { sms } = commandLine({
    connect: ({ profile = 'here' }: Target) =>
      commandConnection(connectionTo(pipelines[profile] ?? fail(`no pipeline ${profile}`), guide)),
    wait: async () => true,
    clock: () => now,
  });
  let ran = 0;
  const shown: [page: string, printed: string][] = [];
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue;
    let printed = '';
    for (const line of linesOf(text)) {
      const handler = Object.entries(handlers).find(([start]) => line.startsWith(start));
      if (handler !== undefined) await handler[1]();
      else if (/^sms (?:history|insights verify)\b/.test(line)) {
        const words = wordsOf(line).slice(1).flatMap(expanded);
        await before[ran]?.();
        const { out, err } = await sms(...words);
        printed += `${printed === '' ? '' : '\n'}${out}${err}`;
        ran += 1;
      } else if (line.startsWith('aws dynamodb ')) await callDynamoDb(line, names);
      else expect(line).toMatch(elsewhere);
    }
    const next = blocks[index + 1];
    if (printed !== '' && next?.language === 'text') shown.push([next.text, printed]);
  }
  expect(shown.map(([text]) => text)).toEqual(shown.map(([, printed]) => printed));
  return ran;
}

function fail(message: string): never {
  throw new Error(message);
}

/** A connection in which everything fails that the commands of the guides do not use. */
function commandConnection(connection: Partial<Connection>): Connection {
  return new Proxy(connection as Connection, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (name === 'erasureKey'
        ? async () => ({ name: 'erasure-key', read: async () => [], ensure: async () => 'key' })
        : () => fail(`not expected: ${String(name)}`)),
  });
}

/** The headings that were followed. */
const followed = new Set<string>();

function blocksBelow(page: string, heading: string): readonly DocBlock[] {
  followed.add(`${page}: ${heading}`);
  const path = `docs/guides/${page}.md`;
  const lines = readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8').split('\n');
  const first = lines.indexOf(`## ${heading}`);
  const last = lines.findIndex((line, index) => index > first && line.startsWith('## '));
  expect(first).toBeGreaterThan(0);
  return taskBlocks().filter(
    (block) => block.path === path && block.line > first && (last === -1 || block.line <= last),
  );
}

/** The lines of a block, with the variables that it sets. */
function linesOf(text: string): string[] {
  const variables = new Map<string, string>();
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, variable, value] = /^([A-Z]+)=(\S+)$/.exec(line) ?? [];
      if (variable !== undefined && value !== undefined) variables.set(variable, value);
      if (line === '' || variable !== undefined) return [];
      return shortOf(line).replaceAll(/"\$([A-Z]+)"/g, (all, name: string) => variables.get(name) ?? all);
    });
}

/** Expands a pattern of files, as a shell does. */
const expanded = (word: string): string[] => (word.includes('*') ? globSync(word).sort() : [word]);

/** Runs a command of the AWS CLI. */
async function callDynamoDb(line: string, names: Map<string, string>): Promise<void> {
  const [, , operation, ...words] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  const option = (name: string) => {
    const index = words.indexOf(`--${name}`);
    return index === -1 ? undefined : words[index + 1];
  };
  const tableOf = (name = '') => names.get(option(name) ?? '') ?? fail(`no table ${option(name)}`);
  const json = (name: string) => JSON.parse(option(name) ?? fail(`no --${name}: ${line}`));
  switch (operation) {
    case 'delete-item':
      await client.send(new DeleteItemCommand({ TableName: tableOf('table-name'), Key: json('key') }));
      return;
    case 'update-item': {
      const input: UpdateItemCommandInput = {
        TableName: tableOf('table-name'),
        Key: json('key'),
        UpdateExpression: option('update-expression'),
        ExpressionAttributeNames: json('expression-attribute-names'),
      };
      await client.send(new UpdateItemCommand(input));
      return;
    }
    case 'describe-table': {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableOf('table-name') }));
      expect(Table?.TableStatus).toBe('ACTIVE');
      return;
    }
    case 'delete-table':
      await client.send(new DeleteTableCommand({ TableName: tableOf('table-name') }));
      return;
    case 'restore-table-to-point-in-time':
      expect(option('restore-date-time')).toBe('2026-01-15T11:59:59Z');
      // The copy was made before the script ran.
      tableOf('target-table-name');
      return;
    default:
      expect(line).toMatch(/^aws dynamodb list-tables\b/);
  }
}

/** What a pipeline received on the morning of 15 January. */
const morning: readonly Event[] = [
  reported('order-1', 'e1', 'sent', -7200),
  reported('order-1', 'e2', 'delivered', -7195),
  reported('order-2', 'e1', 'sent', -7000),
  reported('order-2', 'e2', 'delivered', -6990),
  reported('order-3', 'e1', 'sent', -6900),
  reported('order-3', 'e2', 'failed', -6890),
  reported('order-4', 'e1', 'sent', -6800),
  reported('order-4', 'e2', 'delivered', -6790),
  reported('order-5', 'e1', 'sent', -6700),
  reported('order-6', 'e1', 'sent', -100),
  answered('reply-1', -6500, 'Yes, please'),
  answered('reply-2', -6400, 'STOP'),
  optedOut('reply-2', -6400),
  quarantined('req-1', -6300),
];

/** What it received after 12:00. */
const afternoon: readonly Event[] = [
  reported('order-6', 'e2', 'delivered', 1800),
  reported('order-7', 'e1', 'sent', 1900),
];

it('restore.md: what a script deleted, changed and added is as it was', async () => {
  const here = await newTables();
  await store(here, morning);
  const names = new Map([
    ['SmsPipeline-HistoryD990305F-1ABCDEFGHIJKL', here.history],
    ['SmsPipeline-HistoryQuarantine827F730D-1ABCDEFGHIJKL', here.quarantine],
    ['SmsPipeline-HistoryRestored', `${here.history}-restored`],
    ['SmsPipeline-HistoryRestoredQuarantine', `${here.quarantine}-restored`],
  ]);
  await copyTable(here.history, `${here.history}-restored`);
  await copyTable(here.quarantine, `${here.quarantine}-restored`);

  const before = await stateOf(here);
  const script = (pk: string, changed: Item) =>
    client.send(
      new PutItemCommand({
        TableName: here.history,
        Item: { ...before.get(pk), generation: { S: 'script' }, ...changed },
      }),
    );
  for (const pk of ['message#order-2', 'reply#reply-1', 'optout#+12025550143'])
    await client.send(new DeleteItemCommand({ TableName: here.history, Key: { pk: { S: pk } } }));
  for (const { pk = { S: '' }, sk = { S: '' } } of await itemsOf(here.quarantine))
    await client.send(new DeleteItemCommand({ TableName: here.quarantine, Key: { pk, sk } }));
  const { 'report#e2': failed } = before.get('message#order-3') ?? {};
  await script('message#order-3', {
    'report#e2': { M: { ...failed?.M, status: { S: 'delivered' }, rank: { N: '110' } } },
  });
  await script('message#order-4', { 'report#e2': { S: 'gone' } });
  await script('message#order-5', { status: { S: 'failed' } });
  await store(here, [
    reported('order-9', 'e1', 'delivered', -5400),
    reported('order-1', 'fake-1', 'read', -7198),
  ]);
  await store(here, afternoon);

  const guide = { page: 'restore', heading: 'After a bad script', pipelines: { here }, names };
  expect(await follow(guide)).toBe(5);
  expect(await stateOf(here)).toEqual(await stateAfter([...morning, ...afternoon]));
});

it('restore.md: the tables of a destroyed stack', async () => {
  const [old, here] = [await newTables(), await newTables()];
  await store(old, morning);
  await store(here, afternoon);
  const names = new Map([
    ['SmsPipeline-HistoryD990305F-1OLD', old.history],
    ['SmsPipeline-HistoryQuarantine827F730D-1OLD', old.quarantine],
  ]);
  const guide = { page: 'restore', heading: 'The tables of a destroyed stack', pipelines: { here }, names };
  expect(await follow(guide)).toBe(4);
  expect(await stateOf(here)).toEqual(await stateAfter([...morning, ...afternoon]));
});

it('restore.md: from files', async () => {
  const here = await newTables();
  await store(here, morning);
  const expected = await stateOf(here);
  const exported = 'exports/day=2026-01-15/AWSDynamoDB/data/abc123.json.gz';
  const guide = {
    page: 'restore',
    heading: 'From files',
    pipelines: { here },
    names: new Map<string, string>(),
    at: {
      'sms history join --from-file history.jsonl --dry-run': async () => {
        expect(existsSync('history.jsonl')).toBe(true);
        for (const TableName of [here.history, here.quarantine])
          for (const { pk = { S: '' }, sk } of await itemsOf(TableName))
            await client.send(
              new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }),
            );
      },
      'aws s3 sync': async () => {
        const lines = (await itemsOf(here.history)).map((Item) => JSON.stringify({ NewImage: Item }));
        mkdirSync(dirname(exported), { recursive: true });
        writeFileSync(exported, gzipSync(`${lines.join('\n')}\n`));
      },
    },
  };
  expect(await follow(guide)).toBe(4);
  expect(await stateOf(here)).toEqual(expected);
});

it('move.md: the steps', async () => {
  const [old, here] = [await newTables(), await newTables()];
  await store(old, morning);
  const names = new Map([
    ['SmsPipeline-HistoryD990305F-1OLD', old.history],
    ['SmsPipeline-HistoryQuarantine827F730D-1OLD', old.quarantine],
  ]);
  const waiting = [reported('order-5', 'e2', 'delivered', 300), optedOut('reply-8', 310)];
  const late = [reported('order-6', 'e2', 'delivered', 1800)];
  const switched = [reported('order-7', 'e1', 'sent', 1900), reported('order-1', 'e3', 'read', 2000)];
  const guide = {
    page: 'move',
    heading: 'Steps',
    pipelines: { here, old },
    names,
    at: {
      // After the switch: the old pipeline stores what waited in its queue, and the new one receives.
      'sms webhook status': async () => {
        await store(old, waiting);
        await store(here, switched);
      },
    },
    // The service sends a report to the old address after the switch.
    before: { 3: () => store(old, late) },
  };
  expect(await follow(guide)).toBe(6);
  expect(await stateOf(here)).toEqual(await stateAfter([...morning, ...waiting, ...late, ...switched]));
});

it.each([
  ['Read across accounts', 1],
  ['With a file', 3],
])('move.md: %s', async (heading, commands) => {
  const [old, here] = [await newTables(), await newTables()];
  await store(old, morning);
  const names = new Map([
    ['SmsPipeline-HistoryD990305F-1OLD', old.history],
    ['SmsPipeline-HistoryQuarantine827F730D-1OLD', old.quarantine],
  ]);
  const handlers = { 'aws dynamodb put-resource-policy': () => Promise.resolve() };
  expect(await follow({ page: 'move', heading, pipelines: { here, old }, names, at: handlers })).toBe(
    commands,
  );
  if (heading === 'With a file') expect(await stateOf(here)).toEqual(await stateAfter(morning));
});

it('keep-for-years.md: what is stored is extended', async () => {
  const here = await newTables();
  await store(here, morning);
  const guide = { page: 'keep-for-years', pipelines: { here }, names: new Map<string, string>() };
  const retentionDays = 2555;
  expect(await follow({ ...guide, heading: 'In the history', retentionDays })).toBe(2);
  const [message] = (await itemsOf(here.history)).filter(({ pk }) => pk?.S === 'message#order-1');
  expect(Number(message?.expiresAt?.N)).toBe(Date.parse(at(-7195)) / 1000 + retentionDays * 86_400);
  const handlers = { gzip: () => Promise.resolve(), 'aws s3 cp': () => Promise.resolve() };
  expect(await follow({ ...guide, heading: 'In files', at: handlers })).toBe(1);
});

it('every other heading with such commands needs a second pipeline', () => {
  const others = ['restore', 'move', 'keep-for-years'].flatMap((page) => {
    const text = readFileSync(resolve(import.meta.dirname, `../../../docs/guides/${page}.md`), 'utf8');
    return text
      .split(/^## /m)
      .filter((section) => /^ *sms history /m.test(section))
      .map((section) => `${page}: ${section.slice(0, section.indexOf('\n'))}`)
      .filter((heading) => !followed.has(heading));
  });
  expect(others).toEqual(['move: Try it on your machine', 'keep-for-years: Look something up in a file']);
});
