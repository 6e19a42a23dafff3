import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  type AttributeValue,
  DeleteItemCommand,
  DescribeTableCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rankOf } from '../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { messageOf, replyOf, type StatusEntry } from '../../functions/history/message.ts';
import { createOptOutRegister } from '../../functions/history/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../functions/receive/quarantine/quarantine-store.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';

const project = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(project, path), 'utf8');
const dataModel = read('docs/reference/data-model.md');
const page = read('docs/reference/query-dynamodb.md');
const run = promisify(execFile);

type Item = Record<string, unknown>;

/** A question of the page, with its request in each language. */
interface Question {
  readonly name: string;
  readonly text: string;
  /** The items that the page shows as the answer. */
  readonly answer: readonly Item[];
}

/** The items that the page on the data model shows. */
const shownItems = blocksOf(dataModel, 'json').map((block): Item => JSON.parse(block));
const questions = page
  .split(/^## /m)
  .filter((section) => /^\d\. /.test(section))
  .map((section): Question => {
    const answer = JSON.parse(blocksOf(section, 'json')[0] ?? '');
    return { name: section.slice(0, 1), text: section, answer: [answer].flat() };
  });

function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

/** Returns the only request of a question in a language: its own, or that of question 3 with another list. */
function requestOf({ name, text }: Question, language: string): string {
  const [, list] = /^Ask as in \[question 3\]\(#[\w-]+\), with the list `([^`]+)`\.$/m.exec(text) ?? [];
  const failed = questions.find((question) => question.name === '3');
  if (list !== undefined && failed !== undefined)
    return requestOf(failed, language).replaceAll('failed#2026-01-15', list);
  const blocks = blocksOf(text, language);
  expect(blocks, `${name} in ${language}`).toHaveLength(1);
  return blocks[0] ?? '';
}

const itemsOf = (items: readonly Record<string, AttributeValue>[]): Item[] =>
  items.map((item) => unmarshall(item));

let tables: HistoryTables;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  tables = await startHistoryTables();
  environment = {
    PATH: [resolve(project, 'test/support/aws-command'), process.env.PATH].join(delimiter),
    NODE: process.execPath,
    HISTORY: tables.history,
    QUARANTINE: tables.quarantine,
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  await storeSample(tables);
});
afterAll(() => tables.stop());

/** The times of the sample. @param seconds after 10 o'clock */
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 15, 10) + seconds * 1000).toISOString();

async function storeSample({ client, history, quarantine }: HistoryTables): Promise<void> {
  const settings = { retentionDays: 400, listShards: 1 };
  const writer = createHistoryWriter(client, history, settings, () => '7b1f0c9e52d4');
  async function store(
    messageId: string,
    phone: string,
    eventId: string,
    status: 'sent' | 'delivered' | 'failed',
    second: number,
    error: Partial<StatusEntry> = {},
  ): Promise<void> {
    const event = {
      messageId,
      phone,
      eventId,
      status,
      rank: rankOf(status),
      sendId: 'spring-sale',
      ...error,
    };
    const occurredAt = at(second);
    await writer.storeMessage(messageOf({ kind: 'sms.status', ...event, occurredAt }, at(second + 0.1)));
  }
  await store('SM0123', '+12025550143', 'evt-1', 'sent', 2);
  await store('SM0123', '+12025550143', 'evt-2', 'delivered', 6);
  await store('SM0124', '+12025550144', 'evt-3', 'failed', 7, {
    errorCode: '30003',
    errorReason: 'unreachable',
    errorText: 'Unreachable destination handset',
  });
  await store('SM0125', '+12025550145', 'evt-4', 'sent', 3);
  const person = '+12025550143';
  const reply = {
    replyId: 'SM0987',
    eventId: 'evt-5',
    messageId: 'SM0123',
    from: person,
    to: '+12025550100',
    text: 'STOP',
    occurredAt: at(300),
  };
  await writer.storeReply(replyOf({ kind: 'sms.reply', ...reply }, at(300.2)));
  const statement = { phone: person, state: 'out', at: at(300), by: 'person', replyId: 'SM0987' } as const;
  await createOptOutRegister(client, history, settings).record(statement);
  await createQuarantine(client, quarantine, { ...settings, retentionDays: 90 }, 'f3a91c07b2d8').keep({
    reason: 'missing-field',
    field: 'status',
    receivedAt: at(5),
    requestId: 'Xr4tKgEvIAMEbqA=',
    contract: '5e09d1b7a3c4',
    raw: Buffer.from('{"type":"sms.status","data":{"id":"SM0126"}}'),
  });
}

