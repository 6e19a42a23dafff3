import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { sharedTablesVariable } from '../../tools/support/history-tables.ts';

const script = resolve(import.meta.dirname, 'shared-database-process.ts');

/** Serves `startHistoryTables` of all test files: one DynamoDB Local a run, started when the first of them asks for tables. */
export default async function setup(): Promise<() => Promise<void>> {
  // A process group of its own: after Ctrl-C it ends when this process has, and takes the database with it.
  const child = fork(script, { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failure = exited.then(([code]) =>
    Promise.reject(new Error(`The shared database exited with ${code}.`)),
  );
  const [url] = await Promise.race([once(child, 'message'), failure]);
  process.env[sharedTablesVariable] = String(url);
  return async () => {
    child.disconnect();
    await exited;
  };
}
