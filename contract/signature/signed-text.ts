import { createHash } from 'node:crypto';
import type { SignedTextContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import { type ParameterList, parseTemplate } from '../schema/signed-template.ts';
import {
  headersOf,
  type Part,
  type RequestReader,
  readPart,
  readPlace,
  requestReader,
  urlSpellings,
} from './request-reader.ts';
import { compileSignedContent, encodeBytes, inCaseOf } from './signed-content.ts';
import { equal, rejected, type Verifier } from './webhook-request.ts';

/**
 * How many signatures of a request are verified. A rotation needs 2 or 3. The limit bounds the work that a forged request with
 * many signatures can cause.
 */
const maxSignatures = 8;

/** Reports whether one of the signatures, given without prefix, matches the content. @returns undefined if the secret is not a key */
type MatchesOne = (content: Uint8Array, secret: string, signatures: readonly string[]) => boolean | undefined;

/** Makes the verifier of a scheme that signs a text made of the request. */
export function createSignedTextVerifier(
  scheme: SignedTextContract,
  matchesOne: MatchesOne,
  format: RequestFormat,
): Verifier {
  const signedContent = compileSignedContent(scheme.signedContent);
  const { placeholders } = parseTemplate(scheme.signedContent);
  const coversUrl = placeholders.some(
    (part) => part?.kind === 'url' || (part?.kind === 'list' && isOfUrl(part.list.source)),
  );
  const read = sourcesRead(scheme);
  const holdsSecret = placeholders.some((part) => part?.kind === 'secret');
  return (received, secrets, now) => {
    const request = requestReader(received, format, scheme);
    if (read.some((source) => request.hasTooMany(source))) return rejected('too-many-parameters');
    const value = readPlace({ ...scheme, prefix: '', separator: null }, request);
    if (value === undefined) return rejected('signature-missing');

    const timestamp = readPart(scheme.timestamp, request);
    if (scheme.timestamp !== null) {
      const sentAt = readTime(timestamp, scheme.timestamp.unit);
      if (sentAt === undefined) return rejected('timestamp-invalid');
      if (Math.abs(now - sentAt) > scheme.timestamp.toleranceSeconds * 1000)
        return rejected('timestamp-outside-window');
    }
    if (scheme.payloadHash !== undefined && !holdsBodyHash(scheme.payloadHash, request))
      return rejected('signature-missing');

    const id = readPart(scheme.id, request);
    const joined = signedContent(request);
    const contentOf = (url: string, secret: string) => joined({ id, timestamp, url, secret });
    const content = contentOf(request.url, '');
    if (content === 'missing') return rejected('signature-missing');
    if (content === 'ambiguous') return rejected('signed-content-ambiguous');

    const entries = scheme.separator === null ? [value] : value.split(scheme.separator);
    const signatures = entries
      .filter((entry) => entry.length > scheme.prefix.length && entry.startsWith(scheme.prefix))
      .slice(0, maxSignatures)
      .map((entry) => entry.slice(scheme.prefix.length));
    const matches = (url: string, secret: string) => {
      const signed = holdsSecret || url !== request.url ? contentOf(url, secret) : content;
      return typeof signed !== 'string' && matchesOne(signed, secret, signatures);
    };
    const isMatch =
      secrets.some((secret) => matches(request.url, secret)) ||
      (coversUrl &&
        secrets.length > 0 &&
        urlSpellings(request.url)
          .slice(1)
          .some((url) => secrets.some((secret) => matches(url, secret))));
    return isMatch ? { kind: 'verified', signedId: id } : rejected('signature-mismatch');
  };
}

/** Lists where a scheme reads parameters. */
function sourcesRead({
  id,
  timestamp,
  payloadHash,
  ...scheme
}: SignedTextContract): ParameterList['source'][] {
  const parts = [scheme, id, timestamp, payloadHash];
  const lists = parseTemplate(scheme.signedContent).placeholders.flatMap((placeholder) => {
    if (placeholder?.kind === 'list') return [placeholder.list.source];
    if (placeholder?.kind === 'parameter' || placeholder?.kind === 'url') return ['query' as const];
    return placeholder?.kind === 'field' ? ['fields' as const] : [];
  });
  const places = parts.flatMap((part) => [
    ...(part?.query === undefined ? [] : ['query' as const]),
    ...(part?.body === undefined ? [] : ['fields' as const]),
  ]);
  return [...new Set([...lists, ...places])];
}

function isOfUrl(source: string): boolean {
  return source === 'query' || source === 'params';
}

function holdsBodyHash(
  { algorithm, encoding, ...part }: NonNullable<SignedTextContract['payloadHash']>,
  request: RequestReader,
): boolean {
  const value = readPart({ ...part, separator: null }, request);
  const digest = createHash(algorithm).update(request.body()).digest();
  return value !== undefined && equal(inCaseOf(encoding, value), encodeBytes(digest, encoding));
}

type Unit = NonNullable<SignedTextContract['timestamp']>['unit'];

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;
/** RFC 9110, section 5.6.7. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Reads a time of a request. @returns milliseconds since the epoch, or undefined for any other text */
export function readTime(text: string | undefined, unit: Unit): number | undefined {
  if (text === undefined) return undefined;
  if (unit === 'seconds' || unit === 'milliseconds')
    return /^\d{1,15}$/.test(text) ? Number(text) * (unit === 'seconds' ? 1000 : 1) : undefined;
  if (!(unit === 'iso8601' ? isoTime : httpDate).test(text)) return undefined;
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : time;
}

/** Lists the headers that such a scheme reads, in lower case. A later verification needs no others. */
export function headersRead(scheme: SignedTextContract): string[] {
  const { id, timestamp, payloadHash, signedContent } = scheme;
  const parts: readonly (Pick<Part, 'header'> | null | undefined)[] = [scheme, id, timestamp, payloadHash];
  const { placeholders } = parseTemplate(signedContent);
  const inTemplate = placeholders.flatMap((part) => (part?.kind === 'header' ? part.name.toLowerCase() : []));
  return [...new Set([...headersOf(parts), ...inTemplate])];
}
