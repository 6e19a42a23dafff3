import type { HmacSignatureContract, SignatureContract } from '../contract/contract.ts';

/** What a signature may cover besides the body; a value that the request does not have is undefined. */
interface SignedValues {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
}

/** Puts signed content together from a body and the values beside it; undefined where one of them is missing. */
export type SignedContent = (body: Uint8Array, values: SignedValues) => Uint8Array | undefined;

/** Compiles the contract's `signedContent` template; the body stays bytes. */
export function compileSignedContent(template: HmacSignatureContract['signedContent']): SignedContent {
  // Odd parts are placeholders: split keeps what the group captured.
  const parts = template.split(/\{([^}]*)\}/);
  const bodyAt = parts.findIndex((part, index) => index % 2 === 1 && part === 'body');
  return (body, values) => {
    const chunks: Uint8Array[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) chunks.push(Buffer.from(part));
      else if (part === 'body') chunks.push(body);
      else {
        const value = fillIn(part, values);
        const boundary = parts[index < bodyAt ? index + 1 : index - 1];
        if (value === undefined || blursBoundary(part, value, boundary)) return undefined;
        chunks.push(Buffer.from(value));
      }
    }
    return Buffer.concat(chunks);
  };
}

/**
 * Whether a value the sender chose holds the text that parts it from the body, or from what stands between: bytes could then
 * move from one to the other, and the signature still fit.
 */
function blursBoundary(placeholder: string, value: string, boundary: string | undefined): boolean {
  return placeholder !== 'url' && boundary !== undefined && boundary !== '' && value.includes(boundary);
}

function fillIn(placeholder: string, values: SignedValues): string | undefined {
  if (placeholder === 'id') return values.id;
  if (placeholder === 'timestamp') return values.timestamp;
  if (placeholder === 'url') return values.url;
  return values.header(placeholder.slice('header:'.length));
}

/**
 * The key bytes of a secret as its owner writes it. A secret without the contract's prefix is UTF-8 text.
 *
 * @returns undefined for a secret that is not written in the contract's encoding: what decoders make of such a text is
 * short or empty, and a key that anybody can guess
 */
export function signingKey(rule: HmacSignatureContract['secret'], secret: string): Uint8Array | undefined {
  const text = secret.startsWith(rule.prefix) ? secret.slice(rule.prefix.length) : secret;
  const encoding = secret.startsWith(rule.prefix) ? rule.encoding : 'utf8';
  const key = Buffer.from(text, encoding);
  return key.length > 0 && isSpelledAs(text, key, encoding) ? key : undefined;
}

/** Whether signatures made with a secret can be verified by the contract's scheme. */
export function isUsableSecret(scheme: SignatureContract, secret: string): boolean {
  return scheme.scheme !== 'hmac' || signingKey(scheme.secret, secret) !== undefined;
}

function isSpelledAs(
  text: string,
  key: Buffer,
  encoding: HmacSignatureContract['secret']['encoding'],
): boolean {
  if (encoding === 'utf8') return true;
  if (encoding === 'hex') return key.toString('hex') === text.toLowerCase();
  const unpadded = (base64: string) => base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return unpadded(key.toString('base64')) === unpadded(text);
}
