import { setTimeout as delay } from 'node:timers/promises';
import { findAll } from './found.ts';
import { type Broken, judge } from './judge.ts';
import type { Scene } from './scene.ts';

/** What a process held that died comes again after its visibility timeout; a message that waits for the service, minutes later. */
const patienceMs = 360_000;

const pauseMs = 2_000;

/** Waits until nothing is in a queue any more and all that was promised holds. What still does not after six minutes is told. */
export async function settle(scene: Scene): Promise<Broken[]> {
  const { pipeline, bus, ledger } = scene;
  const { EventsQueueUrl, DeadLetterQueueUrl, OptOutQueueUrl, OptOutDeadLetterQueueUrl } = pipeline.outputs;
  const unpublished = new Set<string>();
  // The proof that what is parked is forged is an answer of the service that came later.
  await scene.reconcileUntilGood();
  for (const deadline = Date.now() + patienceMs; ; await delay(pauseMs)) {
    const waiting = {
      'events queue': await depth(EventsQueueUrl),
      'dead-letter queue': await depth(DeadLetterQueueUrl),
      'queue of the opt-outs': await depth(OptOutQueueUrl),
      'dead-letter queue of the opt-outs': await depth(OptOutDeadLetterQueueUrl),
    };
    const found = await findAll(pipeline);
    for (const key of found.unpublished) unpublished.add(key);
    const broken = judge(ledger, {
      found: { ...found, unpublished: [...unpublished] },
      published: await bus.published(),
      contacts: await scene.contacts(),
      waiting,
    });
    if (broken.length === 0 || Date.now() > deadline) return broken;
  }

  async function depth(url: string | undefined): Promise<number> {
    const { waiting, inFlight } = await pipeline.queueDepth(url);
    return waiting + inFlight;
  }
}
