import { type LocalBus, localBus } from '../support/local-bus.ts';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { type CommandOutcome, smsCommand } from '../support/sms-command.ts';
import { until } from '../support/until.ts';
import { type FaultControl, faultControl } from './fault-control.ts';
import { Ledger } from './ledger.ts';
import { Published } from './published.ts';
import { type Sandbox, sandboxAt } from './sandbox.ts';
import { Sender } from './sender.ts';

/** A rotation that the pipeline did not make; milliseconds since the epoch. */
interface RotationElsewhere {
  readonly rotatedAt: number;
  /** The pipeline had stored the secret by then. */
  readonly storedBy: number;
}

/** A pipeline on this machine, what was sent to it and published by it, and what an operator and the service do to it. */
export class Run implements AsyncDisposable {
  readonly pipeline: LocalPipeline;
  readonly bus: LocalBus;
  readonly faults: FaultControl;
  readonly sandbox: Sandbox;
  readonly ledger = new Ledger();
  readonly published = new Published();
  readonly sender: Sender;
  /** In order. */
  readonly rotationsElsewhere: RotationElsewhere[] = [];
  /** Ids of the requests in the middle of which a process was killed. */
  readonly killed = new Set<string>();
  /** What the command-line tool has printed. */
  readonly printed: string[] = [];

  constructor(pipeline: LocalPipeline) {
    this.pipeline = pipeline;
    this.bus = localBus(pipeline.port);
    this.faults = faultControl(pipeline.port);
    this.sandbox = sandboxAt(`http://127.0.0.1:${pipeline.port + 1}`);
    this.sender = new Sender(pipeline, this.ledger);
  }

  /** Reads the events that were published since the last call. */
  async readBus(): Promise<Published> {
    await this.published.read(this.bus);
    return this.published;
  }

  /** The number of messages of the events queue, waiting and in flight. */
  async backlog(): Promise<number> {
    const { waiting, inFlight } = await this.pipeline.queueDepth(this.pipeline.outputs.EventsQueueUrl);
    return waiting + inFlight;
  }

  /** Runs the command-line tool. */
  async sms(...args: string[]): Promise<CommandOutcome> {
    const outcome = await smsCommand(this.pipeline.directory, args);
    this.printed.push(outcome.out, outcome.err);
    return outcome;
  }

  /** Ends the processes of a function, so that the next ones know nothing: no secret, no token. Returns how many they were. */
  async kill(label: string): Promise<number> {
    const pids = this.pipeline.processes(label);
    pids.forEach(endProcess);
    // Until then it may be given work.
    const isGone = () => !this.pipeline.processes(label).some((pid) => pids.includes(pid));
    await until('they are gone', isGone, 60_000);
    return pids.length;
  }

  /** Rotates the service's secret and changes the webhook to another address, which the pipeline also answers. */
  async changeElsewhere(): Promise<void> {
    await this.sandbox.rotateElsewhere();
    await this.sandbox.changeUrl(`${this.pipeline.webhookUrl}?elsewhere`);
  }

  /** Has the pipeline look for drift once, whatever comes of it. */
  async reconcile(): Promise<boolean> {
    const { code } = await this.sms('webhook', 'reconcile');
    return code === 0;
  }

  /** Has the pipeline look for drift until the stored secret is the service's. */
  async reconcileUntilGood(): Promise<void> {
    const what = 'the stored secret is the one of the service';
    await until(what, async () => (await this.reconcile()) && this.isSecretCurrent());
  }

  /** Returns whether the pipeline knows the secret of the service. */
  async isSecretCurrent(): Promise<boolean> {
    const { code, out } = await this.sms('webhook', 'status');
    return code === 0 && !out.includes('not the one at the SMS service');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sender.close();
    await this.pipeline.stop();
  }
}

/** Kills a process, or finds it gone. */
export function endProcess(pid: number): void {
  signalProcess(pid, 'SIGKILL');
}

/** Ends, kills, stops or continues a process, or finds it gone; a negative id is that of a process group. */
export function signalProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
