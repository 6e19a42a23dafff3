import { isSignatureName, type SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-value.ts';

/** Whether it is called an id or a nonce, and not one that proxies add, or like a header with signatures. */
export function isLikelySigned(header: string, slots: readonly SignatureSlot[]): boolean {
  const isCalledSo = /nonce|salt|random|time|id$|event|message|delivery/.test(header);
  return isRelated(header, slots) || (isCalledSo && !/request|correlation|trace|span|account/.test(header));
}

/** Whether a header with signatures is called alike, as "webhook-id" and "webhook-signature" are. */
function isRelated(header: string, slots: readonly SignatureSlot[]): boolean {
  const family = header.replace(/[^-_]+$/, '');
  if (family === '' || family === 'x-') return false;
  return slots.some((slot) => isSignatureName(slot.header) && slot.header.startsWith(family));
}

/** How likely a value is signed, by where it is and what it is called; the greater, the likelier. */
export function likelihood(
  { header, separator, texts, isLikely }: SignedValue,
  slots: readonly SignatureSlot[],
): number {
  return (
    (isLikely ? 8 : 0) +
    (separator === null ? 0 : 4) +
    (/nonce|salt|random|timestamp/.test(header) ? 3 : 0) +
    (/id$|key$|event|message|delivery/.test(header) ? 2 : 0) +
    (isRelated(header, slots) ? 2 : 0) +
    (varies(texts) ? 1 : 0)
  );
}

/** Whether a value differs between captures; true of a single one. */
export function varies(texts: SignedValue['texts']): boolean {
  const told = texts.filter((text) => text !== undefined);
  return told.length < 2 || new Set(told).size > 1;
}
