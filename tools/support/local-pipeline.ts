import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { localClient } from '../../local/aws-protocol/call.ts';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import type { RunRecord } from '../../local/processes/run-record.ts';
import { freePorts } from './free-port.ts';
import { until } from './until.ts';

const projectDirectory = resolve(import.meta.dirname, '../..');

/** A pipeline that `npm start` runs on this machine. */
export interface RunningPipeline {
  readonly port: number;
  readonly directory: string;
  readonly webhookUrl: string;
  /** By output name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  readonly sqs: SQSClient;
  /** The webhook's current secret, read the way a person would. */
  webhookSecret(): Promise<string>;
  /** How many messages of a queue wait, and how many are in flight: received and not deleted yet. */
  queueDepth(queueUrl: string | undefined): Promise<{ readonly waiting: number; readonly inFlight: number }>;
  /** Waits until everything in a queue has been handled. */
  untilQueueIsEmpty(queueUrl: string | undefined, deadlineMs?: number): Promise<void>;
  /** Ids of the run's processes whose name holds `part`: those of services, and those a function runs in. */
  processes(part: string): readonly number[];
  /** Returns the log of a function so far. */
  functionLog(part: string): string;
}

/** The pipeline as `npm start` runs it, on ports and in a folder of its own. */
export interface LocalPipeline extends RunningPipeline {
  /** Everything the run has printed so far. */
  printed(): string;
  /** Whether its process has ended, by itself or by {@link LocalPipeline.stop}. */
  hasEnded(): boolean;
  /** Ends it as Ctrl-C does; the exit code. Its folder is there until this process has succeeded. */
  stop(): Promise<number | null>;
}

/**
 * Starts the pipeline with the contract that ships, the given settings (`sms:<name>`) and options of `npm start`, and waits for its ready
 * line.
 */
export async function startLocalPipeline(
  settings: Readonly<Record<string, string | number>> = {},
  options: readonly string[] = ['--no-demo', '--no-console'],
): Promise<LocalPipeline> {
  // With those of the console, as deployed.
  const port = await freePorts(8);
  const directory = mkdtempSync(join(tmpdir(), 'sms-pipeline-'));
  // The cdk.context.json of a user may name another contract, whose events the callers cannot make.
  const allSettings = Object.entries({ 'sms:contractFile': 'contract.json', ...settings });
  const context = allSettings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawn(
    process.execPath,
    ['local/start.ts', ...options, '--port', String(port), '--dir', directory, ...context],
    { cwd: projectDirectory, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  // Also where a test run ends without stopping it.
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const printed: string[] = [];
  const ready = new Promise<void>((resolveReady, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (line.startsWith('ready ')) resolveReady();
      });
    }
    void exited.then(() => reject(new Error(`the pipeline did not start:\n${printed.join('\n')}`)));
  });
  await ready;
  return {
    ...pipelineIn(directory, port),
    printed: () => printed.join('\n'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      end();
      const [code] = await exited;
      // The logs are needed after a failure.
      process.once('exit', (failed) => {
        if (failed === 0) rmSync(directory, { recursive: true, force: true });
      });
      return code;
    },
  };
}

/**
 * Returns the pipeline that runs in a folder.
 * @param port the first of its five
 */
export function pipelineIn(directory: string, port: number): RunningPipeline {
  const stacks: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(directory, 'outputs.json'), 'utf8'),
  );
  const outputs = Object.assign({}, ...Object.values(stacks)) as Record<string, string>;
  const client = (offset: number) => localClient(loopbackUrl(port + offset));
  const sqs = new SQSClient(client(3));
  const secretsManager = new SecretsManagerClient(client(4));
  const queueDepth: RunningPipeline['queueDepth'] = async (queueUrl) => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    return {
      waiting: Number(Attributes.ApproximateNumberOfMessages),
      inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    };
  };
  return {
    port,
    directory,
    webhookUrl: outputs.WebhookUrl ?? '',
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
    queueDepth,
    untilQueueIsEmpty: async (queueUrl, deadlineMs) => {
      const isEmpty = async () => {
        const { waiting, inFlight } = await queueDepth(queueUrl);
        return waiting + inFlight === 0 || undefined;
      };
      await until('the queue is empty', isEmpty, deadlineMs);
    },
    processes: (part) => {
      const { processes }: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
      return processes.filter(({ name }) => name.includes(part)).map(({ pid }) => pid);
    },
    functionLog: (part) => {
      const logs = readdirSync(join(directory, 'logs')).filter((name) => name.includes(part));
      return logs.map((name) => readFileSync(join(directory, 'logs', name), 'utf8')).join('');
    },
  };
}

const countsSchema = z.object({
  invocations: z.number(),
  errors: z.number(),
  throttles: z.number(),
  running: z.number(),
  iteratorAgeMs: z.number().nullable(),
  doubled: z.number(),
  billedMs: z.number(),
});

/** The local run's answer to `GET /local/lambda/metrics`: each function's counters by its label. */
export const lambdaMetricsSchema = z.object({ functions: z.record(z.string(), countsSchema) });

/** The counters of a function; local/function-hosts/function-metrics.ts defines them. */
export type LambdaCounts = z.output<typeof countsSchema>;

/** The counters of a function that was never started. */
export const noLambdaCounts: LambdaCounts = {
  invocations: 0,
  errors: 0,
  throttles: 0,
  running: 0,
  iteratorAgeMs: null,
  doubled: 0,
  billedMs: 0,
};

/** Settings with which the HTTP API lets in what this machine can send: by default it answers 429 above 1,000 requests a second. */
export const unthrottled = { 'sms:throttleRatePerSecond': '100000', 'sms:throttleBurst': '100000' };

const limits = z.object({ throttlingRateLimit: z.number(), throttlingBurstLimit: z.number() });

const stageSchema = z.object({
  defaultRouteSettings: limits,
  routeSettings: z.record(z.string(), limits),
});

/** The throttles of the HTTP API's stage, as API Gateway has them: of every route, and of those with one of their own. */
export type StageThrottle = z.output<typeof stageSchema>;

/** API Gateway's UpdateStage: changes what is given. @returns what is in force then */
export async function updateThrottle(
  { port, outputs }: Pick<LocalPipeline, 'port' | 'outputs'>,
  changes: Partial<StageThrottle>,
): Promise<StageThrottle> {
  const response = await fetch(`http://127.0.0.1:${port + 4}/v2/apis/${outputs.ApiId}/stages/$default`, {
    method: 'PATCH',
    body: JSON.stringify(changes),
  });
  if (!response.ok) throw new Error(`UpdateStage: ${response.status}`);
  return stageSchema.parse(await response.json());
}

/** The exit code with which a shell reports that Ctrl-C ended a program. */
const interruptedExitCode = 130;

/** Starts a pipeline for as long as it is used. It and its folder go on every way out, Ctrl-C while it starts too. */
export async function withPipeline<Result>(
  settings: Readonly<Record<string, string>>,
  use: (pipeline: LocalPipeline) => Promise<Result>,
  options?: readonly string[],
): Promise<Result> {
  // No signal can arrive before the handlers are registered: this is one turn of the event loop.
  const starting = startLocalPipeline(settings, options);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= starting.then(async (pipeline) => {
      await pipeline.stop();
      rmSync(pipeline.directory, { recursive: true, force: true });
    });
    return ending;
  };
  const exit = () => process.exit(interruptedExitCode);
  const interrupt = () => void end().then(exit, exit);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await use(await starting);
  } finally {
    await end();
    for (const signal of signals) process.off(signal, interrupt);
  }
}
