import { setTimeout as delay } from 'node:timers/promises';
import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { findAll, waitingMessages } from './found.ts';
import { type Broken, type Evidence, judge, type Promises } from './judge.ts';
import { everySecret, findLeaks, outputOf } from './leaks.ts';
import type { Run } from './run.ts';

const pauseMs = 2_000;
const reconcileEveryMs = 10_000;

/** How a pipeline is waited for. */
interface Patience {
  /**
   * How long nothing may get better, in milliseconds: what a dead process held is redelivered after its visibility timeout, what waits
   * for the service minutes later.
   */
  readonly patienceMs: number;
  /** Functions that must have logged something, or the search for secrets proves nothing. */
  readonly mustHaveLogged: readonly string[];
}

/** What is left when nothing happens any more. */
export interface Settled {
  readonly broken: readonly Broken[];
  readonly evidence: Evidence;
  /** From the call until no queue held anything, seconds. */
  readonly quietAfterSeconds: number;
}

/**
 * Waits until no queue but the signals' holds anything, and all promises hold, twice in a row; otherwise until nothing has got better for
 * as long as the patience is.
 */
export async function settle(
  run: Run,
  promises: Promises,
  { patienceMs, mustHaveLogged }: Patience,
): Promise<Settled> {
  const { pipeline, ledger } = run;
  const unpublished = new Set<string>();
  const givenUp = new Set<string>();
  const startedAt = Date.now();
  let quietAfterSeconds = Number.NaN;
  let deadline = startedAt + patienceMs;
  let fewest = Number.POSITIVE_INFINITY;
  let reconciledAt = 0;
  for (let good = 0; ; await delay(pauseMs)) {
    // The proof that what is parked is forged is an answer of the service that came later.
    if (Date.now() - reconciledAt > reconcileEveryMs && (reconciledAt === 0 || (await run.backlog()) > 0)) {
      await run.reconcileUntilGood();
      reconciledAt = Date.now();
    }
    await bringAutomationsForward(pipeline, deadline);
    // Before the tables: what is in no queue any more is in them.
    const waiting = await waitingMessages(pipeline);
    const left = waiting.values().reduce((sum, count) => sum + count, 0);
    if (left > 0) {
      good = 0;
      if (left < fewest) deadline = Date.now() + patienceMs;
      fewest = Math.min(fewest, left);
      if (Date.now() <= deadline) continue;
    } else if (Number.isNaN(quietAfterSeconds)) quietAfterSeconds = (Date.now() - startedAt) / 1000;
    const found = await findAll(pipeline);
    for (const key of found.unpublished) unpublished.add(key);
    for (const body of found.givenUp) givenUp.add(body);
    const evidence: Evidence = {
      found: { ...found, unpublished: [...unpublished], givenUp: [...givenUp] },
      published: await run.readBus(),
      contacts: await run.sandbox.contacts(),
      waiting,
      leaks: [],
    };
    good = judge(ledger, evidence, promises).length === 0 ? good + 1 : 0;
    if (good < 2 && Date.now() <= deadline) continue;
    const output = outputOf(pipeline, mustHaveLogged).set('the command line', run.printed.join('\n'));
    const last = { ...evidence, leaks: findLeaks(output, await everySecret(pipeline)) };
    return { broken: judge(ledger, last, promises), evidence: last, quietAfterSeconds };
  }
}

const queuesSchema = z.array(z.object({ name: z.string() }));

const queueSchema = z.object({
  messages: z.object({
    inflight: z.array(z.object({ receiptHandle: z.string(), visibilityDeadline: z.number() })),
  }),
});

/**
 * Has the messages of the automations come now that are hidden until after a time: an automation that failed for minutes tries again only
 * an hour later. The worker must not hide anything for that long.
 *
 * @param time milliseconds since the epoch
 */
async function bringAutomationsForward({ port, sqs }: LocalPipeline, time: number): Promise<void> {
  const inspect = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port + 3}/_fauxqs/queues${path}`)).json();
  const queues = queuesSchema.parse(await inspect(''));
  for (const { name } of queues.filter((queue) => queue.name.includes('-Automations-'))) {
    const { messages } = queueSchema.parse(await inspect(`/${name}`));
    const QueueUrl = `http://127.0.0.1:${port + 3}/000000000000/${name}`;
    for (const { receiptHandle: ReceiptHandle, visibilityDeadline } of messages.inflight)
      if (visibilityDeadline > time)
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  }
}
