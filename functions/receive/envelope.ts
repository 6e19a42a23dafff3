import type { RequestValues } from '../../contract/events/request-values.ts';
import type { WebhookRequest } from '../../contract/signature/webhook-request.ts';
import { isObject, parseJson } from '../../contract/text/json.ts';
import { omitUndefined } from '../base/basics.ts';

/** A webhook request as it travels through the queue: its body unparsed, byte for byte. */
export interface Envelope extends RequestValues {
  /** Id of the request, for logs and for the caller. */
  readonly requestId: string;
  /** When the webhook received it; ISO 8601 in UTC, with milliseconds. */
  readonly receivedAt: string;
  /** The id the signature covers, if the scheme has one. */
  readonly signedId?: string | undefined;
  readonly body: Uint8Array;
  /** Marks a parked request: its signature matched no stored secret yet, so the worker verifies it before its events are stored. */
  readonly unverified?: UnverifiedRequest | undefined;
  /** Marks a captured request: it would have been rejected, and is kept for people to look at. Its events are never stored. */
  readonly captured?: CapturedRequest | undefined;
  /** Hash of the contract that ingest had. */
  readonly contract?: string | undefined;
}

/** The parts of a parked request that its verification needs in addition to the body. */
export interface UnverifiedRequest {
  /** Only those that the signature scheme reads, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL it was posted to, with its query. */
  readonly url: string;
  /** Marks a request that was captured before: `headers` has all of its headers, and those that carry credentials are masked. */
  readonly masked?: true;
  /** Present on a request that was captured before. */
  readonly method?: string;
}

/** A captured request without its body. */
export interface CapturedRequest {
  readonly method: string;
  /** By name in lower case; those that carry credentials are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL it was posted to, with its query. */
  readonly url: string;
}

/** Parked and captured requests have versions of their own, so that an older reader does not mistake one for verified. */
const versions = { verified: 1, parked: 2, captured: 3 } as const;

function versionOf({ unverified, captured }: { unverified?: unknown; captured?: unknown }): number {
  if (captured !== undefined) return versions.captured;
  return unverified === undefined ? versions.verified : versions.parked;
}

/** Returns the parts of a request that a later verification needs: of the headers only the named ones. */
export function unverifiedRequest(
  { headers, url }: Pick<WebhookRequest, 'headers' | 'url'>,
  headerNames: readonly string[],
): UnverifiedRequest {
  // The verifier reads headers the same way: of two names that differ only in case, the later one counts.
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const read = headerNames.flatMap((name) => {
    const value = byName.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { headers: Object.fromEntries(read), url };
}

/**
 * Returns the text of a queue message. The body is base64, because its bytes may be no text. Everything else is ASCII, because
 * SQS rejects some characters, and the sender of a parked request chose its headers.
 */
export function encodeEnvelope({ body, ...rest }: Envelope): string {
  const text = JSON.stringify({
    version: versionOf(rest),
    ...rest,
    bodyBase64: Buffer.from(body).toString('base64'),
  });
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses the text that {@link encodeEnvelope} wrote; returns undefined for anything else. */
export function decodeEnvelope(text: string): Envelope | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { version, requestId, receivedAt, signedId, bodyBase64, unverified, captured, contract } = value;
  const { method, query, path } = value;
  if (version !== versionOf(value)) return undefined;
  if (typeof requestId !== 'string' || !isTime(receivedAt) || typeof bodyBase64 !== 'string')
    return undefined;
  if (!isTextOrAbsent(signedId) || !isTextOrAbsent(contract)) return undefined;
  if (!isTextOrAbsent(method) || !isTextOrAbsent(query) || !isTextOrAbsent(path)) return undefined;
  if (unverified !== undefined && !isUnverifiedRequest(unverified)) return undefined;
  if (captured !== undefined && !isCapturedRequest(captured)) return undefined;
  return {
    requestId,
    receivedAt,
    signedId,
    body: Buffer.from(bodyBase64, 'base64'),
    unverified,
    captured,
    contract,
    ...omitUndefined({ method, query, path }),
  };
}

/** The check is strict because verification, expiry and order depend on the time. */
function isTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

function isUnverifiedRequest(value: unknown): value is UnverifiedRequest {
  if (!isObject(value) || typeof value.url !== 'string' || !isObject(value.headers)) return false;
  if (value.masked !== undefined && value.masked !== true) return false;
  if (!isTextOrAbsent(value.method)) return false;
  return Object.values(value.headers).every((header) => typeof header === 'string');
}

function isCapturedRequest(value: unknown): value is CapturedRequest {
  return isUnverifiedRequest(value) && value.method !== undefined;
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
