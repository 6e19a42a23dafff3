import { isObject, parseJson } from '../../../contract/text/json.ts';

/** What ingest reports to setup about signatures that matched no stored secret. */
export interface MismatchSignal {
  /** Mismatches of one instance since its last signal. */
  readonly mismatches: number;
  /** Whether the service may sign with a secret that is not stored, so that setup should ask the service. */
  readonly isBurst: boolean;
  /** Whether a rotation is under way: requests wait for the service's answer. */
  readonly isRotating: boolean;
}

/** Returns the text of a queue message. */
export function encodeSignal(signal: MismatchSignal): string {
  return JSON.stringify({ version: 1, ...signal });
}

/** Parses the text that {@link encodeSignal} wrote; returns undefined for anything else. */
export function decodeSignal(text: string): MismatchSignal | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { mismatches, isBurst, isRotating } = value;
  if (typeof mismatches !== 'number' || !Number.isSafeInteger(mismatches) || mismatches < 1) return undefined;
  if (typeof isBurst !== 'boolean' || typeof isRotating !== 'boolean') return undefined;
  return { mismatches, isBurst, isRotating };
}
