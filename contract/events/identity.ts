import { createHash } from 'node:crypto';
import type { Contract } from '../schema/contract-schema.ts';

const printable = /^[\x21-\x7e]{1,128}$/;

/** An id that orders the same in JavaScript and DynamoDB and fits an attribute's name: as it came, or its hash. */
export function eventIdFrom(id: string): string {
  return printable.test(id) ? id : contentId(id);
}

/** The SHA-256 (base64url) of a JSON value with its keys sorted, so that the order of keys does not matter. */
export function contentId(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

// JSON.stringify escapes lone surrogates, which the bytes of a hash could not tell apart otherwise.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Names what a contract says of requests and events, in 12 characters: the same for contracts that read them alike. */
export function contractHash({ webhook, events, statuses, errors }: Contract): string {
  return contentId({ webhook, events, statuses, errors }).slice(0, 12);
}

/**
 * Names the rules that an event's id comes from, in 12 characters: two contracts with the same give an event of a body the same id.
 * The id is in the signature, in the event or its content, and `events.list` decides what the event is and which place it has.
 */
export function identityHash({ webhook, events }: Pick<Contract, 'webhook' | 'events'>): string {
  const { bodyFormat, signature } = webhook;
  const { list, id } = events;
  const signedId = id.from === 'signed-id' && 'id' in signature ? signature.id : null;
  return contentId({ bodyFormat, list, id, signedId }).slice(0, 12);
}
