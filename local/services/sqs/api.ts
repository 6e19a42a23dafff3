import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClient } from '../../aws-protocol/call.ts';
import type { PollerSettings } from '../../iam/caller.ts';

const SCRIPT = fileURLToPath(new URL('./sqs-process.ts', import.meta.url));

export interface SqsOptions {
  readonly port: number;
  /** The port in queue URLs. */
  readonly publicPort: number;
  readonly logFile: string;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
}

export interface Sqs {
  readonly pid: number;
  readonly client: SQSClient;
  /** Resolves when it answers. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
}

/** Starts SQS in a process of its own: see sqs-server.ts. */
export function startSqs({ port, publicPort, logFile, runId }: SqsOptions): Sqs {
  const log = openSync(logFile, 'w');
  const child = fork(SCRIPT, [String(port), String(publicPort), `--run=${runId}`], {
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const exited = once(child, 'exit').then(() => undefined);
  const started = once(child, 'message').then(() => undefined);
  const failed = exited.then(() => Promise.reject(new Error(`SQS ended: see ${logFile}`)));
  failed.catch(() => {});
  return {
    pid: child.pid ?? 0,
    client: sqsClient(`http://127.0.0.1:${port}`),
    ready: Promise.race([started, failed]),
    exited,
  };
}

/**
 * A client for the local SQS. It sends every call to the endpoint, whatever the host of a queue's URL is.
 * @param settings differences from the SDK's defaults
 */
export function sqsClient(endpoint: string, settings: Partial<PollerSettings> = {}): SQSClient {
  return new SQSClient({
    ...localClient(endpoint),
    useQueueUrlAsEndpoint: false,
    ...settings,
  });
}
