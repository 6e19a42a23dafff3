import { createHash } from 'node:crypto';
import type { Contract } from '../schema/contract-schema.ts';

const printable = /^[\x21-\x7e]{1,128}$/;

/** Returns the id, or its hash if it does not fit the name of a DynamoDB attribute or would sort differently there. */
export function eventIdFrom(id: string): string {
  return printable.test(id) ? id : contentId(id);
}

/** Hashes a JSON value with SHA-256 (base64url). The order of keys does not matter. */
export function contentId(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

// JSON.stringify escapes lone surrogates. As UTF-8 they would all hash alike.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Identifies the parts of a contract that decide how requests and events are read, in 12 characters. */
export function contractHash({ webhook, events, statuses, errors }: Contract): string {
  return contentId({ webhook, events, statuses, errors }).slice(0, 12);
}

/**
 * Identifies the rules for event ids, in 12 characters. Two contracts with the same hash give an event of a body the same id. The id comes
 * from the signature, the event or its content; `events.list` decides which value is the event and at which position.
 */
export function identityHash({ webhook, events }: Pick<Contract, 'webhook' | 'events'>): string {
  const { bodyFormat, signature } = webhook;
  const { list, id } = events;
  const signedId = id.from === 'signed-id' && 'id' in signature ? signature.id : null;
  return contentId({ bodyFormat, list, id, signedId }).slice(0, 12);
}
