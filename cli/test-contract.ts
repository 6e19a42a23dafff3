import { checkSignature, type SignatureCheck } from '../functions/core/contract/check-signature.ts';
import type { Contract } from '../functions/core/contract/contract.ts';
import { createExplain, type ExplainedEvent } from '../functions/core/contract/explain.ts';
import {
  bodyOfSample,
  createSampleCheck,
  type Sample,
  sampleReceivedAt,
} from '../functions/core/contract/samples.ts';
import type { Capture } from './capture.ts';
import { describeSignature, isRefused } from './describe-signature.ts';
import { reasonMeanings } from './quarantine-reasons.ts';
import type { Secrets } from './secret-options.ts';

/** What a contract makes of one request. */
export interface TestedRequest {
  readonly name: string;
  readonly isSample: boolean;
  /** Undefined of a sample that says nothing of its signature. */
  readonly signature: SignatureCheck | undefined;
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
    const signedId = signature?.result === 'verified' ? signature.signedId : 'sample';
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

function signatureOf(sample: Sample, body: Uint8Array, contract: Contract): SignatureCheck | undefined {
  const { request } = sample;
  return (
    request &&
    checkSignature(contract, { ...request, body }, [request.secret], Date.parse(request.receivedAt))
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
    const signature = checkSignature(contract, capture, secrets(receivedAt ?? now), receivedAt);
    const signedId = signature.result === 'verified' ? signature.signedId : undefined;
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
