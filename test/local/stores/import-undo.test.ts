import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistoryImport } from '../../../cli/stores/history-import.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { readFailure } from '../../../functions/history/opt-out/opt-out.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { undoImport } from '../../../functions/history/undo-import-store.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { drillMapping } from '../../../tools/drills/import/import-rows.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { at, replied, report } from '../../support/suites/reports.ts';
import { commandLine } from '../../unit/cli/support/harness.ts';

let imported: HistoryTables;
let other: HistoryTables;
const folder = mkdtempSync(join(tmpdir(), 'sms-undo-'));
const mapping = join(folder, 'mapping.json');

beforeAll(async () => {
  [imported, other] = await Promise.all([startHistoryTables(), startHistoryTables()]);
  const replies = { only: "Kind == 'in'", replyId: 'Id', from: 'To', text: 'Body', occurredAt: 'Time' };
  writeFileSync(mapping, JSON.stringify({ ...drillMapping, replies, errors: { 21: 'opted_out' } }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([imported.stop(), other.stop()]);
});

const settings = { retentionDays: 400, listShards: 2 };
const now = Date.UTC(2026, 0, 20);

async function sms({ client, history }: HistoryTables, ...words: string[]) {
  const access = createHistoryImport(client, history, settings);
  const connection = { historyImport: async () => access };
  const { code, out, err } = await commandLine({ connection, wait: async () => true, clock: () => now }).sms(
    'message',
    'import',
    ...words,
    '--confirm',
    '--json',
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

/** The items of a table, without what differs from one write to the next. */
async function itemsOf({ client, history }: HistoryTables): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: history, ConsistentRead: true }))
    for (const item of Items) {
      const { generation: _generation, quiet: _quiet, ...rest } = unmarshall(item);
      found.push(rest);
    }
  return found.sort((a, b) => (String(a.pk) < String(b.pk) ? -1 : 1));
}

/** The rows of an import: id, send, number, status, code and second. */
type Row = readonly [id: string, send: string, phone: string, status: string, code: string, second: number];

const files: Readonly<Record<'A' | 'B', readonly Row[]>> = {
  A: [
    ['only-a', 's', '+12025550143', 'sent', '', 0],
    ['only-a', 's', '+12025550143', 'delivered', '', 4],
    ['both', 's', '+12025550144', 'delivered', '', 5],
    ['both-later', 's-2', '+12025550144', 'failed', '21', 3],
    ['received', 's', '+12025550145', 'failed', '21', 1],
    ['received-number', 's', '', 'delivered', '', 1],
    ['pending', '', '+12025550147', 'sent', '', 2],
  ],
  B: [
    ['both', 's', '+12025550144', 'delivered', '', 5],
    ['both-later', 's-1', '+12025550143', 'failed', '21', 9],
    ['only-b', 's', '+12025550146', 'delivered', '', 7],
  ],
};

/** Rows that are replies: id, number, text and second. */
const replies: Readonly<Record<'A' | 'B', readonly (readonly [string, string, string, number])[]>> = {
  A: [
    ['reply-only-a', '+12025550148', 'STOP', 1],
    ['reply-both', '+12025550148', 'Hi', 2],
    ['reply-received', '+12025550148', 'Hello', 3],
    ['reply-corrected', '+12025550148', 'Hallo', 4],
  ],
  B: [
    ['reply-both', '+12025550148', 'Hi', 2],
    ['reply-corrected', '+12025550148', 'H\u00e4llo', 5],
  ],
};

