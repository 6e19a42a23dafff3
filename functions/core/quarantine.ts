import type { BodyProblem } from './events/body.ts';
import type { EventProblem } from './events/mapping.ts';

/** Why something that was acknowledged could not become history. */
export type QuarantineReason =
  | BodyProblem
  | EventProblem
  | 'not-an-envelope'
  /** Parked, and its signature fits no secret the service has had since. */
  | 'signature-mismatch'
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
  /** The id the signature covers, needed to give a replayed event the same identity. */
  readonly signedId?: string;
  /** The whole body, or the one event as JSON. */
  readonly raw: Uint8Array;
  /** Of a request that was not verified: the headers its signature scheme reads, never one that carries a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a request that was not verified: the URL it was posted to, with its query. */
  readonly url?: string;
}
