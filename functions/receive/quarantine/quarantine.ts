import type { BodyProblem, EventProblem } from '../../../contract/events/problems.ts';
import type { RequestValues } from '../../../contract/events/request-values.ts';

/** Why something that was acknowledged could not be stored in the history. */
export type QuarantineReason =
  | BodyProblem
  | EventProblem
  | 'not-an-envelope'
  /** It was parked, and its signature matches no secret that the service has had since. */
  | 'signature-mismatch'
  /** It would have been rejected, and was captured as evidence for the contract. */
  | 'captured'
  | 'message-full'
  | 'storage-refused';

/** A body or an event that could not be stored in the history, kept as received so that it can be replayed. */
export interface QuarantineEntry extends RequestValues {
  readonly reason: QuarantineReason;
  /** The field the reason is about. */
  readonly field?: string | undefined;
  /** The source whose worker kept it; left out for `main`. */
  readonly source?: string | undefined;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  readonly requestId: string;
  /** Position of the event in its body; undefined if the entry is about the whole body. */
  readonly index?: number | undefined;
  /** How many events the body had, if the reason is about one of them. */
  readonly eventsInBody?: number | undefined;
  /** The id the signature covers. A replayed event needs it to have the same identity. */
  readonly signedId?: string | undefined;
  /** The whole body, or one event of several as JSON ({@link hasWholeBody}). */
  readonly raw: Uint8Array;
  /**
   * The headers of a request that was not verified: those its signature scheme reads, except one that carries a secret. A captured
   * request has all of its headers; those that carry credentials are masked.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The URL that a request was posted to, with its query, if the request was not verified. */
  readonly url?: string | undefined;
  /** The HTTP method, if the contract accepts two, and of each captured request. */
  readonly method?: string | undefined;
  /** Marks a request that was captured, whatever its reason is since then. */
  readonly masked?: true | undefined;
  /** Hash of the contract that ingest had; undefined for a queue message that was no request. */
  readonly contract?: string | undefined;
  /** Hash of the rules that ids of events came from when the worker kept the entry. */
  readonly identity?: string | undefined;
}

/**
 * Returns whether an entry has the body as received. An event is kept alone only if its body had others, and a body with this event alone can be
 * built for a replay.
 */
export function hasWholeBody({
  index,
  eventsInBody,
}: Pick<QuarantineEntry, 'index' | 'eventsInBody'>): boolean {
  return index === undefined || eventsInBody === 1;
}

/** Returns whether the request was captured, whatever its reason is since then. The headers that carry credentials are masked. */
export function wasCaptured({ reason, masked }: Pick<QuarantineEntry, 'reason' | 'masked'>): boolean {
  return reason === 'captured' || masked === true;
}

/** The identity of an entry: when it was received, in which request, and at which position. */
export interface QuarantineId {
  /** ISO 8601 in UTC with milliseconds. */
  readonly receivedAt: string;
  readonly requestId: string;
  /** Undefined if the whole body is kept. */
  readonly index?: number | undefined;
}

/** An entry with its id. */
export interface QuarantinedEntry extends QuarantineEntry {
  readonly id: string;
}

/** An entry without the received data, which may be large and may hold anything. */
export type QuarantineSummary = Omit<
  QuarantinedEntry,
  | 'raw'
  | 'headers'
  | 'url'
  | 'method'
  | 'query'
  | 'path'
  | 'masked'
  | 'contract'
  | 'identity'
  | 'signedId'
  | 'eventsInBody'
>;

/** Returns an entry's id as one text: `2026-01-15T12:00:05.000Z#<request id>#<position, or "body">`. */
export function quarantineId({ receivedAt, requestId, index }: QuarantineId): string {
  return `${receivedAt}#${requestId}#${index ?? 'body'}`;
}

/** Parses an id that {@link quarantineId} returned; returns undefined for anything else. */
export function parseQuarantineId(id: string): QuarantineId | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#([^#]+)#(body|\d{1,9})$/.exec(id);
  if (parts === null) return undefined;
  const [, receivedAt = '', requestId = '', place] = parts;
  return { receivedAt, requestId, index: place === 'body' ? undefined : Number(place) };
}
