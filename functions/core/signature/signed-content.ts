import type { HmacSignatureContract } from '../contract/contract.ts';

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
  return (body, values) => {
    const chunks: Uint8Array[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) chunks.push(Buffer.from(part));
      else if (part === 'body') chunks.push(body);
      else {
        const value = fillIn(part, values);
        if (value === undefined) return undefined;
        chunks.push(Buffer.from(value));
      }
    }
    return Buffer.concat(chunks);
  };
}

function fillIn(placeholder: string, values: SignedValues): string | undefined {
  if (placeholder === 'id') return values.id;
  if (placeholder === 'timestamp') return values.timestamp;
  if (placeholder === 'url') return values.url;
  return values.header(placeholder.slice('header:'.length));
}

/** The key bytes of a secret as its owner writes it. A secret without the contract's prefix is UTF-8 text. */
export function signingKey(rule: HmacSignatureContract['secret'], secret: string): Uint8Array {
  if (!secret.startsWith(rule.prefix)) return Buffer.from(secret);
  return Buffer.from(secret.slice(rule.prefix.length), rule.encoding);
}
