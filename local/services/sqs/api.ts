import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { SQSClient } from '@aws-sdk/client-sqs';
import { moduleFile } from '../../../contract/document/package-store.ts';
import { localClient } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { PollerSettings } from '../../iam/caller.ts';
import type { ServiceRun } from '../definition/define-service.ts';

const SCRIPT = moduleFile('local/services/sqs/sqs-process.ts');

/** Starts SQS in a process of its own: see sqs-server.ts. */
export function startSqs({ servicePorts, ports, logDirectory, runId, onProcess }: ServiceRun) {
  const logFile = `${logDirectory}/sqs.log`;
  const log = openSync(logFile, 'w');
  const child = fork(SCRIPT, [String(servicePorts.sqs), String(ports.sqs), `--run=${runId}`], {
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const exited = once(child, 'exit').then(() => undefined);
  onProcess({ name: 'SQS', pid: child.pid ?? 0, logFile, exited });
  const started = once(child, 'message').then(() => undefined);
  const failed = exited.then(() => Promise.reject(new Error(`SQS ended: see ${logFile}`)));
  failed.catch(() => {});
  return {
    client: sqsClient(loopbackUrl(servicePorts.sqs)),
    /** Resolves when SQS answers. */
    ready: Promise.race([started, failed]),
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
