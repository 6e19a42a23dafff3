import type { Clock } from '../runtime/clock.ts';

/** What ingest tells setup about signatures that fitted no secret it knows, and requests it captured; holds nothing of them. */
export interface MismatchSignal {
  /** Mismatches of one instance since its last signal. */
  readonly mismatches: number;
  /** Whether they look as if the service signed with a secret that is not stored: worth asking the service. */
  readonly isBurst: boolean;
  /** Whether a rotation's mark stands: requests wait for what the service says. */
  readonly isRotating: boolean;
  /** Requests it captured since; only where there are any. */
  readonly captured?: number;
  /** Requests it refused since although a capture was on; only where there are any. */
  readonly leftOut?: number;
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
  /** The same of a request that was captured. @param isMismatch whether its signature fitted no secret */
  captured(isMismatch: boolean): MismatchSignal | undefined;
}

/** @param takeLeftOut gives how many requests a capture left out since the last call */
export function createMismatchWatch(clock: Clock, takeLeftOut = () => 0): MismatchWatch {
  let inARow = 0;
  let untold = 0;
  let untoldCaptured = 0;
  let lastVerifiedAt = clock();
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  let lastBurstSignalAt = Number.NEGATIVE_INFINITY;
  /** What the last signal of the burst that goes on said of the mark; undefined where none goes on. */
  let burstTold: { readonly isRotating: boolean } | undefined;

  function tell(isBurst: boolean, isRotating: boolean): MismatchSignal {
    const captured = untoldCaptured > 0 ? { captured: untoldCaptured } : {};
    const leftOut = takeLeftOut();
    const signal = {
      ...{ mismatches: untold, isBurst, isRotating, ...captured },
      ...(leftOut > 0 && { leftOut }),
    };
    untold = untoldCaptured = 0;
    lastSignalAt = clock();
    return signal;
  }

  const watch: MismatchWatch = {
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
      // What was captured has to be added up before it is too much.
      const intervalMs = isBurst || untoldCaptured > 0 ? burstIntervalMs : calmIntervalMs;
      // A burst that begins is told at once, whatever was told before: the secret may have changed again. So does one that
      // outlives the mark: what was told under the mark may have been put down to the rotation that has ended.
      const isNew = isBurst && burstTold?.isRotating !== isRotating;
      const isDue = isNew ? now - lastBurstSignalAt >= newBurstIntervalMs : now - lastSignalAt >= intervalMs;
      if (!isDue) return undefined;
      burstTold = isBurst ? { isRotating } : undefined;
      if (isBurst) lastBurstSignalAt = now;
      return tell(isBurst, isRotating);
    },
    captured(isMismatch) {
      untoldCaptured += 1;
      if (isMismatch) return watch.mismatched(false);
      return clock() - lastSignalAt >= burstIntervalMs ? tell(false, false) : undefined;
    },
  };
  return watch;
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
  const captured = 'captured' in value ? value.captured : 0;
  const leftOut = 'leftOut' in value ? value.leftOut : 0;
  if (!isCount(mismatches) || !isCount(captured) || !isCount(leftOut)) return undefined;
  if (mismatches + captured === 0) return undefined;
  return typeof isBurst === 'boolean' && typeof isRotating === 'boolean'
    ? {
        ...{ mismatches, isBurst, isRotating },
        ...(captured > 0 && { captured }),
        ...(leftOut > 0 && { leftOut }),
      }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
