import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { messageOf, replyOf } from '../../functions/history/message.ts';
import { createOptOutRegister } from '../../functions/opt-out/opt-out-store.ts';
import { createPendingLister } from '../../functions/sweep/stale-marker-store.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';

const listShards = 3;
const [bulk, otherBulk] = ['5f0c8a4e-2d3b-4c1a-9e7f-8b6d5a4c3b2a', '00000000-2d3b-4c1a-9e7f-8b6d5a4c3b2a'];
const run = promisify(execFile);

const [, block = ''] =
  /^```sh\n(list\(\) \{[\s\S]*?)^```$/m.exec(
    readFileSync(resolve(import.meta.dirname, '../../docs/reference/data-model.md'), 'utf8'),
  ) ?? [];
/** The shell functions of the page, then the commands of each pattern. */
const [functions = '', ...patterns] = block.split(/^(?=# A\d: )/m);
const commands = new Map(patterns.map((text) => [text.slice(2, 4), text] as const));

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
  const settings = { retentionDays: 400, listShards };
  const writer = createHistoryWriter(tables.client, tables.history, settings);
  const optOuts = createOptOutRegister(tables.client, tables.history, { listShards: listShards });
  const messages: [id: string, status: CanonicalStatus, at: string, sendId: string, phone: string][] = [
    ['msg-1', 'delivered', '2026-01-15T11:00:00.000Z', bulk, '+12025550143'],
    ['msg-2', 'failed', '2026-01-15T11:30:00.000Z', bulk, '+12025550143'],
    ['msg-3', 'expired', '2026-01-15T23:59:59.999Z', otherBulk, '+12025550144'],
    ['msg-4', 'failed', '2026-01-16T00:00:00.000Z', bulk, '+12025550143'],
    ['msg-5', 'sent', '2026-01-15T11:59:59.999Z', otherBulk, '+12025550144'],
    ['msg-6', 'sent', '2026-01-15T12:00:00.000Z', otherBulk, '+12025550144'],
  ];
  for (const [messageId, status, at, sendId, phone] of messages) {
    const event = { messageId, eventId: messageId, status, rank: rankOf(status), sendId, phone };
    await writer.storeMessage(messageOf({ kind: 'sms.status', ...event, occurredAt: at }, at));
  }
  const lister = createPendingLister(tables.client, tables.history, settings);
  await lister.list(messages.map(([messageId]) => `message#${messageId}`));
  for (const [replyId, at] of [
    ['reply-1', '2026-01-15T11:45:00.000Z'],
    ['reply-2', '2026-01-14T23:00:00.000Z'],
  ] as const) {
    const event = { replyId, eventId: replyId, from: '+12025550143', text: 'yes' };
    await writer.storeReply(replyOf({ kind: 'sms.reply', ...event, occurredAt: at }, at));
  }
  const said = { at: '2026-01-15T11:45:00.000Z', replyId: 'reply-1' };
  await optOuts.record({ phone: '+12025550143', state: 'out', ...said });
  await optOuts.record({ phone: '+12025550144', state: 'in', ...said });
});
afterAll(() => tables.stop());

/** Runs a pattern's command as it stands on the page, and gives the keys that it prints, sorted. */
async function keysOf(pattern: string): Promise<string[]> {
  const { stdout } = await run('sh', ['-euc', `${functions}\n${commands.get(pattern) ?? ''}`], {
    env: {
      PATH: [resolve(import.meta.dirname, '../support/aws-command'), process.env.PATH].join(delimiter),
      NODE: process.execPath,
      HISTORY: tables.history,
      SHARDS: String(listShards),
      AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  const answers: string[] = stdout.split(/^(?=\{)/m);
  return answers
    .flatMap((answer) => {
      const { Item, Items = [Item] } = JSON.parse(answer);
      return Items.map((item: Record<string, { S: string }>) => item.pk?.S);
    })
    .sort();
}

it.each([
  ['A1', ['message#msg-1']],
  ['A2', ['message#msg-1', 'message#msg-2', 'message#msg-4', 'reply#reply-1', 'reply#reply-2']],
  ['A3', ['message#msg-2', 'message#msg-3']],
  ['A4', ['message#msg-5', 'message#msg-6']],
  ['A5', ['message#msg-1', 'message#msg-2', 'message#msg-4']],
  ['A6', ['reply#reply-1']],
  ['A7', ['optout#+12025550143']],
])('the command of %s in docs/reference/data-model.md answers its query', async (pattern, keys) => {
  expect(await keysOf(pattern)).toEqual(keys);
});
