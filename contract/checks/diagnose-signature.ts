import type { Contract, SignatureContract } from '../schema/contract-schema.ts';
import { createVerifier, headersRead, isUsableSecret } from '../signature/verify.ts';
import { headerReader, readPart, verifyKept, type WebhookRequest } from '../signature/webhook-request.ts';

/** What verifying one request came to. */
export type SignatureDiagnosis =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  /** The scheme needs none: whoever posts is believed. */
  | { readonly kind: 'not-signed' }
  /** All that the scheme reads is there; whether it fits, only a secret tells. */
  | { readonly kind: 'no-secret' }
  /** None of the secrets is written as the contract says, so none can fit. */
  | { readonly kind: 'unusable-secret' }
  | { readonly kind: 'mismatch' }
  /** @property headers the names of those that the scheme reads and the request does not have, as the contract writes them */
  | { readonly kind: 'missing'; readonly headers: readonly string[] }
  | { readonly kind: 'timestamp-invalid' }
  /** @property sentAt what the request says, ISO 8601 in UTC; undefined where that is a claim of a token */
  | { readonly kind: 'outside-window'; readonly sentAt: string | undefined };

/**
 * Verifies a request as ingest does, one that was captured as the worker does, and says what is missing where it cannot.
 *
 * @param receivedAt milliseconds since the epoch; undefined where nobody knows: then the request counts as received when it
 * says that it was sent, where that can be read without its secret
 */
export function diagnoseSignature(
  { webhook }: Pick<Contract, 'webhook'>,
  request: WebhookRequest,
  secrets: readonly string[],
  receivedAt: number | undefined,
): SignatureDiagnosis {
  const { signature } = webhook;
  if (signature.scheme === 'none') return { kind: 'not-signed' };
  const sentAt = sentAtOf(signature, request);
  const verdict = verifyKept(createVerifier(signature), request, secrets, receivedAt ?? sentAt ?? 0);
  if (verdict.kind === 'verified') return { kind: 'verified', signedId: verdict.signedId };
  switch (verdict.reason) {
    case 'signature-missing': {
      const headers = missingHeaders(signature, request);
      // There is a token, of another request: no secret makes it one of this.
      if (signature.scheme === 'jwt' && headers.length === 0) return { kind: 'mismatch' };
      return { kind: 'missing', headers };
    }
    case 'timestamp-invalid':
      return { kind: 'timestamp-invalid' };
    case 'timestamp-outside-window':
      return {
        kind: 'outside-window',
        sentAt: sentAt === undefined ? undefined : new Date(sentAt).toISOString(),
      };
    case 'signature-mismatch':
      if (secrets.length === 0) return { kind: 'no-secret' };
      return {
        kind: secrets.some((secret) => isUsableSecret(signature, secret)) ? 'mismatch' : 'unusable-secret',
      };
  }
}

function missingHeaders(signature: SignatureContract, { headers }: WebhookRequest): readonly string[] {
  const header = headerReader(headers);
  return headersRead(signature).filter((name) => header(name) === undefined);
}

/** When a request says it was sent, in milliseconds since the epoch. */
function sentAtOf(signature: SignatureContract, { headers }: WebhookRequest): number | undefined {
  if (signature.scheme === 'jwt') return sentAtOfToken(signature, headers);
  if (!('timestamp' in signature) || signature.timestamp === null) return undefined;
  const text = readPart(signature.timestamp, headerReader(headers));
  const sentAt = Number(text) * (signature.timestamp.unit === 'seconds' ? 1000 : 1);
  return text !== undefined && isTime(sentAt) ? sentAt : undefined;
}

function sentAtOfToken(
  { header, prefix, timestamp }: Extract<SignatureContract, { scheme: 'jwt' }>,
  headers: WebhookRequest['headers'],
): number | undefined {
  const token = (headerReader(headers)(header) ?? '').slice(prefix.length);
  const [, payload = ''] = token.split('.');
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return undefined;
  }
  // RFC 7519, section 4.1.5: not before is when a token begins to count.
  const seconds =
    typeof claims === 'object' &&
    claims !== null &&
    new Map(Object.entries(claims)).get(timestamp?.claim ?? 'nbf');
  return typeof seconds === 'number' && isTime(seconds * 1000) ? seconds * 1000 : undefined;
}

function isTime(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= 8.64e15;
}
