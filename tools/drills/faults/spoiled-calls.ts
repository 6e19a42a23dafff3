import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultKind, Service } from '../../engine/fault-control.ts';
import type { Incident } from '../../engine/incident.ts';
import { until } from '../../support/until.ts';
import type { Scene } from './scene.ts';

/** Calls of one caller, and how to make it call. */
export interface Part {
  readonly stage: 'ingest' | 'worker' | 'publisher' | 'setup' | 'automations';
  readonly service: Service;
  /** A function's label, or `<label> poller` for what Lambda calls in its name; of the SMS service who is made to call it. */
  readonly caller: string;
  /** As the service calls it; of the SMS service method and path. */
  readonly operation: string;
  /** Another fault that is needed for the call to be made at all. */
  readonly besides?: Fault;
  /** Made once by a process, or again and again while nothing is there: the fault comes at once and stays for a while. */
  readonly isHeld?: boolean;
  /** Done once, before anything goes wrong. */
  prepare?(scene: Scene, cell: string): Promise<void>;
  /** Makes the caller call; may come back only when the fault is gone. Done again until the fault has met a call. */
  stimulate(scene: Scene, cell: string): Promise<void>;
  /** Runs after the fault, for recoveries that need a trigger. */
  recover?(scene: Scene, cell: string): Promise<void>;
}

/** Returns the name of calls. The gateway does not know the caller of the SMS service: the fault hits any caller. */
function partName({ caller, service, operation }: Part): string {
  return `${caller}${service === 'sms-service' ? ' (or any)' : ''} > ${service} ${operation}`;
}

/** Lets calls go wrong until the fault has met some, and removes it. It happened as often as calls were spoiled. */
export function spoil(part: Part, kind: FaultKind): Incident<Scene> {
  return {
    name: `${part.stage}: ${partName(part)} ${kind}`,
    happen: (scene, { cell, random }) => spoilCalls(scene, part, { cell, kind, random }),
  };
}

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

async function spoilCalls(
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
      await untilHit();
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

  async function untilHit(): Promise<void> {
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
