import type { BodyProblem } from '../../contract/events/body.ts';
import type { EventProblem } from '../../contract/events/mapping.ts';

/** Why something that was acknowledged could not become history. */
export type QuarantineReason =
  | BodyProblem
  | EventProblem
  | 'not-an-envelope'
  /** Parked, and its signature fits no secret the service has had since. */
  | 'signature-mismatch'
  /** It would have been refused, and was captured: for finding out what the contract has to say. */
  | 'captured'
  | 'message-full'
  | 'storage-refused';

/** What could not become history, kept as it came so that it can be replayed. */
export interface QuarantineEntry {
  readonly reason: QuarantineReason;
  /** The field the reason is about. */
  readonly field?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  readonly requestId: string;
  /** Position of the event in its body; undefined where the whole body is kept. */
  readonly index?: number;
  /** How many events its body had, where one event is kept; versions before did not say. */
  readonly eventsInBody?: number;
  /** The id the signature covers, needed to give a replayed event the same identity. */
  readonly signedId?: string;
  /** The whole body, or the one event as JSON. */
  readonly raw: Uint8Array;
  /**
   * Of a request that was not verified: the headers its signature scheme reads, never one that carries a secret; of one that was
   * captured all of them, those that carry credentials masked.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a request that was not verified: the URL it was posted to, with its query. */
  readonly url?: string;
  /** Of a request that was captured. */
  readonly method?: string;
  /** Hash of the contract it was received by; versions before did not say. */
  readonly contract?: string;
  /** Hash of the rules that ids of events came from when the worker kept it; versions before did not say. */
  readonly identity?: string;
}

/** Whether it was captured, whatever it is kept for since: then the headers that carry credentials are masked. */
export function wasCaptured<T extends Pick<QuarantineEntry, 'method'>>(
  entry: T,
): entry is T & { readonly method: string } {
  return entry.method !== undefined;
}

/** What identifies an entry: when it was received, with which request, and where in it. */
export interface QuarantineId {
  /** ISO 8601 in UTC with milliseconds. */
  readonly receivedAt: string;
  readonly requestId: string;
  /** Undefined where the whole body is kept. */
  readonly index?: number;
}

/** An entry as it was kept. */
export interface QuarantinedEntry extends QuarantineEntry {
  readonly id: string;
}

/** An entry without what was received: that may be large, and may say anything. */
export type QuarantineSummary = Omit<
  QuarantinedEntry,
  'raw' | 'headers' | 'url' | 'method' | 'contract' | 'identity' | 'signedId' | 'eventsInBody'
>;

/** An entry's id as one text: `2026-01-15T12:00:05.000Z#<request id>#<position, or "body">`. */
export function quarantineId({ receivedAt, requestId, index }: QuarantineId): string {
  return `${receivedAt}#${requestId}#${index ?? 'body'}`;
}

/** Reads an id as {@link quarantineId} writes it; undefined for what is none. */
export function parseQuarantineId(id: string): QuarantineId | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#([^#]+)#(body|\d{1,9})$/.exec(id);
  if (parts === null) return undefined;
  const [, receivedAt = '', requestId = '', place] = parts;
  return { receivedAt, requestId, ...(place === 'body' ? {} : { index: Number(place) }) };
}
