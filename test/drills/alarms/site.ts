import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteFunctionConcurrencyCommand,
  InvokeCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import {
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { readCloudAssembly } from '../../../local/assembly/cloud-assembly.ts';
import type { RunRecord } from '../../../local/processes/run-record.ts';
import {
  type Fault,
  type FaultControl,
  type FunctionFaults,
  faultControl,
} from '../../faults/fault-control.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type CommandOutcome, smsCommand } from '../../support/sms-command.ts';
import { until } from '../../support/until.ts';
import { type DrillFunction, readFunctions } from './alarms.ts';
import type { Monitor } from './monitor.ts';
import type { Receiver } from './receiver.ts';
import { createWebhookCaller, type WebhookCaller } from './webhook-caller.ts';

const sandboxState = z.object({ webhook: z.object({ rotations: z.number() }) });

const brokenCode = 'throw new Error("a deployment that does not start");\n';

/** The queue's retries, as they are while a drill shortens them: given up after one try and a second. */
const shortRetries = { visibility: '1', receives: 1 };

/** A pipeline on this machine, with what an operator does to it and others have done. */
export class Site {
  readonly pipeline: LocalPipeline;
  readonly monitor: Monitor;
  readonly receiver: Receiver;
  readonly #control: FaultControl;
  #faults: readonly Fault[] = [];
  #clocks: FunctionFaults = {};
  readonly webhook: WebhookCaller;
  readonly sns: SNSClient;
  readonly #lambda: LambdaClient;
  readonly #functions: readonly DrillFunction[];

  constructor(pipeline: LocalPipeline, monitor: Monitor, receiver: Receiver) {
    this.pipeline = pipeline;
    this.monitor = monitor;
    this.receiver = receiver;
    this.#control = faultControl(pipeline.port);
    this.webhook = createWebhookCaller(
      pipeline.webhookUrl,
      () => pipeline.webhookSecret(),
      (status) => monitor.answered(status),
    );
    const client = (offset: number) => ({
      endpoint: `http://127.0.0.1:${pipeline.port + offset}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
    });
    this.#lambda = new LambdaClient(client(4));
    this.sns = new SNSClient(client(3));
    this.#functions = readFunctions(readCloudAssembly(join(pipeline.directory, 'cdk.out')));
  }

  /** An output of the stacks. */
  output(name: string): string {
    const value = this.pipeline.outputs[name];
    if (value === undefined) throw new Error(`no output ${name}`);
    return value;
  }

  function(label: string): DrillFunction {
    const found = this.#functions.find((known) => known.label === label);
    if (found === undefined) throw new Error(`no function ${label}`);
    return found;
  }

  /** Runs the command-line tool. @throws Error with what it said where the exit code is another */
  async sms(args: string, code = 0): Promise<string> {
    const outcome = await this.trySms(args.split(' '));
    if (outcome.code === code) return outcome.out + outcome.err;
    throw new Error(`sms ${args}: exit code ${outcome.code}: ${outcome.err || outcome.out}`);
  }

  /** Runs the command-line tool, whatever comes of it. */
  trySms(args: readonly string[]): Promise<CommandOutcome> {
    return smsCommand(this.pipeline.directory, args);
  }

  async post(body: unknown): Promise<void> {
    const status = await this.webhook.post(body);
    if (status !== 200) throw new Error(`the webhook answered ${status}`);
  }

  /** As its schedule or a person would. @returns whether it succeeded */
  async invoke(label: string, payload: object = {}): Promise<boolean> {
    const FunctionName = this.function(label).name;
    const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) });
    return (await this.#lambda.send(command)).FunctionError === undefined;
  }

  /** Has calls go wrong, besides what goes wrong already. @returns how to end that */
  async spoil(fault: Fault): Promise<() => Promise<void>> {
    this.#faults = [...this.#faults, fault];
    await this.#control.set(this.#faults);
    return async () => {
      this.#faults = this.#faults.filter((one) => one !== fault);
      await this.#control.set(this.#faults);
    };
  }

  /** Sets the clock of a function ahead. @returns how to put it right */
  async shiftClock(label: string, clockOffsetMs: number): Promise<() => Promise<void>> {
    this.#clocks = { ...this.#clocks, [label]: { clockOffsetMs } };
    await this.#control.setFunctions(this.#clocks);
    return async () => {
      const { [label]: _, ...others } = this.#clocks;
      this.#clocks = others;
      await this.#control.setFunctions(others);
    };
  }

  /** Takes a function all its concurrency. */
  async throttle(label: string): Promise<void> {
    const FunctionName = this.function(label).name;
    await this.#lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }),
    );
  }

  async unthrottle(label: string): Promise<void> {
    const FunctionName = this.function(label).name;
    await this.#lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  }

  /** Deploys code that does not start in place of a function's. @returns how to deploy the right one again */
  breakCode(label: string): () => void {
    const file = join(this.function(label).codeDirectory, 'index.js');
    const code = readFileSync(file);
    const deploy = (bytes: string | Buffer) => {
      writeFileSync(file, bytes);
      this.endHosts(label);
    };
    deploy(brokenCode);
    return () => deploy(code);
  }

  /** Deploys a function from another folder. */
  deployFrom(label: string, directory: string): void {
    cpSync(directory, this.function(label).codeDirectory, { recursive: true });
    this.endHosts(label);
  }

  endHosts(label: string): void {
    const { directory } = this.pipeline;
    const { processes }: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
    for (const { name, pid } of processes) if (name === label) endProcess(pid);
  }

  /** Has a queue give up what fails after one try. @returns how to undo that */
  async shortenRetries(queueUrl: string, deadLetterArn: string): Promise<() => Promise<void>> {
    const before = await this.attributes(queueUrl);
    const set = (VisibilityTimeout: string, RedrivePolicy: string) =>
      this.pipeline.sqs.send(
        new SetQueueAttributesCommand({
          QueueUrl: queueUrl,
          Attributes: { VisibilityTimeout, RedrivePolicy },
        }),
      );
    await set(
      shortRetries.visibility,
      JSON.stringify({ deadLetterTargetArn: deadLetterArn, maxReceiveCount: shortRetries.receives }),
    );
    return async () => void (await set(before.VisibilityTimeout ?? '', before.RedrivePolicy ?? ''));
  }

  async attributes(queueUrl: string): Promise<Partial<Record<QueueAttributeName, string>>> {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] });
    return (await this.pipeline.sqs.send(command)).Attributes ?? {};
  }

  async setApiKey(SecretString: string): Promise<void> {
    await this.pipeline.secretsManager.send(
      new PutSecretValueCommand({ SecretId: 'sms-pipeline/api-key', SecretString }),
    );
  }

  /** The webhook as the service has it. */
  async serviceWebhook(): Promise<z.output<typeof sandboxState>['webhook']> {
    return sandboxState.parse(await this.sandbox('GET', 'state')).webhook;
  }

  async sandbox(method: string, path: string, body?: object): Promise<unknown> {
    const url = `http://127.0.0.1:${this.pipeline.port + 1}/sandbox/${path}`;
    const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} /sandbox/${path}: ${response.status}`);
    return response.json();
  }

  /** The lines of a function's log with a code. */
  logged(label: string, code: string): string[] {
    return this.pipeline
      .functionLog(`${label}.log`)
      .split('\n')
      .filter((line) => line.includes(code));
  }

  /** Waits until a queue of the outputs has nothing any more. */
  async untilEmpty(output: string, deadlineMs = 60_000): Promise<void> {
    await this.pipeline.untilQueueIsEmpty(this.output(output), deadlineMs);
  }

  /** Waits until a message is in history, as a person would look for it. */
  async untilStored(messageId: string, deadlineMs = 90_000): Promise<void> {
    await until(
      `message ${messageId} is in history`,
      async () => (await this.trySms(['history', 'message', messageId, '--json'])).code === 0,
      deadlineMs,
    );
  }
}

/** The ARN of a local queue. */
export function queueArn(queueUrl: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${queueUrl.split('/').at(-1)}`;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
