import { diagnoseSignature, type SignatureDiagnosis } from '../../../contract/checks/diagnose-signature.ts';
import { createExplain, type ExplainedEvent } from '../../../contract/checks/explain.ts';
import type { Capture, Secrets } from '../../../contract/discovery/captured/capture.ts';
import {
  bodyOfSample,
  createSampleCheck,
  type Sample,
  sampleReceivedAt,
} from '../../../contract/document/parse.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { reasonMeanings } from '../../quarantine/reasons.ts';

/** What a check of a signature says to people, in one line; never a secret, nor what would fit. */
export function describeSignature(check: SignatureDiagnosis, { webhook }: Pick<Contract, 'webhook'>): string {
  const { signature } = webhook;
  switch (check.kind) {
    case 'verified':
      return 'verified';
    case 'not-signed':
      return 'the contract asks for none: whoever posts is believed';
    case 'no-secret':
      return 'not verified: no secret was given (--secret-file, --secret-from-service)';
    case 'unusable-secret':
      return `the secret is not written as the contract says${keyForm(signature)}, so nothing can fit it`;
    case 'mismatch':
      return `does not fit the secret: another secret, a body that was changed on the way, or a mistake in webhook.signature${coversUrl(signature) ? '; it covers the URL too, which has to be the one the service posted to' : ''}`;
    case 'missing':
      return check.headers.length > 0
        ? `missing: ${check.headers.join(', ')}`
        : 'missing: a value of webhook.signature.signedContent is not in the headers where the contract says, or holds the text beside it';
    case 'timestamp-invalid':
      return 'its timestamp is missing or no number: see webhook.signature.timestamp';
    case 'outside-window':
      return `its timestamp${check.sentAt === undefined ? '' : ` (${check.sentAt})`} is outside the replay window of the time it was received`;
  }
}

/** Whether a check speaks against the request, or the contract. */
export function isRefused({ kind }: SignatureDiagnosis): boolean {
  return kind !== 'verified' && kind !== 'not-signed' && kind !== 'no-secret';
}

/** How the contract says that a key is written. */
function keyForm(signature: Contract['webhook']['signature']): string {
  const isShared =
    signature.scheme === 'hmac' || (signature.scheme === 'jwt' && signature.algorithm.startsWith('HS'));
  return isShared ? ` (${signature.secret.encoding})` : ' (a public key of its algorithm)';
}

function coversUrl(signature: Contract['webhook']['signature']): boolean {
  if (signature.scheme === 'jwt') return signature.urlHash !== null;
  return 'signedContent' in signature && signature.signedContent.includes('{url}');
}

/** What a contract makes of one request. */
export interface TestedRequest {
  readonly name: string;
  readonly isSample: boolean;
  /** Undefined of a sample that says nothing of its signature. */
  readonly signature: SignatureDiagnosis | undefined;
  /** Of a sample: whose signature it is. */
  readonly signed?: 'documented' | 'by us';
  /** Empty of a sample that is about its signature alone. */
  readonly events: readonly ExplainedEvent[];
  /** Why it fails, a line each; empty where it does not. */
  readonly problems: readonly string[];
}

/** Verifies and maps the samples of a contract. */
export function testSamples(contract: Contract): readonly TestedRequest[] {
  const explain = createExplain(contract);
  const check = createSampleCheck(contract);
  return contract.samples.map((sample, index) => {
    const body = bodyOfSample(sample, contract.webhook.bodyFormat);
    const signature = signatureOf(sample, body, contract);
    const signedId = signature?.kind === 'verified' ? signature.signedId : 'sample';
    return {
      name: `sample ${index + 1} "${sample.name}"`,
      isSample: true,
      signature,
      ...(sample.request === undefined ? {} : { signed: sample.request.signed }),
      events: sample.becomes === undefined ? [] : explain(body, signedId, sampleReceivedAt(sample)),
      problems: check(sample),
    };
  });
}

function signatureOf(sample: Sample, body: Uint8Array, contract: Contract): SignatureDiagnosis | undefined {
  const { request } = sample;
  return (
    request &&
    diagnoseSignature(contract, { ...request, body }, [request.secret], Date.parse(request.receivedAt))
  );
}

/**
 * Verifies and maps captured requests. Where a request is refused, it is mapped all the same.
 *
 * @param now milliseconds since the epoch: when those count as received of which nobody knows
 */
export function testCaptures(
  contract: Contract,
  captures: readonly Capture[],
  secrets: Secrets,
  now: number,
): readonly TestedRequest[] {
  const explain = createExplain(contract);
  return captures.map((capture) => {
    const receivedAt = capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt);
    const signature = diagnoseSignature(contract, capture, secrets(receivedAt ?? now), receivedAt);
    const signedId = signature.kind === 'verified' ? signature.signedId : undefined;
    const events = explain(capture.body, signedId, new Date(receivedAt ?? now).toISOString());
    return {
      name: capture.name,
      isSample: false,
      signature,
      events,
      problems: [
        ...(isRefused(signature) ? [`signature: ${describeSignature(signature, contract)}`] : []),
        ...events.flatMap((event, index) => {
          if (event.reason === undefined) return [];
          const field = event.field === undefined ? '' : ` (${event.field})`;
          return [`event ${index + 1}: ${event.reason}${field}: ${reasonMeanings[event.reason]}`];
        }),
      ],
    };
  });
}
