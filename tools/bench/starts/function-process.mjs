// Starts the function in a folder as Lambda does: loads its code, and gives it the first event that it gets. Answers with the answer of the
// function and with the processor time of this process so far, all threads. Plain JavaScript, because reading TypeScript takes time too.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder = ''] = process.argv;
const entry = join(folder, 'index.mjs');
const loaded = import(existsSync(entry) ? entry : join(folder, 'index.js'));
const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  getRemainingTimeInMillis: () => 20_000,
};

process.once('disconnect', () => process.exit(0));
process.once('message', async (event) => {
  const { handler } = await loaded;
  const answer = await handler(event, context);
  const { user, system } = process.cpuUsage();
  process.send({ answer, cpuMs: (user + system) / 1000 });
});
