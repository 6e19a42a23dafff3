import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistoryImport, type HistoryImport } from '../../cli/stores/history-import.ts';
import { messageItem } from '../../functions/history/message-item.ts';
import { differentMessages, foldRows, readFacts } from '../../tools/drills/import/compare-messages.ts';
import { csvOf, drillMapping, makeRows } from '../../tools/drills/import/import-rows.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { report } from '../support/suites/reports.ts';
import { commandLine } from '../unit/cli/support/harness.ts';

let tables: HistoryTables;
const folder = mkdtempSync(join(tmpdir(), 'sms-import-'));

beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await tables.stop();
});

const settings = { retentionDays: 400, listShards: 2 };
const now = Date.UTC(2026, 0, 20);

/** An import whose writes fail after some. */
function importOf(failsAfter: number): HistoryImport {
  const access = createHistoryImport(tables.client, tables.history, settings);
  let writes = 0;
  const history: HistoryImport['history'] = {
    async storeMessage(message) {
      writes += 1;
      if (writes > failsAfter) throw new Error('the process was killed');
      return access.history.storeMessage(message);
    },
    storeReply: access.history.storeReply,
  };
  return { ...access, history };
}

it('an import that is interrupted twice ends equal to an independent fold of its rows, and costs a second one no write', async () => {
  const { rows } = makeRows(2400, 7, now);
  const [file, mapping] = [join(folder, 'rows.csv'), join(folder, 'mapping.json')];
  writeFileSync(file, csvOf(rows));
  writeFileSync(mapping, JSON.stringify(drillMapping));
  const run = async (failsAfter: number) => {
    const connection = { historyImport: async () => importOf(failsAfter) };
    const { sms } = commandLine({ connection, wait: async () => true, clock: () => now });
    return sms('message', 'import', file, '--mapping', mapping, '--confirm', '--json');
  };
  expect((await run(300)).code).toBe(1);
  expect((await run(350)).code).toBe(1);
  const last = await run(Number.POSITIVE_INFINITY);
  expect(last.err).toContain('Continuing after');
  expect(last.code).toBe(0);
  expect(JSON.parse(last.out).files[0].rows).toBe(rows.length);
  const stored = await readFacts(tables.client, tables.history);
  expect(stored.size).toBeGreaterThan(600);
  expect(differentMessages(stored, foldRows(rows))).toEqual([]);

  const again = await run(0);
  expect(JSON.parse(again.out).files[0].outcomes).toMatchObject({ new: 0, changed: 0, known: rows.length });
});

it('a report of the webhook takes precedence over an imported one of the same rank', async () => {
  const file = join(folder, 'one.csv');
  const mapping = join(folder, 'mapping.json');
  const time = now - 86_400_000;
  writeFileSync(mapping, JSON.stringify(drillMapping));
  const base = { send: 's', phone: '+12025550143', code: '30006', status: 'failed', time };
  writeFileSync(
    file,
    csvOf([
      { ...base, messageId: 'known' },
      { ...base, messageId: 'known-2', status: 'delivered', code: '' },
    ]),
  );
  const received = (id: string) =>
    report(id, 'e1', 'undelivered', 0, { phone: '+12025550143', errorCode: '30003' });
  for (const id of ['known', 'known-2'])
    await tables.client.send(
      new PutItemCommand({
        TableName: tables.history,
        Item: messageItem(received(id), 'g1', now / 1000 + 86_400, settings),
      }),
    );
  const access = createHistoryImport(tables.client, tables.history, settings);
  const { sms } = commandLine({
    connection: { historyImport: async () => access },
    wait: async () => true,
    clock: () => now,
  });
  const { out } = await sms('message', 'import', file, '--mapping', mapping, '--confirm', '--json');
  expect(JSON.parse(out).files[0].outcomes).toMatchObject({ changed: 2 });
  const facts = await readFacts(tables.client, tables.history);
  expect(facts.get('known')).toContain('status undelivered');
  expect(facts.get('known-2')).toContain('status delivered');
});
