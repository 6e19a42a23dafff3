/** One webhook request as it travels through the queue: its body unread, byte for byte. */
export interface Envelope {
  /** Id of the request, for logs and for the caller. */
  readonly requestId: string;
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** The id the signature covers, where the scheme has one. */
  readonly signedId?: string;
  readonly body: Uint8Array;
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
  const { requestId, receivedAt, signedId, bodyBase64 } = value;
  if (typeof requestId !== 'string' || typeof receivedAt !== 'string' || typeof bodyBase64 !== 'string')
    return undefined;
  if (signedId !== undefined && typeof signedId !== 'string') return undefined;
  return {
    requestId,
    receivedAt,
    ...(signedId === undefined ? {} : { signedId }),
    body: Buffer.from(bodyBase64, 'base64'),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
