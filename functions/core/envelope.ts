/** One webhook request as it travels through the queue: its body unread, byte for byte. */
export interface Envelope {
  /** Id of the request, for logs and for the caller. */
  readonly requestId: string;
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** The id the signature covers, where the scheme has one. */
  readonly signedId?: string;
  readonly body: Uint8Array;
  /** Present on a parked request: its signature fitted no secret known then, and must be verified before it counts. */
  readonly unverified?: UnverifiedRequest;
}

/** What verifying a parked request needs besides its body. */
export interface UnverifiedRequest {
  /** Only those that the signature scheme reads. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL it was posted to, with its query. */
  readonly url: string;
}

/** The text of a queue message. The body is base64: SQS refuses some characters, and the bytes may be no text at all. */
export function encodeEnvelope({ body, ...rest }: Envelope): string {
  return JSON.stringify({ version: 1, ...rest, bodyBase64: Buffer.from(body).toString('base64') });
}

/** Reads what {@link encodeEnvelope} wrote; undefined for anything else. */
export function decodeEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.version !== 1) return undefined;
  const { requestId, receivedAt, signedId, bodyBase64, unverified } = value;
  if (typeof requestId !== 'string' || typeof receivedAt !== 'string' || typeof bodyBase64 !== 'string')
    return undefined;
  if (signedId !== undefined && typeof signedId !== 'string') return undefined;
  if (unverified !== undefined && !isUnverifiedRequest(unverified)) return undefined;
  return {
    requestId,
    receivedAt,
    ...(signedId === undefined ? {} : { signedId }),
    body: Buffer.from(bodyBase64, 'base64'),
    ...(unverified === undefined ? {} : { unverified }),
  };
}

function isUnverifiedRequest(value: unknown): value is UnverifiedRequest {
  if (!isRecord(value) || typeof value.url !== 'string' || !isRecord(value.headers)) return false;
  return Object.values(value.headers).every((header) => typeof header === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
