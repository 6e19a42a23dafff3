import type { Clock } from '../clock.ts';

/** What ingest tells setup about signatures that fitted no secret it knows; holds nothing of the requests. */
export interface MismatchSignal {
  /** Mismatches of one instance since its last signal. */
  readonly mismatches: number;
  /** Whether they look as if the service signed with a secret that is not stored: worth asking the service. */
  readonly isBurst: boolean;
  /** Whether a rotation's mark stands: requests wait for what the service says. */
  readonly isRotating: boolean;
}

/** So many mismatches in a row, without one request that was verified, are a burst. */
const burstLength = 20;
/** Where nothing was verified for so long, a single mismatch is a burst: there may be no second one for hours. */
const quietMs = 60_000;
/** The shortest time between two signals of one instance: while it is a burst, and otherwise. */
const burstIntervalMs = 5_000;
const calmIntervalMs = 60_000;
/** And between the signals of two bursts: with a verified request between them, or a mark that came or went. */
const newBurstIntervalMs = 1_000;

/** Decides, request by request, when an instance of ingest has something to tell. */
export interface MismatchWatch {
  verified(): void;
  /** @returns the signal that is due now, if one is */
  mismatched(isRotating: boolean): MismatchSignal | undefined;
}

export function createMismatchWatch(clock: Clock): MismatchWatch {
  let inARow = 0;
  let untold = 0;
  let lastVerifiedAt = clock();
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  let lastBurstSignalAt = Number.NEGATIVE_INFINITY;
  /** What the last signal of the burst that goes on said of the mark; undefined where none goes on. */
  let burstTold: { readonly isRotating: boolean } | undefined;

  return {
    verified() {
      inARow = 0;
      burstTold = undefined;
      lastVerifiedAt = clock();
    },
    mismatched(isRotating) {
      const now = clock();
      inARow += 1;
      untold += 1;
      const isBurst = inARow >= burstLength || now - lastVerifiedAt >= quietMs;
      const intervalMs = isBurst ? burstIntervalMs : calmIntervalMs;
      // A burst that begins is told at once, whatever was told before: the secret may have changed again. So does one that
      // outlives the mark: what was told under the mark may have been put down to the rotation that has ended.
      const isNew = isBurst && burstTold?.isRotating !== isRotating;
      const isDue = isNew ? now - lastBurstSignalAt >= newBurstIntervalMs : now - lastSignalAt >= intervalMs;
      if (!isDue) return undefined;
      const signal = { mismatches: untold, isBurst, isRotating };
      untold = 0;
      lastSignalAt = now;
      burstTold = isBurst ? { isRotating } : undefined;
      if (isBurst) lastBurstSignalAt = now;
      return signal;
    },
  };
}

/** The text of a queue message. */
export function encodeSignal(signal: MismatchSignal): string {
  return JSON.stringify({ version: 1, ...signal });
}

/** Reads what {@link encodeSignal} wrote; undefined for anything else. */
export function decodeSignal(text: string): MismatchSignal | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('mismatches' in value && 'isBurst' in value && 'isRotating' in value)) return undefined;
  const { mismatches, isBurst, isRotating } = value;
  if (typeof mismatches !== 'number' || !Number.isSafeInteger(mismatches) || mismatches < 1) return undefined;
  return typeof isBurst === 'boolean' && typeof isRotating === 'boolean'
    ? { mismatches, isBurst, isRotating }
    : undefined;
}
