import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Fault, FaultKind } from './fault-control.ts';
import type { Part } from './parts.ts';
import type { Scene } from './scene.ts';

/** How a fault comes, by chance. */
export interface Course {
  /** So many calls go well first. */
  readonly after: number;
  /** So many are spoiled; null: all, as long as the fault stands. */
  readonly calls: number | null;
  /** How long the fault stands after it was met, in milliseconds. */
  readonly heldMs: number;
}

/** An outage of up to two seconds, perhaps beginning between two calls, or one or two calls that fail and no more. */
export function courseBy(random: () => number): Course {
  const after = random() < 0.3 ? 1 : 0;
  const isOutage = random() < 0.6;
  return {
    after,
    calls: isOutage ? null : 1 + Math.floor(random() * 2),
    heldMs: isOutage ? Math.floor(random() * 2000) : 0,
  };
}

/** How long a round of traffic may take to meet the fault. */
const roundMs = 8_000;

/** A queue that is polled, and a message that waits, come late; a fault that was met by none in so many rounds is none. */
const mostRounds = 8;

/**
 * Lets calls go wrong until the fault has met some, and mends it; resolves when all that was sent meanwhile is acknowledged.
 *
 * @returns how many calls were spoiled
 * @throws Error where the fault met no call, or something was never acknowledged
 */
export async function runCell(
  scene: Scene,
  part: Part,
  { cell, kind, course }: { readonly cell: string; readonly kind: FaultKind; readonly course: Course },
): Promise<number> {
  const { faults } = scene;
  const { after, calls, heldMs } = course;
  const fault: Fault = {
    ...(part.service !== 'sms-service' && { caller: part.caller }),
    service: part.service,
    kind,
    after: part.isCalledOnce ? 0 : after,
    calls,
  };
  await part.prepare?.(scene, cell);
  await faults.set(part.besides ? [fault, part.besides] : [fault]);
  const sent: Promise<void>[] = [];
  let hit = 0;
  try {
    for (let round = 1; round <= mostRounds && hit === 0; round++) {
      sent.push(part.stimulate(scene, cell));
      // What fails is heard of below; until then nobody is to take it for forgotten.
      sent.at(-1)?.catch(() => {});
      hit = await hitWithin(roundMs);
    }
    if (hit > 0 && kind === 'hang' && !part.caller.endsWith('poller')) {
      await until('the caller gives up', async () => (await faults.counts()).abandoned > 0, 60_000);
    }
    await delay(heldMs);
    hit = (await faults.counts()).hit;
  } finally {
    await faults.clear();
  }
  await part.recover?.(scene, cell);
  await Promise.all(sent);
  if (hit === 0) throw new Error('the fault met no call');
  return hit;

  async function hitWithin(ms: number): Promise<number> {
    const enough = calls === null ? 2 : 1;
    const end = Date.now() + ms;
    for (;;) {
      const { hit: now } = await faults.counts();
      if (now >= enough || Date.now() > end) return now;
      await delay(50);
    }
  }
}
