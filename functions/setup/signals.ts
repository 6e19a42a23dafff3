import * as z from 'zod';
import type { WebhookState, WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import { decodeSignal, type MismatchSignal } from '../webhook/envelope.ts';
import { type CapturePorts, countCaptured } from './capture.ts';

const signalBatch = z.object({
  Records: z.array(z.object({ eventSource: z.literal('aws:sqs'), body: z.string() })).min(1),
});

/** The signals of a batch of the signals queue; undefined for an event that is none. What is no signal is left out. */
export function parseSignals(event: unknown): MismatchSignal[] | undefined {
  const batch = signalBatch.safeParse(event);
  return batch.data?.Records.flatMap(({ body }) => decodeSignal(body) ?? []);
}

/** How often mismatches may have the service asked; more often while a rotation's mark stands and requests wait for it. */
const turns = {
  mismatches: { name: 'reconcileForMismatches', intervalMs: 60_000 },
  rotating: { name: 'reconcileForRotation', intervalMs: 10_000 },
} as const;

/** Where nothing was verified for so long a single mismatch counts: an instance that has just begun has no second one. */
const quietMs = 150_000;

function isQuiet({ lastVerifiedAt }: WebhookState, now: number): boolean {
  return lastVerifiedAt !== undefined && now - Date.parse(lastVerifiedAt) >= quietMs;
}

export interface SignalPorts extends CapturePorts {
  readonly state: CapturePorts['state'] & Pick<WebhookStateTable, 'addMismatches' | 'takeTurn' | 'read'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes down the mismatches and the captured requests that were told. @returns whether the service is to be asked now */
export async function takeSignals(signals: readonly MismatchSignal[], ports: SignalPorts): Promise<boolean> {
  const asksService = await takeMismatches(signals, ports);
  const sum = (name: 'captured' | 'leftOut') =>
    signals.reduce((total, signal) => total + (signal[name] ?? 0), 0);
  const count = { captured: sum('captured'), leftOut: sum('leftOut') };
  try {
    if (count.captured + count.leftOut > 0) await countCaptured(count, ports);
  } catch (error) {
    // A count that is not written down must not keep a rotation from being found now.
    ports.log('STATE_NOT_WRITTEN', { error: error instanceof Error ? error.name : 'unknown' });
  }
  return asksService;
}

async function takeMismatches(
  signals: readonly MismatchSignal[],
  { state, clock, log }: SignalPorts,
): Promise<boolean> {
  const mismatches = signals.reduce((sum, signal) => sum + signal.mismatches, 0);
  if (mismatches === 0) return false;
  const now = clock();
  await state.addMismatches(mismatches, now);
  const isBurst = signals.some((signal) => signal.isBurst);
  const isRotating = signals.some((signal) => signal.isRotating);
  log('MISMATCHES_TOLD', { mismatches, isBurst, isRotating });
  if (!isBurst && !isRotating && !isQuiet(await state.read(), now)) return false;
  const turn = isRotating ? turns.rotating : turns.mismatches;
  return state.takeTurn(turn.name, turn.intervalMs, now);
}
