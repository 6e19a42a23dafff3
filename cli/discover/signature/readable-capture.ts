import type { Capture } from '../../capture.ts';
import { isPlainHeader } from './plain-headers.ts';

/** A capture with what a search reads again and again. */
export interface ReadableCapture {
  readonly capture: Capture;
  /** By name in lower case, without those of the transport, empty ones, and credentials that were masked. */
  readonly headers: ReadonlyMap<string, string>;
  /** Credentials that were masked, by the header's name in lower case. */
  readonly masked: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch; undefined where nobody kept it. */
  readonly receivedAt: number | undefined;
}

const masked = /^masked:[^:]+:[0-9a-f]{64}$/;

export function readableCapture(capture: Capture): ReadableCapture {
  const told = Object.entries(capture.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => value !== '' && !isPlainHeader(name));
  return {
    capture,
    headers: new Map(told.filter(([, value]) => !masked.test(value))),
    masked: new Map(told.filter(([, value]) => masked.test(value))),
    receivedAt: capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt),
  };
}
