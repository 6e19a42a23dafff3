import * as z from 'zod';
import type { WebhookState } from '../webhook-state-store.ts';
import { decodeSignal, type MismatchSignal } from './mismatch-signal.ts';
import type { UnconnectedPorts } from './request.ts';

type SignalPorts = Pick<UnconnectedPorts, 'state' | 'clock' | 'log'>;

const signalBatch = z.object({
  Records: z.array(z.object({ eventSource: z.literal('aws:sqs'), body: z.string() })).min(1),
});

/** Returns the signals of a batch of the signals queue without the unreadable ones; undefined for any other event. */
export function parseSignals(event: unknown): MismatchSignal[] | undefined {
  const batch = signalBatch.safeParse(event);
  return batch.data?.Records.flatMap(({ body }) => decodeSignal(body) ?? []);
}

/** The minimum time between two reconciles for mismatches. It is shorter during a rotation, because parked requests wait for it. */
const turns = {
  mismatches: { name: 'reconcileForMismatches', intervalMs: 60_000 },
  rotating: { name: 'reconcileForRotation', intervalMs: 10_000 },
} as const;

/** After this time without a verified request a single mismatch counts as a burst: a new instance of ingest may see no second one. */
const quietMs = 150_000;

/** Counts the mismatches that instances of ingest report. @returns whether to reconcile now */
export async function takeSignals(
  signals: readonly MismatchSignal[],
  { state, clock, log }: SignalPorts,
): Promise<boolean> {
  const mismatches = signals.reduce((sum, signal) => sum + signal.mismatches, 0);
  if (mismatches === 0) return false;
  const now = clock();
  await state.addMismatches(mismatches, now);
  const isBurst = signals.some((signal) => signal.isBurst);
  const isRotating = signals.some((signal) => signal.isRotating);
  log('MISMATCHES_REPORTED', { mismatches, isBurst, isRotating });
  if (!isBurst && !isRotating && !isQuiet(await state.read(), now)) return false;
  const turn = isRotating ? turns.rotating : turns.mismatches;
  return state.takeTurn(turn.name, turn.intervalMs, now);
}

function isQuiet({ lastVerifiedAt }: WebhookState, now: number): boolean {
  return lastVerifiedAt !== undefined && now - Date.parse(lastVerifiedAt) >= quietMs;
}
