import { createHash } from 'node:crypto';

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
