import { setTimeout as delay } from 'node:timers/promises';
import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { findAll } from './judge/found.ts';
import { type Broken, judge } from './judge/judge.ts';
import type { Scene } from './scene/scene.ts';

const queuesSchema = z.array(z.object({ name: z.string() }));

const queueSchema = z.object({
  messages: z.object({
    inflight: z.array(z.object({ receiptHandle: z.string(), visibilityDeadline: z.number() })),
  }),
});

/**
 * Has the messages come now that are hidden until after a time: an automation that failed for minutes tries again only an hour later.
 *
 * @param time milliseconds since the epoch
 */
async function bringForward({ port, sqs }: LocalPipeline, time: number): Promise<void> {
  const inspect = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port + 3}/_fauxqs/queues${path}`)).json();
  for (const { name } of queuesSchema.parse(await inspect(''))) {
    const { messages } = queueSchema.parse(await inspect(`/${name}`));
    const QueueUrl = `http://127.0.0.1:${port + 3}/000000000000/${name}`;
    for (const { receiptHandle, visibilityDeadline } of messages.inflight)
      if (visibilityDeadline > time)
        await sqs.send(
          new ChangeMessageVisibilityCommand({
            QueueUrl,
            ReceiptHandle: receiptHandle,
            VisibilityTimeout: 0,
          }),
        );
  }
}

const pauseMs = 2_000;

/**
 * Waits until nothing is in a queue any more, but for the signals', and all that was promised holds, twice in a row.
 *
 * @param patienceMs how long, in milliseconds: what a process held that died comes again after its visibility timeout, what waits for
 * the service minutes later
 * @returns what does not hold by then
 */
export async function settle(scene: Scene, patienceMs: number): Promise<Broken[]> {
  const { pipeline, bus, ledger } = scene;
  const unpublished = new Set<string>();
  const givenUp = new Set<string>();
  let good = 0;
  // The proof that what is parked is forged is an answer of the service that came later.
  await scene.reconcileUntilGood();
  for (const deadline = Date.now() + patienceMs; ; await delay(pauseMs)) {
    await bringForward(pipeline, deadline);
    const found = await findAll(pipeline);
    for (const key of found.unpublished) unpublished.add(key);
    for (const body of found.givenUp) givenUp.add(body);
    const broken = judge(ledger, {
      found: { ...found, unpublished: [...unpublished], givenUp: [...givenUp] },
      published: await bus.published(),
      contacts: await scene.contacts(),
    });
    good = broken.length === 0 ? good + 1 : 0;
    if (good === 2 || Date.now() > deadline) return broken;
  }
}
