import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import {
  type Fault,
  type FaultControl,
  type FunctionFaults,
  faultControl,
} from '../../engine/fault-control.ts';
import type { ForwardReceiver } from '../../engine/forward-receiver.ts';
import { endProcess } from '../../engine/run.ts';
import { type Sandbox, sandboxAt } from '../../engine/sandbox.ts';
import { type LocalPipeline, updateThrottle } from '../../support/local-pipeline.ts';
import { type PostOptions, postSigned } from '../../support/post-signed.ts';
import { type CommandOutcome, smsCommand } from '../../support/sms-command.ts';
import { until } from '../../support/until.ts';
import { type DrillFunction, readFunctions } from './alarms.ts';
import type { Monitor } from './monitor.ts';

const listedQueues = z.object({
  entries: z.array(z.object({ name: z.string(), waiting: z.number(), inFlight: z.number() })),
});

const brokenCode = 'throw new Error("a deployment that does not start");\n';

/** Twice a long poll. */
const pollerDeadlineMs = 40_000;

/** A pipeline on this machine, with what an operator does to it and others have done. */
export class Site {
  readonly pipeline: LocalPipeline;
  readonly monitor: Monitor;
  readonly receiver: ForwardReceiver;
  readonly #control: FaultControl;
  #faults: readonly Fault[] = [];
  #clocks: FunctionFaults = {};
  #changing: Promise<unknown> = Promise.resolve();
  readonly sns: SNSClient;
  readonly #lambda: LambdaClient;
  readonly sandbox: Sandbox;
  readonly #functions: readonly DrillFunction[];

