import type { Contract } from '../functions/core/contract/contract.ts';
import { decodeEnvelope, type Envelope, type UnverifiedRequest } from '../functions/core/envelope.ts';
import type { EventMapper } from '../functions/core/events/mapping.ts';
import { type QuarantinedEntry, wasCaptured } from '../functions/core/quarantine.ts';
import { createVerifier } from '../functions/core/signature/verify.ts';
import { verifyKept } from '../functions/core/signature/verify-kept.ts';
import { type DuplicateRisk, duplicateRisk } from './duplicate-risk.ts';
import { bodyOfEvent } from './replayable-body.ts';

/** Why an entry stays in quarantine. */
export type NotReplayable =
  /** The contract reads no event in it. */
  | 'unreadable'
  /** Its signature is to be verified, and what was kept would be refused whatever the secrets. */
  | 'unverifiable'
  /** It is one event of a body, and no body with it alone could be made. */
  | 'unwrappable'
  /** Events of it may be stored already, under ids that the contract does not give them. */
  | 'unidentifiable';

/** An entry as the request that the worker is to read once more, or why there is none. */
type Replayable =
  | { readonly envelope: Envelope }
  | { readonly stays: NotReplayable; readonly risk?: DuplicateRisk };

/** A contract and what reads events by it. */
export interface Reading {
  readonly contract: Contract;
  readonly map: EventMapper;
  /** Whether events may be stored a second time, under another id. */
  readonly acceptsDuplicates?: boolean;
}

/**
 * Makes the request that brings an entry back to the worker: received when it was, its events with the identity they had. What
 * was not verified goes as a parked request, which the worker verifies before anything else.
 *
 * It gets a request id of its own, so that what fails again becomes another entry: no entry is ever written over, and one may
 * be removed as soon as its request is queued.
 */
export function replayableRequest(
  entry: QuarantinedEntry,
  { contract, map, acceptsDuplicates = false }: Reading,
): Replayable {
  const { reason, receivedAt, index, eventsInBody, signedId, raw, headers, url } = entry;
  if (reason === 'not-an-envelope') {
    // A version of before may not have known its form; what it says of verification stands.
    const envelope = decodeEnvelope(Buffer.from(raw).toString());
    return envelope === undefined ? { stays: 'unreadable' } : { envelope };
  }
  const body = index === undefined ? raw : bodyOfEvent(raw, contract, map);
  if (body === undefined) return { stays: 'unwrappable' };
  const isUnverified =
    reason === 'signature-mismatch' || reason === 'captured' || headers !== undefined || url !== undefined;
  const captured = wasCaptured(entry) ? { method: entry.method, masked: true as const } : {};
  const unverified = headers === undefined || url === undefined ? undefined : { headers, url, ...captured };
  if (isUnverified && (unverified === undefined || !mayFit(unverified, body, receivedAt, contract)))
    return { stays: 'unverifiable' };
  // An entry with a problem of the whole body would only come back.
  const mapped = map(body, signedId, receivedAt);
  const isReadable = mapped.some(({ readable }) => readable);
  if (!isReadable || mapped.some((event) => !event.readable && event.content === undefined))
    return { stays: 'unreadable' };
  const risk = duplicateRisk(entry, contract, mapped);
  if (risk !== undefined && !acceptsDuplicates) return { stays: 'unidentifiable', risk };
  // A place in the body may by now be that of another event, which would pass for this one: the content identifies it then.
  const eventSignedId =
    risk === undefined || eventsInBody === 1 ? signedIdOf(signedId, index, eventsInBody) : undefined;
  return {
    envelope: {
      requestId: `${entry.requestId}~${index ?? 'body'}`,
      receivedAt,
      body,
      ...(isUnverified && unverified !== undefined
        ? { unverified }
        : eventSignedId === undefined
          ? {}
          : { signedId: eventSignedId }),
      ...(entry.contract === undefined ? {} : { contract: entry.contract }),
    },
  };
}

/** Whether a secret could exist that the signature fits: the worker refuses any other for good. */
function mayFit(
  unverified: UnverifiedRequest,
  body: Uint8Array,
  receivedAt: string,
  contract: Contract,
): boolean {
  const verify = createVerifier(contract.webhook.signature);
  const verdict = verifyKept(verify, { ...unverified, body }, [], Date.parse(receivedAt));
  return verdict.verified || verdict.reason === 'signature-mismatch';
}

/**
 * As the worker names the events of a body with several. The first one is taken to have been alone where nobody kept how many
 * there were, as nearly all are.
 */
function signedIdOf(signedId: string | undefined, index = 0, eventsInBody = index + 1): string | undefined {
  return signedId === undefined || eventsInBody === 1 ? signedId : `${signedId}:${index}`;
}
