import { setTimeout as delay } from 'node:timers/promises';
import { bringForward } from './bring-forward.ts';
import { findAll } from './found.ts';
import { type Broken, judge } from './judge.ts';
import type { Scene } from './scene.ts';

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
