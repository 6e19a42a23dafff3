import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultKind, Service } from '../../engine/fault-control.ts';
import type { Incident } from '../../engine/incident.ts';
import { until } from '../../support/until.ts';
import type { Scene } from './scene.ts';

/** One operation that one caller calls, and how the drill makes it call. */
export interface Part {
  readonly stage: 'ingest' | 'worker' | 'publisher' | 'setup' | 'automations';
  readonly service: Service;
  /** A function's label, or `<label> poller` if Lambda calls in the function's name. For the SMS service it is the function that is made to call. */
  readonly caller: string;
  /** The name that the service gives it. For the SMS service it is the method and the path. */
  readonly operation: string;
  /** Another fault, without which the caller does not make the call. */
  readonly neededFault?: Fault;
  /** Whether a process makes the call only once, or repeats it while it waits. Then the fault begins with the first call and lasts three seconds. */
  readonly isHeld?: boolean;
  /** Runs once, before the fault begins. */
  prepare?(scene: Scene, cell: string): Promise<void>;
  /** Makes the caller call. It may resolve only after the end of the fault. It runs again until the fault has hit a call. */
  stimulate(scene: Scene, cell: string): Promise<void>;
  /** Runs after the fault, if the pipeline needs a trigger to recover. */
  recover?(scene: Scene, cell: string): Promise<void>;
}

/** Returns the name of a part. The gateway does not know who calls the SMS service, so a fault there hits every caller. */
function partName({ caller, service, operation }: Part): string {
  return `${caller}${service === 'sms-service' ? ' (or any)' : ''} > ${service} ${operation}`;
}

/** Makes an incident that spoils calls until the fault has hit some, and then removes the fault. It returns how many calls were spoiled. */
export function spoil(part: Part, kind: FaultKind): Incident<Scene> {
  return {
    name: `${part.stage}: ${partName(part)} ${kind}`,
    happen: (scene, { cell, random }) => spoilCalls(scene, part, { cell, kind, random }),
  };
}

/** When a fault begins and ends. */
interface Course {
  /** The number of calls that succeed first. */
  readonly after: number;
  /** The number of calls that are spoiled; null for all calls until the fault is removed. */
  readonly calls: number | null;
  /** How long the fault lasts after its first hit, in milliseconds. */
  readonly heldMs: number;
}

/**
 * Draws the course of a fault. Usually it is an outage that lasts one to three seconds after its first hit. The retries of the SDK end before
 * that. It may begin after a call that succeeded. The SDK retries single failed calls, so those are not tried, with one exception: a single
 * call that the service executes and does not answer, which the retry executes twice.
 */
function courseOf({ isHeld }: Part, kind: FaultKind, random: () => number): Course {
  if (isHeld) return { after: 0, calls: null, heldMs: 3000 };
  const after = random() < 0.3 ? 1 : 0;
  if (kind === 'drop' && random() < 0.5) return { after, calls: 1, heldMs: 0 };
  return { after, calls: null, heldMs: 1000 + Math.floor(random() * 2000) };
}

/** How long the calls of one round may take to reach the fault. */
const roundMs = 8_000;

/** A message in a queue may reach its function some rounds later. If the fault has hit no call after this many rounds, the part is wrong. */
const maxRounds = 8;

async function spoilCalls(
  scene: Scene,
  part: Part,
  { cell, kind, random }: { readonly cell: string; readonly kind: FaultKind; readonly random: () => number },
): Promise<number> {
  const { faults } = scene;
  const { service, operation, neededFault } = part;
  const { heldMs, ...course } = courseOf(part, kind, random);
  const caller = service === 'sms-service' ? {} : { caller: part.caller };
  const fault: Fault = { ...caller, service, operation, kind, ...course };
  await part.prepare?.(scene, cell);
  const startedBefore = await timesStarted();
  const sent: Promise<void>[] = [];
  let hit = 0;
  try {
    await faults.set(neededFault ? [fault, neededFault] : [fault]);
    try {
      await untilHit();
    } finally {
      await faults.clear();
    }
    await part.recover?.(scene, cell);
  } finally {
    // No stimulus may continue during the next cell.
    await Promise.allSettled(sent);
  }
  await Promise.all(sent);
  if (hit === 0) throw new Error('the fault hit no call');
  return hit;

  async function untilHit(): Promise<void> {
    for (let round = 1; round <= maxRounds && hit === 0; round++) {
      sent.push(part.stimulate(scene, cell));
      // `spoilCalls` awaits the failure. This prevents an unhandled rejection until then.
      sent.at(-1)?.catch(() => {});
      hit = await hitWithin(roundMs, course.calls ?? 2);
    }
    if (hit === 0) return;
    if (kind === 'hang')
      await until('the caller gives up', async () => (await faults.counts()).abandoned > 0, 60_000);
    await delay(heldMs);
    hit = (await faults.counts()).hit;
  }

  /** The gateway does not know who calls the SMS service. So a hit counts only if the intended caller has started since. */
  async function timesStarted(): Promise<number> {
    return service === 'sms-service' ? (await faults.functionCounts(part.caller)).invocations : 0;
  }

  async function hitWithin(ms: number, enough: number): Promise<number> {
    const end = Date.now() + ms;
    for (;;) {
      const mayBeCaller = service !== 'sms-service' || (await timesStarted()) > startedBefore;
      const now = mayBeCaller ? (await faults.counts()).hit : 0;
      if (now >= enough || Date.now() > end) return now;
      await delay(50);
    }
  }
}