  constructor(pipeline: LocalPipeline, monitor: Monitor, receiver: ForwardReceiver) {
    this.pipeline = pipeline;
    this.monitor = monitor;
    this.receiver = receiver;
    this.#control = faultControl(pipeline.port);
    this.sandbox = sandboxAt(`http://127.0.0.1:${pipeline.port + 1}`);
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

  /** Posts a signed event. @throws Error where it is answered otherwise */
  async post(body: unknown, expected = 200, options: PostOptions = {}): Promise<void> {
    const status = await postSigned(this.pipeline, body, undefined, options);
    if (status !== expected) throw new Error(`the webhook answered ${status}, not ${expected}`);
  }

  /** As its schedule or a person would. @returns whether it succeeded */
  async invoke(label: string, payload: object = {}): Promise<boolean> {
    const FunctionName = this.function(label).name;
    const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) });
    return (await this.#lambda.send(command)).FunctionError === undefined;
  }

  /** The same. @throws Error where it failed */
  async succeed(label: string): Promise<void> {
    if (!(await this.invoke(label))) throw new Error(`${label} failed`);
  }

  /** Has calls go wrong, besides what goes wrong already. @returns how to end that */
  async spoil(fault: Fault): Promise<() => Promise<void>> {
    const set = (change: () => readonly Fault[]) =>
      this.#inTurn(async () => {
        this.#faults = change();
        await this.#control.set(this.#faults);
      });
    await set(() => [...this.#faults, fault]);
    return () => set(() => this.#faults.filter((one) => one !== fault));
  }

  /**
   * Has SQS refuse to let Lambda receive for a function. It receives once at a time, so after the first refusal no long poll from
   * before is left that could still bring an event.
   *
   * @returns how to end that
   */
  async spoilPoller(label: string): Promise<() => Promise<void>> {
    const caller = `${label} poller`;
    const fault: Fault = { caller, service: 'sqs', operation: 'ReceiveMessage', kind: 'refuse' };
    const fix = await this.spoil(fault);
    try {
      await until(
        `${caller} is refused`,
        async () => {
          const { hit } = await this.#inTurn(() => this.#control.counts(this.#faults.indexOf(fault)));
          return hit > 0;
        },
        pollerDeadlineMs,
      );
    } catch (error) {
      await fix();
      throw error;
    }
    return fix;
  }

  /** Changes faults one after the other: each change replaces all of them. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#changing.catch(() => {}).then(act);
    this.#changing = turn;
    return turn;
  }

  /** Sets the clock of a function ahead. @returns how to put it right */
  async shiftClock(label: string, clockOffsetMs: number): Promise<() => Promise<void>> {
    const set = (change: () => FunctionFaults) =>
      this.#inTurn(async () => {
        this.#clocks = change();
        await this.#control.setFunctions(this.#clocks);
      });
    await set(() => ({ ...this.#clocks, [label]: { clockOffsetMs } }));
    return () =>
      set(() => {
        const { [label]: _, ...others } = this.#clocks;
        return others;
      });
  }

  /** Takes a function all its concurrency. @returns how to give it back */
  async throttle(label: string): Promise<() => Promise<void>> {
    const FunctionName = this.function(label).name;
    await this.#lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }),
    );
    return async () => void (await this.#lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName })));
  }

  /** Has the HTTP API let in so many requests of each route, but for those with a limit of their own. @returns how to undo that */
  async throttleApi(ratePerSecond: number, burst: number): Promise<() => Promise<void>> {
    const before = await updateThrottle(this.pipeline, {});
    await updateThrottle(this.pipeline, {
      defaultRouteSettings: { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
    });
    const { defaultRouteSettings } = before;
    return async () => void (await updateThrottle(this.pipeline, { defaultRouteSettings }));
  }

  /** Deploys another file of a function's code. @returns how to deploy what was there again */
  deployFile(label: string, name: string, contents: string | Buffer): () => void {
    const file = join(this.function(label).codeDirectory, name);
    const before = existsSync(file) ? readFileSync(file) : undefined;
    const deploy = (written: string | Buffer | undefined) => {
      if (written === undefined) rmSync(file, { force: true });
      else writeFileSync(file, written);
      this.endHosts(label);
    };
    deploy(contents);
    return () => deploy(before);
  }

  /** Deploys code that does not start in place of a function's. @returns how to deploy the right one again */
  breakCode(label: string): () => void {
    // Lambda prefers it to an index.mjs.
    return this.deployFile(label, 'index.js', brokenCode);
  }

  endHosts(label: string): void {
    for (const pid of this.pipeline.processes(label)) endProcess(pid);
  }

  /** Has a queue of the outputs give up what fails after one try and a second. @returns how to undo that */
  async shortenRetries(queue: string, deadLetters: string): Promise<() => Promise<void>> {
    const QueueUrl = this.output(queue);
    const { VisibilityTimeout = '', RedrivePolicy = '' } = await this.attributes(QueueUrl);
    const set = async (Attributes: { VisibilityTimeout: string; RedrivePolicy: string }) =>
      void (await this.pipeline.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes })));
    const deadLetterTargetArn = queueArn(this.output(deadLetters));
    await set({
      VisibilityTimeout: '1',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
    });
    return () => set({ VisibilityTimeout, RedrivePolicy });
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

  /** The lines of a function's log with a code. */
  logged(label: string, code: string): string[] {
    return this.pipeline
      .functionLog(`${label}.log`)
      .split('\n')
      .filter((line) => line.includes(code));
  }

  /** @throws Error where a function's log has no line with the code, and the text */
  expectLogged(label: string, code: string, text = /(?:)/): void {
    if (!this.logged(label, code).some((line) => text.test(line))) throw new Error(`no such ${code}`);
  }

  /** Waits until a queue of the outputs has nothing any more. */
  async untilEmpty(output: string, deadlineMs = 60_000): Promise<void> {
    await this.pipeline.untilQueueIsEmpty(this.output(output), deadlineMs);
  }

  /** Waits until a queue has a message. */
  async untilWaiting(queueUrl: string): Promise<void> {
    await until('a message waits', async () => (await this.pipeline.queueDepth(queueUrl)).waiting > 0);
  }

  /** Waits until `dead-letter list` shows nothing of a queue of the outputs, neither waiting nor in flight. */
  async untilListedEmpty(output: string): Promise<void> {
    await until(
      `dead-letter list shows nothing in ${output}`,
      async () => {
        const { entries } = listedQueues.parse(JSON.parse(await this.sms('dead-letter list --json')));
        const own = entries.find(({ name }) => name === output);
        if (own === undefined) throw new Error(`dead-letter list has no ${output}`);
        return own.waiting + own.inFlight === 0;
      },
      60_000,
    );
  }

  /** Waits until a message is in history, as a person would look for it. */
  async untilStored(messageId: string, deadlineMs = 90_000): Promise<void> {
    await until(
      `message ${messageId} is in history`,
      async () => (await this.trySms(['message', 'get', messageId, '--json'])).code === 0,
      deadlineMs,
    );
  }
}

/** The ARN of a local queue. */
export function queueArn(queueUrl: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${queueUrl.split('/').at(-1)}`;
}
