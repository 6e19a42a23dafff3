import type { HmacSignatureContract } from '../contract/contract.ts';

type SecretRule = HmacSignatureContract['secret'];

/**
 * The key bytes of a secret as its owner writes it. A secret without the contract's prefix is UTF-8 text.
 *
 * @returns undefined for a secret that is not written in the contract's encoding: what decoders make of such a text is
 * short or empty, and a key that anybody can guess
 */
export function signingKey(rule: SecretRule, secret: string): Uint8Array | undefined {
  const text = secret.startsWith(rule.prefix) ? secret.slice(rule.prefix.length) : secret;
  const encoding = secret.startsWith(rule.prefix) ? rule.encoding : 'utf8';
  const key = Buffer.from(text, encoding);
  return key.length > 0 && isSpelledAs(text, key, encoding) ? key : undefined;
}

/** As {@link signingKey}. @throws Error where it gives none */
export function requireKey(rule: SecretRule, secret: string): Uint8Array {
  const key = signingKey(rule, secret);
  if (key === undefined)
    throw new Error(`the secret is not written in ${rule.encoding}, as the contract says`);
  return key;
}

function isSpelledAs(text: string, key: Buffer, encoding: SecretRule['encoding']): boolean {
  if (encoding === 'utf8') return true;
  if (encoding === 'hex') return key.toString('hex') === text.toLowerCase();
  const unpadded = (base64: string) => base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return unpadded(key.toString('base64')) === unpadded(text);
}
