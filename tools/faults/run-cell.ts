import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Part } from './parts.ts';
import type { Fault, FaultKind } from './scene/fault-control.ts';
import type { Scene } from './scene/scene.ts';

/** How a fault comes, by chance. */
interface Course {
  /** So many calls go well first. */
  readonly after: number;
  /** So many are spoiled; null: all, as long as the fault stands. */
  readonly calls: number | null;
  /** How long the fault stands after it was met, in milliseconds. */
  readonly heldMs: number;
}

/**
 * An outage of one to three seconds after it was met, which the SDK's own retries do not outlast; it may begin between two calls.
 * Single calls that fail are the SDK's to repeat; only one that was done and not answered, and is done again then, can harm.
 */
function courseOf({ isHeld }: Part, kind: FaultKind, random: () => number): Course {
  if (isHeld) return { after: 0, calls: null, heldMs: 3000 };
  const after = random() < 0.3 ? 1 : 0;
  if (kind === 'drop' && random() < 0.5) return { after, calls: 1, heldMs: 0 };
  return { after, calls: null, heldMs: 1000 + Math.floor(random() * 2000) };
}

/** How long a round of traffic may take to meet the fault. */
const roundMs = 8_000;

/** A message that waits comes late; a fault that was met by none in so many rounds is none. */
const maxRounds = 8;

/**
 * Lets calls go wrong until the fault has met some, and removes it; resolves when all requests sent meanwhile are acknowledged.
 *
 * @returns how many calls were spoiled
 * @throws Error where the fault met no call, or something was never acknowledged
 */
export async function runCell(
  scene: Scene,
  part: Part,
  { cell, kind, random }: { readonly cell: string; readonly kind: FaultKind; readonly random: () => number },
): Promise<number> {
  const { faults } = scene;
  const { service, operation, besides } = part;
  const { heldMs, ...course } = courseOf(part, kind, random);
  const caller = service === 'sms-service' ? {} : { caller: part.caller };
  const fault: Fault = { ...caller, service, operation, kind, ...course };
  await part.prepare?.(scene, cell);
  const startedBefore = await timesStarted();
  const sent: Promise<void>[] = [];
  let hit = 0;
  try {
    await faults.set(besides ? [fault, besides] : [fault]);
    try {
      await spoil();
    } finally {
      await faults.clear();
    }
    await part.recover?.(scene, cell);
  } finally {
    // Nothing goes on into the next cell.
    await Promise.allSettled(sent);
  }
  await Promise.all(sent);
  if (hit === 0) throw new Error('the fault met no call');
  return hit;

  async function spoil(): Promise<void> {
    for (let round = 1; round <= maxRounds && hit === 0; round++) {
      sent.push(part.stimulate(scene, cell));
      // The failure is handled above; this only prevents an unhandled rejection until then.
      sent.at(-1)?.catch(() => {});
      hit = await hitWithin(roundMs, course.calls ?? 2);
    }
    if (hit === 0) return;
    if (kind === 'hang')
      await until('the caller gives up', async () => (await faults.counts()).abandoned > 0, 60_000);
    await delay(heldMs);
    hit = (await faults.counts()).hit;
  }

  /** The gateway does not know the caller of the SMS service: the intended caller must at least have started. */
  async function timesStarted(): Promise<number> {
    return service === 'sms-service' ? (await faults.functionCounts(part.caller)).invocations : 0;
  }

  async function hitWithin(ms: number, enough: number): Promise<number> {
    const end = Date.now() + ms;
    for (;;) {
      const isItsOwn = service !== 'sms-service' || (await timesStarted()) > startedBefore;
      const now = isItsOwn ? (await faults.counts()).hit : 0;
      if (now >= enough || Date.now() > end) return now;
      await delay(50);
    }
  }
}
