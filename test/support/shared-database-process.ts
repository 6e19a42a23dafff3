/** Makes tables for the test files of a run, in one DynamoDB Local; ends it when the run has ended, also after SIGKILL. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import type { HistoryDatabase } from '../../tools/support/history-database.ts';

let database: Promise<HistoryDatabase> | undefined;

async function startDatabase(): Promise<HistoryDatabase> {
  const { startHistoryDatabase } = await import('../../tools/support/history-database.ts');
  return startHistoryDatabase();
}

const server = createServer(async (_, response) => {
  try {
    database ??= startDatabase();
    response.end(JSON.stringify(await (await database).createTables()));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

process.once('disconnect', async () => {
  await (await database)?.stop();
  process.exit(0);
});

await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.(loopbackUrl((server.address() as AddressInfo).port));
