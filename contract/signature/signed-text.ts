import { createHash } from 'node:crypto';
import type { SignedTextContract } from '../schema/contract-schema.ts';
import { headerReader, readPart, rejected, type Verifier } from './webhook-request.ts';

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
export function compileSignedContent(template: string): SignedContent {
  // Odd parts are placeholders: split keeps what the group captured.
  const parts = template.split(/\{([^}]*)\}/);
  const bodyAt = parts.findIndex((part, index) => index % 2 === 1 && isOfBody(part));
  return (body, values) => {
    const chunks: Uint8Array[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) chunks.push(Buffer.from(part));
      else if (isOfBody(part)) chunks.push(writeBody(part, body));
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

/** The names in lower case of the headers that a template names itself. */
function headersInTemplate(template: string): string[] {
  return [...template.matchAll(/\{header:([^}]*)\}/g)].map(([, name = '']) => name.toLowerCase());
}

function isOfBody(placeholder: string): boolean {
  return /^(body|form)/.test(placeholder);
}

/** The body as it came, its hash, or its form parameters, sorted. */
function writeBody(placeholder: string, body: Uint8Array): Uint8Array {
  const [source, algorithm, encoding] = placeholder.split(':');
  if (source === 'form') return Buffer.from(sortedParameters(body, algorithm === 'query'));
  if (algorithm === undefined) return body;
  const digest = createHash(algorithm).update(body).digest();
  return encoding === 'hex' || encoding === 'base64' ? Buffer.from(digest.toString(encoding)) : digest;
}

/** Sorted by name, values of one name by value; written one after the other, or as a query, never encoded. */
function sortedParameters(body: Uint8Array, asQuery: boolean): string {
  return [...new URLSearchParams(Buffer.from(body).toString())]
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join(asQuery ? '=' : ''))
    .join(asQuery ? '&' : '');
}

/**
 * Whether a value the sender chose holds the text that parts it from the body, or from what stands between: bytes could then
 * move from one to the other, and the signature still fit.
 */
function blursBoundary(placeholder: string, value: string, boundary: string | undefined): boolean {
  // Of a URL the sender chose the query alone.
  const free = placeholder === 'url' ? value.replace(/^[^?]*/, '') : value;
  return boundary !== undefined && boundary !== '' && free.includes(boundary);
}

function fillIn(placeholder: string, values: SignedValues): string | undefined {
  if (placeholder === 'id') return values.id;
  if (placeholder === 'timestamp') return values.timestamp;
  if (placeholder === 'url') return values.url;
  return values.header(placeholder.slice('header:'.length));
}

/**
 * How many signatures of a request are verified. A rotation needs 2 or 3. The sender of a forged request chooses how many it
 * holds, and each costs a verification.
 */
const maxSignatures = 8;

/** Whether one of the signatures, each without its prefix, fits the content by a secret; undefined where the secret is none. */
type Fits = (content: Uint8Array, secret: string, signatures: readonly string[]) => boolean | undefined;

/** The verifier of a scheme that signs a text made of the request. */
export function createSignedTextVerifier(scheme: SignedTextContract, fits: Fits): Verifier {
  const signedContent = compileSignedContent(scheme.signedContent);
  return ({ headers, body, url }, secrets, now) => {
    const header = headerReader(headers);
    const value = header(scheme.header);
    if (value === undefined) return rejected('signature-missing');

    const timestamp = readPart(scheme.timestamp, header);
    if (scheme.timestamp !== null) {
      if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) return rejected('timestamp-invalid');
      const sentAt = Number(timestamp) * (scheme.timestamp.unit === 'seconds' ? 1000 : 1);
      if (Math.abs(now - sentAt) > scheme.timestamp.toleranceSeconds * 1000)
        return rejected('timestamp-outside-window');
    }

    const id = readPart(scheme.id, header);
    const content = signedContent(body, { id, timestamp, url, header });
    if (content === undefined) return rejected('signature-missing');

    const entries = scheme.separator === null ? [value] : value.split(scheme.separator);
    const signatures = entries
      .filter((entry) => entry.length > scheme.prefix.length && entry.startsWith(scheme.prefix))
      .slice(0, maxSignatures)
      .map((entry) => entry.slice(scheme.prefix.length));
    return secrets.some((secret) => fits(content, secret, signatures))
      ? { kind: 'verified', signedId: id }
      : rejected('signature-mismatch');
  };
}

/** The names of the headers that such a scheme reads, in lower case: all that a later verification needs of them. */
export function headersRead({ header, id, timestamp, signedContent }: SignedTextContract): string[] {
  const named = [header, id?.header, timestamp?.header].flatMap((name) => name?.toLowerCase() ?? []);
  return [...new Set([...named, ...headersInTemplate(signedContent)])];
}
