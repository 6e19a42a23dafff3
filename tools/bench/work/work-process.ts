/** Runs a function's bundle, the folder that is the first argument, and says what its invocations cost. Ends with its parent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lambdaContext } from '../../support/lambda-events.ts';

const [, , folder = ''] = process.argv;
const entry = join(folder, 'index.mjs');
const loaded = import(existsSync(entry) ? entry : join(folder, 'index.js'));

process.on('disconnect', () => process.exit(0));
process.on('message', async (events: readonly unknown[]) => {
  const { handler } = await loaded;
  const results: unknown[] = [];
  const before = process.cpuUsage();
  for (const event of events) results.push(await handler(event, lambdaContext));
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpuMicroseconds: user + system, results });
});