/** Each step changes a table; the ids of messages begin with the name of the case. */
function stepsOf(name: string, table: HistoryTables) {
  const ids: Partial<Record<'A' | 'B', string>> = {};
  const importOf = (of: 'A' | 'B') => async () => {
    const file = join(folder, `${name}-${of}.csv`);
    const lines = files[of].map(([id, send, phone, status, code, second]) =>
      [`${name}-${id}`, send, phone, status, code, at(second), 'out', ''].join(','),
    );
    const texts = replies[of].map(([id, from, text, second]) =>
      [`${name}-${id}`, '', from, '', '', at(second), 'in', text].join(','),
    );
    writeFileSync(file, ['Id,Send,To,Status,Code,Time,Kind,Body', ...lines, ...texts, ''].join('\n'));
    const { files: results } = await sms(table, file, '--mapping', mapping, '--opt-outs');
    ids[of] = results[0].importId;
  };
  return {
    ids,
    A: importOf('A'),
    B: importOf('B'),
    /** The webhook delivers reports, and the register learns of an opt-out. */
    W: async () => {
      const writer = createHistoryWriter(table.client, table.history, settings);
      const facts = { phone: '+12025550145', errorCode: '30003' };
      await writer.storeMessage(report(`${name}-received`, 'w1', 'undelivered', 20, facts));
      await writer.storeMessage(report(`${name}-received-number`, 'w1', 'sent', 20));
      await writer.storeMessage(report(`${name}-received-number`, 'w2', 'delivered', 21, { received: 51 }));
      await writer.storeMessage(report(`${name}-pending`, 'w1', 'sent', 22, { phone: '(202) 555-0147' }));
      await writer.storeReply(replied(`${name}-reply-received`, 'w1', 6, { text: 'Hello' }));
      const failed = { kind: 'sms.status', eventId: 'w3', rank: 100, status: 'failed' } as const;
      const statement = readFailure(
        {
          ...failed,
          messageId: `${name}-opted-out`,
          phone: '+12025550145',
          errorReason: 'opted_out',
          occurredAt: at(0),
        },
        at(50),
      );
      if (statement === undefined) throw new TypeError('no statement');
      await createOptOutRegister(table.client, table.history, settings).record(statement);
    },
  };
}

describe('an import that is undone', () => {
  it.each(['A', 'AA', 'WA', 'AW', 'AB', 'BA', 'WAW', 'ABW', 'BWA', 'WAB', 'BAWB'])(
    'leaves the history as if it had never been: %s',
    async (name) => {
      const withIt = stepsOf(name, imported);
      for (const step of name.split('') as ('A' | 'B' | 'W')[]) await withIt[step]();
      const without = stepsOf(name, other);
      for (const step of name.replaceAll('A', '').split('') as ('B' | 'W')[])
        if (step !== undefined && step in without) await without[step]();
      expect(await itemsOf(imported)).not.toEqual(await itemsOf(other));
      const id = withIt.ids.A ?? '';
      const undone = await sms(imported, '--undo', id);
      expect(undone.messagesDeleted + undone.messagesKept).toBe(new Set(files.A.map(([of]) => of)).size);
      expect(undone.repliesDeleted + undone.repliesKept).toBe(replies.A.length);
      expect(undone.statements).toBe(3);
      expect(await itemsOf(imported)).toEqual(await itemsOf(other));
    },
  );

  it('is undone completely by a second run, if the first is interrupted or a report arrives meanwhile', async () => {
    const steps = stepsOf('again', imported);
    await steps.A();
    const late = report('again-only-a', 'w9', 'read', 30, { phone: '+12025550143' });
    const client = new DynamoDBClient(localClient(imported.endpoint));
    let writes = 0;
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (!/^(?:Put|Delete)ItemCommand$/.test(commandName)) return next(args);
          writes += 1;
          if (writes === 4) throw new Error('the process was killed');
          // The report arrives after its item was read, and before it is deleted.
          if (writes === 1)
            await createHistoryWriter(imported.client, imported.history, settings).storeMessage(late);
          return next(args);
        },
      { step: 'initialize' },
    );
    const options = { isDryRun: false, onRead: () => {} };
    const id = steps.ids.A ?? '';
    await expect(undoImport(client, imported.history, settings, id, options)).rejects.toThrow('killed');
    await undoImport(imported.client, imported.history, settings, id, options);
    await createHistoryWriter(other.client, other.history, settings).storeMessage(late);
    expect(await itemsOf(imported)).toEqual(await itemsOf(other));
    client.destroy();
  });

  it('is only counted in a dry run', async () => {
    const steps = stepsOf('dry', imported);
    await steps.A();
    const before = await itemsOf(imported);
    const access = createHistoryImport(imported.client, imported.history, settings);
    const counted = await access.undo(steps.ids.A ?? '', { isDryRun: true, onRead: () => {} });
    expect(counted).toEqual({
      messagesDeleted: 6,
      messagesKept: 0,
      repliesDeleted: 4,
      repliesKept: 0,
      statements: 3,
      unreadable: 0,
    });
    expect(await itemsOf(imported)).toEqual(before);
  });
});
