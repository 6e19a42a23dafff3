/** Makes tables for the test files of a run, in one DynamoDB Local; ends it when the run has ended, also after SIGKILL. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import type { HistoryDatabase, TableOptions } from '../../tools/support/history-database.ts';

let database: Promise<HistoryDatabase> | undefined;

async function startDatabase(): Promise<HistoryDatabase> {
  const { startHistoryDatabase } = await import('../../tools/support/history-database.ts');
  return startHistoryDatabase();
}

const server = createServer(async (request, response) => {
  try {
    database ??= startDatabase();
    const options = (await json(request)) as TableOptions;
    response.end(JSON.stringify(await (await database).createTables(options)));
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
