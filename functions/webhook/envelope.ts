import type { WebhookRequest } from '../../contract/signature/webhook-request.ts';

/** One webhook request as it travels through the queue: its body unread, byte for byte. */
export interface Envelope {
  /** Id of the request, for logs and for the caller. */
  readonly requestId: string;
  /** When the webhook received it; ISO 8601 in UTC, with milliseconds. */
  readonly receivedAt: string;
  /** The id the signature covers, where the scheme has one. */
  readonly signedId?: string;
  readonly body: Uint8Array;
  /** Present on a parked request: its signature fitted no secret known then, and must be verified before it counts. */
  readonly unverified?: UnverifiedRequest;
  /** Present on a captured request: it would have been refused, and is kept for people to look at. It never counts. */
  readonly captured?: CapturedRequest;
  /** Hash of the contract it was received by; versions before did not say. */
  readonly contract?: string;
}

/** What verifying a parked request needs besides its body. */
export interface UnverifiedRequest {
  /** Only those that the signature scheme reads, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL it was posted to, with its query. */
  readonly url: string;
  /** Of a request that was captured before: its headers are all that came, and those that carry credentials are masked. */
  readonly masked?: true;
  /** Of a request that was captured before. */
  readonly method?: string;
  /** Of a request that was parked while a capture was on: all that came. It is judged without, and kept with it where it is refused. */
  readonly whole?: CapturedRequest;
}

/** All of a request that was captured but its body. */
export interface CapturedRequest {
  readonly method: string;
  /** By name in lower case; those that carry credentials are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL it was posted to, with its query. */
  readonly url: string;
}

/** Parked and captured requests have versions of their own: a reader that knows nothing of them must not take one for verified. */
const versions = { verified: 1, parked: 2, captured: 3 } as const;

function versionOf({ unverified, captured }: { unverified?: unknown; captured?: unknown }): number {
  if (captured !== undefined) return versions.captured;
  return unverified === undefined ? versions.verified : versions.parked;
}

/** What a later verification of a request needs: the named headers alone, and none that is absent. */
export function unverifiedRequest(
  { headers, url }: Pick<WebhookRequest, 'headers' | 'url'>,
  headerNames: readonly string[],
): UnverifiedRequest {
  // As the verifier reads them: of two that differ in case the later one counts.
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const read = headerNames.flatMap((name) => {
    const value = byName.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { headers: Object.fromEntries(read), url };
}

/**
 * The text of a queue message. The body is base64, since the bytes may be no text at all, and everything else is ASCII:
 * SQS refuses some characters, and the sender of a parked request chose its headers.
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

/** Reads what {@link encodeEnvelope} wrote; undefined for anything else. */
export function decodeEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { version, requestId, receivedAt, signedId, bodyBase64, unverified, captured, contract } = value;
  if (version !== versionOf(value)) return undefined;
  if (typeof requestId !== 'string' || !isTime(receivedAt) || typeof bodyBase64 !== 'string')
    return undefined;
  if (!isTextOrAbsent(signedId) || !isTextOrAbsent(contract)) return undefined;
  if (unverified !== undefined && !isUnverifiedRequest(unverified)) return undefined;
  if (captured !== undefined && !isCapturedRequest(captured)) return undefined;
  return {
    requestId,
    receivedAt,
    ...(signedId === undefined ? {} : { signedId }),
    body: Buffer.from(bodyBase64, 'base64'),
    ...(unverified === undefined ? {} : { unverified }),
    ...(captured === undefined ? {} : { captured }),
    ...(contract === undefined ? {} : { contract }),
  };
}

/** Verification, expiry and order rest on it. */
function isTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

function isUnverifiedRequest(value: unknown): value is UnverifiedRequest {
  if (!isRecord(value) || typeof value.url !== 'string' || !isRecord(value.headers)) return false;
  if (value.masked !== undefined && value.masked !== true) return false;
  if (value.whole !== undefined && !isCapturedRequest(value.whole)) return false;
  if (!isTextOrAbsent(value.method)) return false;
  return Object.values(value.headers).every((header) => typeof header === 'string');
}

function isCapturedRequest(value: unknown): value is CapturedRequest {
  return isUnverifiedRequest(value) && value.method !== undefined;
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
