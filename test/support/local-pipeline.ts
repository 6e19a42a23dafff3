import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { RunRecord } from '../../local/processes/run-record.ts';
import { freePorts } from './free-port.ts';

const projectDirectory = resolve(import.meta.dirname, '../..');

/** The pipeline as `npm start` runs it, on ports and in a folder of its own. */
export interface LocalPipeline {
  readonly port: number;
  readonly directory: string;
  readonly webhookUrl: string;
  /** By output name, over all stacks. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  readonly sqs: SQSClient;
  /** The webhook's current secret, read the way a person would. */
  webhookSecret(): Promise<string>;
  /** Messages of a queue that are not deleted: waiting, in flight or delayed. */
  queueLength(queueUrl: string): Promise<number>;
  /** Id of the process of a service: "dynamodb" or "sqs". */
  serviceProcess(name: string): number;
  /** Ids of the processes in which a function runs now; `part` is part of the function's name. */
  functionProcesses(part: string): Promise<readonly number[]>;
  /** What a function has logged so far. */
  functionLog(part: string): string;
  /** Ends it as Ctrl-C does; the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the pipeline with the given settings (`sms:<name>`) and waits for its ready line. */
export async function startLocalPipeline(
  settings: Readonly<Record<string, string | number>> = {},
): Promise<LocalPipeline> {
  const port = await freePorts(5);
  const directory = mkdtempSync(join(tmpdir(), 'sms-pipeline-'));
  const context = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawn(
    process.execPath,
    ['local/start.ts', '--no-demo', '--port', String(port), '--dir', directory, ...context],
    { cwd: projectDirectory, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const printed: string[] = [];
  const ready = new Promise<string>((resolveReady, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (line.startsWith('ready ')) resolveReady(line.slice('ready '.length));
      });
    }
    void exited.then(() => reject(new Error(`the pipeline did not start:\n${printed.join('\n')}`)));
  });
  const webhookUrl = await ready;
  const stacks: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(directory, 'outputs.json'), 'utf8'),
  );
  const outputs = Object.assign({}, ...Object.values(stacks)) as Record<string, string>;
  const client = (offset: number) => ({
    endpoint: `http://127.0.0.1:${port + offset}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const sqs = new SQSClient(client(3));
  const secretsManager = new SecretsManagerClient(client(4));
  return {
    port,
    directory,
    webhookUrl,
    outputs,
    dynamoDb: new DynamoDBClient(client(2)),
    secretsManager,
    sqs,
    webhookSecret: async () => {
      const { SecretString = '' } = await secretsManager.send(
        new GetSecretValueCommand({ SecretId: outputs.WebhookSecretId }),
      );
      return JSON.parse(SecretString).current.secret;
    },
    queueLength: async (queueUrl) => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
      );
      const names = [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ] as const;
      return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
    },
    serviceProcess: (name) => {
      const { processes }: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
      const found = processes.find((process) => process.name === name);
      if (found === undefined) throw new Error(`no process ${name}`);
      return found.pid;
    },
    functionProcesses: async (part) => {
      const answer = await fetch(`http://127.0.0.1:${port + 4}/local/functions`);
      const functions = (await answer.json()) as { name: string; pids: number[] }[];
      return functions.filter(({ name }) => name.includes(part)).flatMap(({ pids }) => pids);
    },
    functionLog: (part) => {
      const logs = readdirSync(join(directory, 'logs')).filter((name) => name.includes(part));
      return logs.map((name) => readFileSync(join(directory, 'logs', name), 'utf8')).join('');
    },
    stop: async () => {
      child.kill('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}
