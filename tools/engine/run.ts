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
  /** When the pipeline had stored the secret at the latest. */
  readonly storedBy: number;
}

/** A pipeline on this machine, the requests to it, the events that it published, and the actions of its operator and of the service. */
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
  /** Ids of the invocations during which a process was killed. */
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

  /** Ends the processes of a function, so that the next ones have no cached secret and no cached token. Returns their number. */
  async kill(label: string): Promise<number> {
    const pids = this.pipeline.processes(label);
    pids.forEach(endProcess);
    // A process that is still in the list may receive an invocation.
    const isGone = () => !this.pipeline.processes(label).some((pid) => pids.includes(pid));
    await until('they are gone', isGone, 60_000);
    return pids.length;
  }

  /** Rotates the service's secret and changes the webhook to another address, which the pipeline also answers. */
  async changeElsewhere(): Promise<void> {
    await this.sandbox.rotateElsewhere();
    await this.sandbox.changeUrl(`${this.pipeline.webhookUrl}?elsewhere`);
  }

  /** Makes the pipeline check for drift once. Returns whether the check succeeded. */
  async reconcile(): Promise<boolean> {
    const { code } = await this.sms('webhook', 'reconcile');
    return code === 0;
  }

  /** Makes the pipeline check for drift until the stored secret is that of the service. */
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

/** Kills a process, if it still runs. */
export function endProcess(pid: number): void {
  signalProcess(pid, 'SIGKILL');
}

/** Sends a signal to a process, if it still runs. A negative id is that of a process group. */
export function signalProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
