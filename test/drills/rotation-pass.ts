import { setTimeout as delay } from 'node:timers/promises';
import type { PostResult } from '../../local/sms-service/poster.ts';
import { startLocalPipeline } from '../support/local-pipeline.ts';
import { until } from '../support/until.ts';
import { startForger } from './forger.ts';
import { everySecret, findLeaks, outputOf } from './leaks.ts';
import { type DrillEvent, type SendSummary, sandboxAt } from './sandbox.ts';
import { smsCommand } from './sms-command.ts';
import { readStored } from './stored.ts';

/** One thing that happens to the secret while events come. */
export interface Incident {
  readonly atSecond: number;
  readonly kind: 'rotate' | 'rotate elsewhere' | 'rotate and kill setup';
  /** How long the service goes on signing with the old secret; 0: it switches instantly. */
  readonly oldSecretForSeconds: number;
}

export interface PassOptions {
  readonly park: 'rotating' | 'always';
  readonly seconds: number;
  readonly genuinePerSecond: number;
  readonly forgedPerSecond: number;
  readonly incidents: readonly Incident[];
  readonly say: (line: string) => void;
}

/** What a pass measured. */
export interface PassResult {
  readonly sent: number;
  readonly acknowledged: number;
  /** Milliseconds from a rotation elsewhere to the first and the last event refused after it. */
  readonly refused: readonly {
    readonly status: number | string;
    readonly afterRotationElsewhereMs: number;
  }[];
  /** Acknowledged events that are in history, exactly once. */
  readonly stored: number;
  /** Events in history more than once, or that were never acknowledged. */
  readonly unexpected: number;
  readonly quarantinedGenuine: number;
  readonly forgedAnswers: ReadonlyMap<PostResult, number>;
  readonly forgedStored: number;
  readonly quarantinedForged: number;
  readonly deadLetters: number;
  /** From the end of sending until nothing waited any more, seconds. */
  readonly drainSeconds: number;
  readonly rotations: number;
  readonly leaks: readonly string[];
}

/** Large batches: on a small machine the database must leave the webhook its share of the processors. */
const settings = {
  'sms:workerBatchSize': 3000,
  'sms:workerBatchWindowSeconds': 15,
  'sms:workerTimeoutSeconds': 60,
  'sms:workerMaximumConcurrency': 2,
};

/** Forged requests begin a little later: an instance that has seen nothing genuine yet takes them for a rotation. */
const forgerStartMs = 2_000;
const drainDeadlineMs = 600_000;
const reconcileEveryMs = 10_000;