describe('docs/reference/data-model.md', () => {
  it('shows items as they are stored', async () => {
    const stored = await Promise.all(
      shownItems.map(async ({ pk, sk }) => {
        const TableName = sk === undefined ? tables.history : tables.quarantine;
        const Key = marshall({ pk, ...(sk !== undefined && { sk }) });
        return (await tables.client.send(new GetItemCommand({ TableName, Key }))).Item ?? {};
      }),
    );
    expect(shownItems).toHaveLength(4);
    expect(shownItems).toEqual(itemsOf(stored));
  });

  it('explains each attribute of these items', () => {
    const explained = [...dataModel.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    const names = shownItems.flatMap((item) => Object.keys(item));
    expect(names.filter((name) => !explained.includes(name))).toEqual([]);
  });
});

describe('docs/reference/query-dynamodb.md', () => {
  it('has eight questions', () => {
    expect(questions.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  });

  it.each(questions)('$name is answered by one command of the AWS CLI', async (question) => {
    const command = requestOf(question, 'sh');
    expect(command.replaceAll('\\\n', '').trim()).toMatch(/^aws dynamodb [^\n;|&`]*$/);
    const { stdout } = await run('sh', ['-euc', command], { env: environment });
    const { Item, Items = [Item] } = JSON.parse(stdout);
    expect(itemsOf(Items)).toEqual(question.answer);
  });

  it.each(questions)('$name is answered by one statement of PartiQL', async (question) => {
    const Statement = requestOf(question, 'sql')
      .replace('"History"', `"${tables.history}"`)
      .replace('"Quarantine"', `"${tables.quarantine}"`);
    const { Items = [] } = await tables.client.send(new ExecuteStatementCommand({ Statement }));
    expect(itemsOf(Items)).toEqual(question.answer);
  });
});

const scripts = [
  {
    path: 'examples/boto3/query_history.py',
    language: 'python',
    program: 'python3',
    inline: ['-c'],
    call: /history\.get_item\(|query\(/,
  },
  {
    path: 'examples/javascript/query-history.mjs',
    language: 'js',
    program: process.execPath,
    inline: ['--input-type=module', '-e'],
    call: /client\.send\(|query\(/,
  },
];

it.each(scripts)('$path has the one request of each question', ({ path, language, call }) => {
  const script = read(path);
  for (const question of questions) {
    const request = requestOf(question, language);
    const title = / (.+)/.exec(question.text)?.[1];
    const [, ownRequest = ''] = script.split(`${question.name}. ${title}\n`);
    const withoutName = (code: string) => code.replace(/^(?:const )?\w+ = /, '');
    expect(withoutName(ownRequest).startsWith(`${withoutName(request)}\n`)).toBe(true);
    expect(request.split(call)).toHaveLength(2);
  }
});

it.each(scripts)('$path answers each question', async ({ path, program }) => {
  const { stdout } = await run(program, [resolve(project, path)], { env: environment });
  const answers = questions.map(({ name, answer }) => [name, answer]);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(answers));
});

it.each(scripts)('$path reads all pages of an answer', async ({ path, program, inline }) => {
  const TableName = tables.quarantine;
  const keys = ['1', '2', '3'].map((sk) => ({ pk: '2026-01-16', sk }));
  for (const key of keys) {
    const Item = marshall({ ...key, body: 'x'.repeat(390_000) });
    await tables.client.send(new PutItemCommand({ TableName, Item }));
  }
  const script = read(path).replaceAll('2026-01-15', '2026-01-16');
  const { stdout } = await run(program, [...inline, script], {
    env: environment,
    cwd: project,
    maxBuffer: 10_000_000,
  });
  for (const key of keys) await tables.client.send(new DeleteItemCommand({ TableName, Key: marshall(key) }));
  expect(JSON.parse(stdout)['8'].map(({ sk }: Item) => sk)).toEqual(['1', '2', '3']);
});

describe('examples/nosql-workbench/sms-history.json', () => {
  interface Keys {
    readonly PartitionKey: WorkbenchAttribute;
    readonly SortKey?: WorkbenchAttribute;
  }
  interface WorkbenchAttribute {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }
  interface WorkbenchTable {
    readonly TableName: 'History' | 'Quarantine';
    readonly KeyAttributes: Keys;
    readonly NonKeyAttributes: readonly WorkbenchAttribute[];
    readonly GlobalSecondaryIndexes: readonly {
      readonly IndexName: string;
      readonly KeyAttributes: Keys;
      readonly Projection: object;
    }[];
    readonly TableData: readonly Record<string, AttributeValue>[];
  }
  const model: readonly WorkbenchTable[] = JSON.parse(
    read('examples/nosql-workbench/sms-history.json'),
  ).DataModel;
  const keysOf = ({ PartitionKey, SortKey }: Keys) => [
    PartitionKey.AttributeName,
    ...(SortKey ? [SortKey.AttributeName] : []),
  ];

  it.each(model)('has $TableName with the keys and indexes of the deployed table', async (declared) => {
    const TableName = declared.TableName === 'History' ? tables.history : tables.quarantine;
    const { Table } = await tables.client.send(new DescribeTableCommand({ TableName }));
    expect(keysOf(declared.KeyAttributes)).toEqual(
      Table?.KeySchema?.map(({ AttributeName }) => AttributeName),
    );
    const indexes = declared.GlobalSecondaryIndexes.map(({ IndexName, KeyAttributes, Projection }) => ({
      IndexName,
      Projection,
      keys: keysOf(KeyAttributes),
    }));
    const expected = Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      Projection,
      keys: KeySchema?.map(({ AttributeName }) => AttributeName),
    }));
    const byName = (a: { IndexName?: string | undefined }, b: { IndexName?: string | undefined }) =>
      String(a.IndexName).localeCompare(String(b.IndexName));
    expect(indexes.toSorted(byName)).toEqual((expected ?? []).toSorted(byName));
  });

  it.each(model)(
    'has the items of the page in $TableName, and each of their attributes',
    async (declared) => {
      const TableName = declared.TableName === 'History' ? tables.history : tables.quarantine;
      const { Items = [] } = await tables.client.send(new ScanCommand({ TableName }));
      const byKey = (a: Record<string, AttributeValue>, b: Record<string, AttributeValue>) =>
        String(a.pk?.S).localeCompare(String(b.pk?.S));
      expect(declared.TableData.toSorted(byKey)).toEqual(Items.toSorted(byKey));
      const { PartitionKey, SortKey } = declared.KeyAttributes;
      const types = [PartitionKey, ...(SortKey ? [SortKey] : []), ...declared.NonKeyAttributes].map(
        ({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`,
      );
      const used = Items.flatMap((item) =>
        Object.entries(item).map(([name, value]) => `${name} ${Object.keys(value)[0]}`),
      );
      expect([...new Set(used)].sort()).toEqual(types.toSorted());
    },
  );
});
