import { decodeText } from './charset.ts';
import { isDeeperThan, maxBodyDepth, parseExactly } from './json.ts';
import { splitOnce } from './split-once.ts';

/**
 * The reading that verifier and mapping share. What one of them read in another way, a sender could change without changing what is signed.
 */

type JsonBody =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: 'not-utf8' | 'not-json' | 'too-deep' };

/** Reads a body in JSON. Of a repeated key the last value counts. */
export function readJsonBody(body: Uint8Array, charset: unknown): JsonBody {
  let text: string;
  try {
    text = decodeText(body, typeof charset === 'string' ? charset : 'utf-8');
  } catch {
    return { kind: 'unreadable', reason: 'not-utf8' };
  }
  const value = parseExactly(text);
  if (value === undefined) return { kind: 'unreadable', reason: 'not-json' };
  return isDeeperThan(maxBodyDepth, value)
    ? { kind: 'unreadable', reason: 'too-deep' }
    : { kind: 'parsed', value };
}

/** Splits a query or a form into its parameters as received, in their order. A question mark in front belongs to the first name. */
export function formPairs(
  text: string,
): readonly { readonly raw: string; readonly name: string; readonly value: string }[] {
  return text.split('&').flatMap((raw) => {
    if (raw === '') return [];
    const [name, value] = splitOnce(raw, '=');
    return [{ raw, name, value }];
  });
}