/** Runs the pipeline, sends genuine and forged events through it while its secret changes, and counts what became of them. */
export async function rotationPass(options: PassOptions): Promise<PassResult> {
  const { say } = options;
  const pipeline = await startLocalPipeline({ ...settings, 'sms:parkUnverified': options.park });
  try {
    const commands: string[] = [];
    const sms = async (...args: string[]) => {
      const { code, output } = await smsCommand(pipeline.directory, args);
      commands.push(output);
      return { code, output };
    };
    const sandbox = sandboxAt(`http://127.0.0.1:${pipeline.port + 1}`);
    const events = eventsOf(options.genuinePerSecond * options.seconds);
    const startedAt = Date.now();
    const elsewhereAt: number[] = [];
    const sending = sandbox.send(events, options.genuinePerSecond);
    await delay(forgerStartMs);
    const forger = startForger(pipeline.webhookUrl, options.forgedPerSecond);

    for (const { atSecond, kind, oldSecretForSeconds } of options.incidents) {
      await delay(Math.max(0, startedAt + atSecond * 1000 - Date.now()));
      say(`  ${String(atSecond).padStart(3)} s  ${kind}, ${switching(oldSecretForSeconds)}`);
      const faults = { oldSecretForMs: oldSecretForSeconds * 1000 };
      await sandbox.setFaults(faults);
      if (kind === 'rotate elsewhere') {
        elsewhereAt.push(Date.now());
        await sandbox.rotateElsewhere();
      } else if (kind === 'rotate') {
        const { code, output } = await sms('webhook', 'rotate', '--force');
        if (code !== 0) throw new Error(`webhook rotate failed: ${output}`);
      } else {
        await sandbox.setFaults({ ...faults, answerDelayMs: 5_000 });
        const before = await sandbox.rotations();
        const rotating = sms('webhook', 'rotate', '--force');
        await until('the service has rotated', async () => (await sandbox.rotations()) > before || undefined);
        for (const pid of pipeline.processes('setup')) process.kill(pid, 'SIGKILL');
        if ((await rotating).code !== 1) throw new Error('webhook rotate survived its own end');
        await sandbox.setFaults(faults);
      }
    }

    const summary = await sending;
    const forgedAnswers = await forger.stop();
    const sendingEndedAt = Date.now();
    say('        all sent; waiting until nothing is parked any more');
    await drain(pipeline.outputs.EventsQueueUrl);
    const drainSeconds = (Date.now() - sendingEndedAt) / 1000;
    await sms('webhook', 'status');

    const stored = await readStored(pipeline);
    const refused = new Set(summary.failed.map(({ event }) => event));
    const acknowledged = events.filter((_, index) => !refused.has(index)).map(nameOf);
    const storedOnce = acknowledged.filter((name) => stored.genuine.get(name) === 1).length;
    const inHistory = [...stored.genuine.values()].reduce((sum, count) => sum + count, 0);
    const { waiting, inFlight } = await pipeline.queueDepth(pipeline.outputs.DeadLetterQueueUrl);
    const places = outputOf(pipeline).set('the command line', commands.join('\n'));
    return {
      sent: summary.sent,
      acknowledged: acknowledged.length,
      refused: refusals(summary, elsewhereAt),
      stored: storedOnce,
      unexpected: inHistory - storedOnce,
      quarantinedGenuine: stored.quarantinedGenuine,
      forgedAnswers,
      forgedStored: stored.forged,
      quarantinedForged: stored.quarantinedForged,
      deadLetters: waiting + inFlight,
      drainSeconds,
      rotations: await sandbox.rotations(),
      leaks: findLeaks(places, await everySecret(pipeline)),
    };

    /** The reconciling of the schedule, only more often: nobody wants to watch this for ten minutes. */
    async function drain(queueUrl: string | undefined): Promise<void> {
      for (const deadline = Date.now() + drainDeadlineMs; ; await delay(reconcileEveryMs)) {
        const depth = await pipeline.queueDepth(queueUrl);
        if (depth.waiting + depth.inFlight === 0) return;
        if (Date.now() > deadline) throw new Error('requests are still parked');
        await sms('webhook', 'reconcile');
      }
    }
  } finally {
    await pipeline.stop();
  }
}

/** Three events a message, one after the other. */
function eventsOf(count: number): DrillEvent[] {
  const statuses = ['queued', 'sent', 'delivered'];
  return Array.from({ length: count }, (_, index) => ({
    kind: 'sms.status',
    fields: {
      messageId: `drill-${Math.floor(index / 3)}`,
      recipient: '+12025550143',
      status: statuses[index % 3] ?? '',
      occurredAt: new Date(Date.UTC(2026, 0, 15, 12, 0, index % 3)).toISOString(),
    },
  }));
}

function nameOf({ fields }: DrillEvent): string {
  return `${fields.messageId} ${fields.status}`;
}

function refusals({ startedAt, failed }: SendSummary, elsewhereAt: readonly number[]) {
  return failed.map(({ status, at }) => {
    const time = Date.parse(startedAt) + at;
    const before = elsewhereAt.filter((rotatedAt) => rotatedAt <= time).at(-1);
    return { status, afterRotationElsewhereMs: before === undefined ? Number.NaN : time - before };
  });
}

function switching(seconds: number): string {
  return seconds === 0
    ? 'the service switches instantly'
    : `the service signs with the old secret for ${seconds} s more`;
}
