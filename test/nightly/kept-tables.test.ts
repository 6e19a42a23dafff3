import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startReaper } from '../../local/processes/reaper.ts';
import { findJava, startDynamoDb } from '../../local/services/dynamodb/api.ts';
import { freePorts } from '../../tools/support/free-port.ts';

it('tables that are kept are in a folder that only their owner may open, also if an earlier run made it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sms-tables-'));
  const tablesDirectory = join(folder, 'tables');
  mkdirSync(tablesDirectory, { mode: 0o755 });
  const runId = `tables-${randomUUID()}`;
  const reaper = startReaper(runId, () => {});
  const database = startDynamoDb({
    port: await freePorts(),
    java: await findJava(process.env),
    logFile: join(folder, 'dynamodb.log'),
    runId,
    tablesDirectory,
  });
  reaper.watch(database.pid);
  onTestFinished(async () => {
    process.kill(database.pid);
    await database.exited;
    await reaper.reap();
    rmSync(folder, { recursive: true });
  });
  await database.ready;
  expect(statSync(tablesDirectory).mode & 0o777).toBe(0o700);
});
