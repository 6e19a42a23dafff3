/** Runs a function's bundle, the folder that is the first argument, and says what its invocations cost. Ends with its parent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { lambdaContext } from '../../support/lambda-events.ts';
import { type workDone, workMessage } from './start-work-process.ts';

const [, , folder = ''] = process.argv;
const entry = join(folder, 'index.mjs');
const loaded = import(existsSync(entry) ? entry : join(folder, 'index.js'));

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  work(message).then(answer, (error: unknown) => answer({ error: String(error) }));
});

async function work(message: unknown): Promise<z.infer<typeof workDone>> {
  const { events } = workMessage.parse(message);
  const { handler } = await loaded;
  const results: unknown[] = [];
  const before = process.cpuUsage();
  for (const event of events) results.push(await handler(event, lambdaContext));
  const { user, system } = process.cpuUsage(before);
  return { cpuMicroseconds: user + system, results };
}

function answer(done: z.infer<typeof workDone>): void {
  process.send?.(done);
}
