import * as scheme from '#signature';
import { contentId, identityHash, readBeside, rulesOf } from '../../../contract/events/body.ts';
import type { EventMapper } from '../../../contract/events/mapping.ts';
import { type RequestValues, withBeside } from '../../../contract/events/request-values.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { requestForms } from '../../../contract/schema/request-form.ts';
import { verifierOf } from '../../../contract/signature/by-method.ts';
import { queryOf } from '../../../contract/signature/request-reader.ts';
import { verifyKept } from '../../../contract/signature/webhook-request.ts';
import { omitUndefined } from '../../base/basics.ts';
import { decodeEnvelope, type Envelope, type UnverifiedRequest } from '../envelope.ts';
import { bodyOfEvent } from './body-of-event.ts';
import { hasWholeBody, type QuarantinedEntry, wasCaptured } from './quarantine.ts';

/** Why a replay may store an event a second time under another id. */
export type DuplicateRisk =
  /** The entry is a whole body, whose other events were stored by rules for ids that have changed since. */
  | 'body-stored'
  /** The entry is one event, and the rules for its id have changed since, so a redelivery has another id. */
  | 'id-changed';

/** Reasons of events that could be read, so that another delivery may have been stored under the contract of that time. */
const readThen: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

/**
 * Returns why events of an entry, or other deliveries of its event, may be stored under ids that the contract no longer gives.
 *
 * @param mapped what the contract reads in the entry
 * @returns undefined if a replay stores nothing twice
 */
function duplicateRisk(
  { reason, index, eventsInBody, identity }: QuarantinedEntry,
  contract: Contract,
  mapped: ReturnType<EventMapper>,
  request: RequestValues,
): DuplicateRisk | undefined {
  // No event was stored of any other body that is kept whole.
  if (index === undefined && eventsInBody === undefined && reason !== 'events-dropped') return undefined;
  if (identity === identityHash(contract)) return undefined;
  if (index === undefined) return 'body-stored';
  const hasOwnIds =
    contract.events.id.from === 'body' && mapped.every((event) => hasIdOfItsOwn(event, contract, request));
  return hasOwnIds && !readThen.has(reason) ? undefined : 'id-changed';
}

/** Returns whether the event contains its id, which then does not depend on its place. */
function hasIdOfItsOwn(
  mapped: ReturnType<EventMapper>[number],
  { webhook }: Contract,
  request: RequestValues,
): boolean {
  const signed = readBeside(rulesOf(webhook, request.method), request)?.signed ?? {};
  return mapped.kind === 'event' && mapped.event.eventId !== contentId(withBeside(mapped.content, signed));
}

/** Why an entry stays in quarantine. */
export type NotReplayable =
  /** It is of another source, whose contract and queue are others. */
  | 'other-source'
  /** The contract reads no event in the entry. */
  | 'unreadable'
  /** The signature must be verified, and the kept request would be rejected with any secret. */
  | 'unverifiable'
  /** The entry is one event of a body with several, and no body with only this event could be built. */
  | 'unwrappable'
  /** Events of the entry may be stored already under ids that the contract does not give. */
  | 'unidentifiable';

/** The request of an entry for the worker, or why it cannot be made. */
type Replayable =
  | { readonly envelope: Envelope }
  | { readonly stays: NotReplayable; readonly risk?: DuplicateRisk };

/** Entries of one source, read by its contract. */
export interface Reading {
  /** The name of the source. */
  readonly source: string;
  readonly contract: Contract;
  readonly map: EventMapper;
  /** Whether events may be stored a second time, under another id. */
  readonly acceptsDuplicates?: boolean;
}

/**
 * Builds the request that sends an entry to the worker again, with its receipt time and the identities of its events. An
 * unverified entry becomes a parked request, which the worker verifies first.
 *
 * The request gets a new id, so that an event that fails again becomes another entry. No entry is overwritten, and an entry may
 * be removed as soon as its request is queued.
 */
export function replayableRequest(
  entry: QuarantinedEntry,
  { source, contract, map, acceptsDuplicates = false }: Reading,
): Replayable {
  if ((entry.source ?? mainSource) !== source) return { stays: 'other-source' };
  const { reason, receivedAt, index, eventsInBody, signedId, raw, headers, url } = entry;
  const request = requestOf(entry);
  if (reason === 'not-an-envelope') {
    // The worker of that time may not have known this format. The verification state remains valid.
    const envelope = decodeEnvelope(Buffer.from(raw).toString());
    return envelope === undefined ? { stays: 'unreadable' } : { envelope };
  }
  const body = hasWholeBody(entry) ? raw : bodyOfEvent(raw, contract, map, request);
  if (body === undefined) return { stays: 'unwrappable' };
  const isUnverified =
    reason === 'signature-mismatch' || reason === 'captured' || headers !== undefined || url !== undefined;
  const { method, query, path } = entry;
  const captured = wasCaptured(entry)
    ? { ...(method !== undefined && { method }), masked: true as const }
    : {};
  const unverified = headers === undefined || url === undefined ? undefined : { headers, url, ...captured };
  if (
    isUnverified &&
    (unverified === undefined || !mayFit({ ...unverified, method }, body, receivedAt, contract))
  )
    return { stays: 'unverifiable' };
  // An entry with a problem of the whole body would return to quarantine.
  const mapped = map(body, signedId, receivedAt, request);
  const isReadable = mapped.some(({ kind }) => kind === 'event');
  if (!isReadable || mapped.some((event) => event.kind === 'unreadable' && event.content === undefined))
    return { stays: 'unreadable' };
  const risk = duplicateRisk(entry, contract, mapped, request);
  if (risk !== undefined && !acceptsDuplicates) return { stays: 'unidentifiable', risk };
  // By changed rules another event may have the same place in the body. The event is then identified by its content.
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
      ...omitUndefined({ method: wasCaptured(entry) ? undefined : method, query, path }),
    },
  };
}

/** Returns whether any secret could fit the signature. The worker would reject any other request permanently. */
function mayFit(
  unverified: Omit<UnverifiedRequest, 'method'> & Pick<RequestValues, 'method'>,
  body: Uint8Array,
  receivedAt: string,
  contract: Contract,
): boolean {
  const verify = verifierOf(requestForms(contract.webhook), scheme);
  const verdict = verifyKept(verify, { ...unverified, body }, [], Date.parse(receivedAt));
  return verdict.kind === 'verified' || verdict.reason === 'signature-mismatch';
}

/** Returns the parts of an entry's request that decide how it is read. A request that was not verified has its query in its URL. */
export function requestOf({ method, query, path, url }: QuarantinedEntry): RequestValues {
  return { method, query: query ?? (url === undefined ? undefined : queryOf(url)), path };
}

/** Names an event as the worker names the events of a body with several. */
function signedIdOf(signedId: string | undefined, index?: number, eventsInBody?: number): string | undefined {
  const isAlone = index === undefined || eventsInBody === 1;
  return signedId === undefined || isAlone ? signedId : `${signedId}:${index}`;
}
