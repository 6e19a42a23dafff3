import type { Contract, SignatureContract } from '../schema/contract-schema.ts';
import { type RequestFormat, requestForm } from '../schema/request-form.ts';
import { readClaims } from '../signature/jwt.ts';
import { readPart, readPlace, requestReader } from '../signature/request-reader.ts';
import { readTime } from '../signature/signed-text.ts';
import { createVerifier, headersRead, isUsableSecret } from '../signature/verify.ts';
import { headerReader, verifyKept, type WebhookRequest } from '../signature/webhook-request.ts';

/** The result of verifying one request, with what a person needs to fix it. */
export type SignatureDiagnosis =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  /** The scheme needs no signature: any sender is trusted. */
  | { readonly kind: 'not-signed' }
  /** The request has everything that the scheme reads, but there is no secret to verify it with. */
  | { readonly kind: 'no-secret' }
  /** No secret is written as the contract requires, so no secret can match. */
  | { readonly kind: 'unusable-secret' }
  | { readonly kind: 'mismatch' }
  /** @property headers the headers that the scheme reads and the request lacks, as the contract writes them */
  | { readonly kind: 'missing'; readonly headers: readonly string[] }
  /** A signed value holds the text that separates it from the next one. */
  | { readonly kind: 'ambiguous-content' }
  | { readonly kind: 'too-many-parameters' }
  | { readonly kind: 'timestamp-invalid' }
  /** @property sentAt the request's own time, ISO 8601 in UTC; undefined if it cannot be read */
  | { readonly kind: 'outside-window'; readonly sentAt: string | undefined };

/**
 * Verifies a request as ingest does, and a captured one as the worker does, and explains why it does not verify.
 *
 * @param receivedAt milliseconds since the epoch; if it is unknown, the request's own time is used if it has one
 */
export function diagnoseSignature(
  { webhook }: Pick<Contract, 'webhook'>,
  request: WebhookRequest,
  secrets: readonly string[],
  receivedAt: number | undefined,
): SignatureDiagnosis {
  const form = requestForm(webhook, request.method);
  const { signature } = form;
  if (signature.scheme === 'none') return { kind: 'not-signed' };
  const sentAt = sentAtOf(signature, request, form);
  const verify = createVerifier(signature, form);
  const verdict = verifyKept(verify, request, secrets, receivedAt ?? sentAt ?? 0);
  if (verdict.kind === 'verified') return { kind: 'verified', signedId: verdict.signedId };
  switch (verdict.reason) {
    case 'signature-missing': {
      const headers = missingPlaces(signature, request, form);
      // The token belongs to another request: no secret can match it.
      if (signature.scheme === 'jwt' && headers.length === 0) return { kind: 'mismatch' };
      return { kind: 'missing', headers };
    }
    case 'signed-content-ambiguous':
      return { kind: 'ambiguous-content' };
    case 'too-many-parameters':
      return { kind: 'too-many-parameters' };
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

function missingPlaces(
  signature: SignatureContract,
  request: WebhookRequest,
  format: RequestFormat,
): readonly string[] {
  const reader = requestReader(request, format);
  const headers = headersRead(signature).filter((name) => reader.header(name) === undefined);
  if (signature.scheme === 'jwt' || signature.scheme === 'none') return headers;
  const others = placesOf(signature).flatMap((part) => {
    if (part === null || part === undefined || part.header !== undefined) return [];
    const isMissing = readPlace({ ...part, prefix: '', separator: null }, reader) === undefined;
    return isMissing
      ? [part.query === undefined ? `${part.body} in the body` : `${part.query} in the URL`]
      : [];
  });
  return [...headers, ...others];
}

function placesOf(signature: Exclude<SignatureContract, { scheme: 'jwt' | 'none' }>) {
  if (signature.scheme === 'token') return [signature];
  return [signature, signature.id, signature.timestamp, signature.payloadHash];
}

/** Reads the time that a request says it was sent, in milliseconds since the epoch, without its secret. */
export function sentAtOf(
  signature: SignatureContract,
  request: WebhookRequest,
  format: RequestFormat,
): number | undefined {
  if (signature.scheme === 'jwt') {
    const { header, prefix, timestamp } = signature;
    const token = (headerReader(request.headers)(header) ?? '').slice(prefix.length);
    const [, payload = ''] = token.split('.');
    // RFC 7519, section 4.1.5: "nbf" is the time from which on a token is valid.
    const seconds = readClaims(payload)?.[timestamp?.claim ?? 'nbf'];
    return typeof seconds === 'number' && isTime(seconds * 1000) ? seconds * 1000 : undefined;
  }
  if (!('timestamp' in signature) || signature.timestamp === null) return undefined;
  const text = readPart(signature.timestamp, requestReader(request, format));
  const sentAt = readTime(text, signature.timestamp.unit);
  return sentAt !== undefined && isTime(sentAt) ? sentAt : undefined;
}

function isTime(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= 8.64e15;
}
