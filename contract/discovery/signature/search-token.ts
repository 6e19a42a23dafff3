import { tokenOf } from '../../signature/token.ts';
import { fitsMasked } from '../../signature/webhook-request.ts';
import { type Confirmed, confirm, type Effort } from './confirm.ts';
import type { ReadableCapture } from './readable-capture.ts';

/** A shorter secret may stand in a header by chance. */
const minSecretLength = 6;
/** What may stand before a token that was masked, as nothing of it can be seen. */
const usualPrefixes = [
  '',
  'Bearer ',
  'Basic ',
  'Token ',
  'App ',
  'Key ',
  'ApiKey ',
  'Apikey ',
  'API-Key ',
  'AccessKey ',
  'Secret ',
  'bearer ',
  'basic ',
  'token ',
  'key=',
];
const prefixShape = /^(?:[A-Za-z][\w-]{0,31}[ =:] ?)?$/;

/** Searches a header that carries the secret itself. */
export function searchToken(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
): Confirmed | undefined {
  const drafts = new Map<string, { header: string; prefix: string; encoding: 'text' | 'base64' }>();
  for (const { headers, masked } of captures)
    for (const secret of secrets.filter(({ length }) => length >= minSecretLength))
      for (const encoding of ['text', 'base64'] as const) {
        const token = tokenOf({ scheme: 'token', header: '', prefix: '', encoding }, secret);
        const add = (header: string, prefix: string) =>
          drafts.set(JSON.stringify([header, prefix, encoding]), { header, prefix, encoding });
        for (const [header, value] of headers) {
          effort.spend(3);
          const prefix = value.endsWith(token) ? value.slice(0, -token.length) : undefined;
          if (prefix !== undefined && prefixShape.test(prefix)) add(header, prefix);
        }
        for (const [header, value] of masked)
          for (const prefix of usualPrefixes) {
            effort.spend(3);
            if (fitsMasked(value, prefix + token)) add(header, prefix);
          }
      }
  return [...drafts.values()]
    .map((draft) => confirm(() => ({ scheme: 'token', ...draft }), captures, secrets))
    .filter((found) => 'scheme' in found)
    .sort((a, b) => b.fits - a.fits)[0];
}
