import { isDeepStrictEqual } from 'node:util';
import { parseBody } from '../../contract/events/body.ts';
import { contentId, contractHash, identityHash } from '../../contract/events/identity.ts';
import type { EventMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { createVerifier } from '../../contract/signature/verify.ts';
import { verifyKept } from '../../contract/signature/webhook-request.ts';
import { type QuarantinedEntry, wasCaptured } from '../../functions/quarantine/quarantine.ts';
import { decodeEnvelope, type Envelope, type UnverifiedRequest } from '../../functions/webhook/envelope.ts';

/** What an event tells of its time does not matter here. */
const anyTime = new Date(0).toISOString();

/** Names with dots between them, each of a list or not: `payload.batches[].items[]`. */
const simplePath = /^[A-Za-z_]\w*(?:\[[*]?\])?(?:\.[A-Za-z_]\w*(?:\[[*]?\])?)*$/;

/**
 * The body that holds one event and nothing else, by the contract.
 *
 * @param raw the event as JSON
 * @param map of the same contract
 * @returns undefined where no body is found that the contract reads as just this event
 */
export function bodyOfEvent(raw: Uint8Array, contract: Contract, map: EventMapper): Uint8Array | undefined {
  const { bodyFormat } = contract.webhook;
  const parsed = parseBody('json', raw);
  if (parsed.kind === 'unreadable') return undefined;
  const event = parsed.value;
  const candidates =
    bodyFormat === 'form' ? [formOf(event)] : [event, wrapped(event, contract.events.list)].map(jsonOf);
  return candidates
    .map((text) => Buffer.from(text))
    .find((body) => {
      const [only, ...others] = map(body, undefined, anyTime);
      return others.length === 0 && isDeepStrictEqual(only?.content, event);
    });
}

function wrapped(event: unknown, list: string): unknown {
  if (!simplePath.test(list)) return [event];
  const [last = '', ...before] = list.split('.').reverse();
  return before.reduce<unknown>(
    (inner, step) => (step.endsWith(']') ? { [nameOf(step)]: [inner] } : { [nameOf(step)]: inner }),
    { [nameOf(last)]: [event] },
  );
}

function nameOf(step: string): string {
  return step.replace(/\[.*$/, '');
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value);
}

function formOf(event: unknown): string {
  const fields = typeof event === 'object' && event !== null ? Object.entries(event) : [];
  const pairs = fields.flatMap(([name, value]): [string, string][] =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Why a replay may store an event that is stored already, under another id. */
export type DuplicateRisk =
  /** It is a whole body, and the other events of it were stored by rules for ids that have changed since. */
  | 'body-stored'
  /** It is one event, and the rules that its id comes from have changed since: a redelivery of it has another id. */
  | 'id-changed'
  /** The same may be so: the version that kept it did not note the rules, and the contract is another one. */
  | 'id-may-have-changed';

/** Reasons of events that could be read: another delivery of one may have been stored under the contract of then. */
const readThen: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

/**
 * Whether events of an entry, or the event itself from another delivery, may be stored under ids that the contract would not give
 * them again.
 *
 * @param mapped what the contract reads in the entry
 * @returns undefined where a replay stores nothing twice
 */
function duplicateRisk(
  { reason, index, eventsInBody, identity, contract: receivedBy }: QuarantinedEntry,
  contract: Contract,
  mapped: ReturnType<EventMapper>,
): DuplicateRisk | undefined {
  // Of any other body that is kept whole no event was stored.
  if (index === undefined && reason !== 'events-dropped') return undefined;
  const isSame =
    identity === undefined ? receivedBy === contractHash(contract) : identity === identityHash(contract);
  if (isSame) return undefined;
  if (index === undefined) return 'body-stored';
  if (!readThen.has(reason)) {
    if (contract.events.id.from === 'body' && mapped.every(hasIdOfItsOwn)) return undefined;
    // Nothing else of its body could be stored.
    if (identity === undefined && eventsInBody === 1) return undefined;
  }
  return identity === undefined ? 'id-may-have-changed' : 'id-changed';
}

/** Whether its id is in the event: then it is the same wherever the event is found. */
function hasIdOfItsOwn(mapped: ReturnType<EventMapper>[number]): boolean {
  return mapped.kind === 'event' && mapped.event.eventId !== contentId(mapped.content);
}

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
  const isReadable = mapped.some(({ kind }) => kind === 'event');
  if (!isReadable || mapped.some((event) => event.kind === 'unreadable' && event.content === undefined))
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
  return verdict.kind === 'verified' || verdict.reason === 'signature-mismatch';
}

/**
 * As the worker names the events of a body with several. The first one is taken to have been alone where nobody kept how many
 * there were, as nearly all are.
 */
function signedIdOf(signedId: string | undefined, index = 0, eventsInBody = index + 1): string | undefined {
  return signedId === undefined || eventsInBody === 1 ? signedId : `${signedId}:${index}`;
}
