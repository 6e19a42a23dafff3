import { setTimeout as delay } from 'node:timers/promises';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { sandboxAt } from '../../support/sandbox.ts';
import { smsCommand } from '../../support/sms-command.ts';
import { countEvents, drillEvents, nameOf, refusals } from './count-events.ts';
import { everySecret, findLeaks, outputOf } from './leaks.ts';
import { forgerStartMs, type Load, sendUnderIncidents } from './load.ts';
import type { PassResult } from './pass-result.ts';
import { readStored } from './stored.ts';

export interface PassOptions extends Load {
  readonly park: 'rotating' | 'always';
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** Large batches: on a small machine the database must leave the webhook its share of the processors. */
const settings = {
  'sms:workerBatchSize': 3000,
  'sms:workerBatchWindowSeconds': 15,
  'sms:workerTimeoutSeconds': 60,
  'sms:workerMaximumConcurrency': 2,
};

/** The queue must become shorter within this time. */
const drainDeadlineMs = 600_000;
const reconcileEveryMs = 10_000;

/** Runs the pipeline, sends genuine and forged events through it while its secret changes, and counts the outcomes. */
export async function rotationPass(options: PassOptions): Promise<PassResult> {
  const { say, seconds, genuinePerSecond, forgedPerSecond, incidents } = options;
  const pipeline = await startLocalPipeline({ ...settings, 'sms:parkUnverified': options.park });
  try {
    const commands: string[] = [];
    const sms = async (...args: string[]) => {
      const outcome = await smsCommand(pipeline.directory, args);
      commands.push(outcome.out, outcome.err);
      return outcome;
    };
    const sandbox = sandboxAt(`http://127.0.0.1:${pipeline.port + 1}`);
    const events = drillEvents(genuinePerSecond * seconds);
    const load = await sendUnderIncidents(events, options, { pipeline, sandbox, sms, say });

    const sendingEndedAt = Date.now();
    say('        all sent; waiting until nothing is parked any more');
    await drain(pipeline.outputs.EventsQueueUrl);
    const drainSeconds = (Date.now() - sendingEndedAt) / 1000;
    await sms('webhook', 'status');

    const stored = await readStored(pipeline);
    const { waiting, inFlight } = await pipeline.queueDepth(pipeline.outputs.DeadLetterQueueUrl);
    const places = outputOf(pipeline, ['setup', 'ingest', 'worker']).set(
      'the command line',
      commands.join('\n'),
    );
    const { summary, sendingSeconds, forgedAnswers, control, elsewhere } = load;
    const failedNames = new Set(
      summary.failed.map(({ event }) => events[event]).map((event) => event && nameOf(event)),
    );
    return {
      planned: {
        sent: events.length,
        seconds,
        forged: forgedPerSecond * (seconds - forgerStartMs / 1000),
        rotations: incidents.length,
      },
      sent: summary.sent,
      sendingSeconds,
      ...countEvents(events, summary.failed, stored.genuine),
      refused: refusals(summary, elsewhere),
      quarantinedGenuine: stored.quarantinedGenuine.filter((name) => !failedNames.has(name)).length,
      forgedAnswers,
      forgedStored: stored.forged,
      quarantinedForged: stored.quarantinedForged,
      control: { ...control, stored: stored.control },
      deadLetters: waiting + inFlight,
      drainSeconds,
      rotations: await sandbox.rotations(),
      leaks: findLeaks(places, await everySecret(pipeline)),
    };

    /** Reconciles more often than the schedule, so that the drill does not take ten minutes. */
    async function drain(queueUrl: string | undefined): Promise<void> {
      let minDepth = Number.POSITIVE_INFINITY;
      for (let deadline = 0; ; await delay(reconcileEveryMs)) {
        const { waiting, inFlight } = await pipeline.queueDepth(queueUrl);
        const depth = waiting + inFlight;
        if (depth === 0) return;
        if (depth < minDepth) deadline = Date.now() + drainDeadlineMs;
        else if (Date.now() > deadline) throw new Error('requests are still parked');
        minDepth = Math.min(minDepth, depth);
        await sms('webhook', 'reconcile');
      }
    }
  } finally {
    await pipeline.stop();
  }
}
