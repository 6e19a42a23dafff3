import type { SignatureContract } from '../../../functions/core/contract/contract.ts';
import { readPart } from '../../../functions/core/signature/header-value.ts';
import { readToken } from './json-web-token.ts';
import type { ReadableCapture } from './readable-capture.ts';

/** When a capture says it was sent, by a scheme that signs a time: milliseconds since the epoch. */
export function sentAt(scheme: SignatureContract, { headers }: ReadableCapture): number | undefined {
  if (scheme.scheme === 'jwt') {
    const token = readToken(headers.get(scheme.header) ?? '');
    const time = scheme.timestamp === null ? undefined : token?.claims[scheme.timestamp.claim];
    return typeof time === 'number' ? time * 1000 : undefined;
  }
  if (!('timestamp' in scheme) || scheme.timestamp === null) return undefined;
  const text = readPart(scheme.timestamp, (name) => headers.get(name));
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) * (scheme.timestamp.unit === 'seconds' ? 1000 : 1);
}
