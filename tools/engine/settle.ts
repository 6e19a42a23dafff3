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

/** How long to wait for a pipeline, and which logs it must have. */
interface Patience {
  /**
   * How long to wait without progress, in milliseconds. SQS redelivers the messages of a dead process after their visibility timeout, and
   * messages that wait for the service minutes later.
   */
  readonly patienceMs: number;
  /** The functions that must have logged something. Without that, the search for secrets proves nothing. */
  readonly mustHaveLogged: readonly string[];
}

/** The state of a pipeline that is idle. */
export interface Settled {
  readonly broken: readonly Broken[];
  readonly evidence: Evidence;
  /** The seconds from the call until all queues were empty. */
  readonly quietAfterSeconds: number;
}

/**
 * Waits until all queues except those of signals are empty and all promises are kept, twice in a row. Without progress it stops waiting after
 * `patienceMs`.
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
    // The worker rejects a parked request as forged only after setup has read the secret of the service again.
    if (Date.now() - reconciledAt > reconcileEveryMs && (reconciledAt === 0 || (await run.backlog()) > 0)) {
      await run.reconcileUntilGood();
      reconciledAt = Date.now();
    }
    await bringAutomationsForward(pipeline, deadline);
    // The queues are read before the tables. So a message that has left its queue is already in the tables.
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
 * Makes messages of the automations visible that are hidden until after a time. An automation that has failed for minutes retries only an hour
 * later. The worker must not hide messages for that long, so its queue is not changed.
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
