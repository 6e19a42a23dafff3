import { sentAtOf } from '../../contract/checks/diagnose-signature.ts';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { signature } from '../../contract/schema/signature-schema.ts';
import { readPlace, requestReader } from '../../contract/signature/request-reader.ts';
import { createVerifier } from '../../contract/signature/verify.ts';
import { maskedValue } from '../../contract/signature/webhook-request.ts';
import type { ReadableCapture } from './readable-capture.ts';

/** Counts the work of a search, and stops it at a limit. */
export interface Effort {
  /** How many candidates were checked. */
  readonly tried: () => number;
  /** Returns whether the limit was reached, so that the search left something out. */
  readonly isSpent: () => boolean;
  /** @param microseconds an estimate of what checking one candidate takes */
  readonly spend: (microseconds: number) => void;
}

/** Limits a search by estimated, not measured, time: the same search gives the same result on every machine. */
export function createEffort(milliseconds: number): Effort {
  let tried = 0;
  let left = milliseconds * 1000;
  return {
    tried: () => tried,
    isSpent: () => left <= 0,
    spend: (microseconds) => {
      tried += 1;
      left -= microseconds;
    },
  };
}

/** A scheme by which the pipeline's own verifier accepts at least one capture. */
export interface Confirmed {
  readonly kind: 'confirmed';
  readonly scheme: SignatureContract;
  /** How many captures verify. */
  readonly fits: number;
  /** How many captures have the header. */
  readonly carriers: number;
  readonly ambiguities: readonly string[];
}

/** A scheme that explains the signatures but cannot be used. */
interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

const usualToleranceSeconds = 300;
/** A request that is older than this was repeated by another sender than the service. */
const maxToleranceSeconds = 86_400;

/**
 * Verifies every capture by a scheme, as of its time of receipt, or of its own time if that is unknown.
 *
 * @param draft makes the scheme, as contract.json would hold it, with a replay window in seconds
 */
export function confirm(
  draft: (toleranceSeconds: number) => unknown,
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
): Confirmed | Refused {
  const read = signature.safeParse(draft(maxToleranceSeconds));
  if (!read.success)
    return { kind: 'refused', reason: read.error.issues.map(({ message }) => message).join('; ') };
  const fitting = captures.filter((capture) => verifies(read.data, capture, secrets));
  if (fitting.length === 0)
    return {
      kind: 'refused',
      reason:
        'a signed value holds the text that stands beside it, or the signature is spelled otherwise than usual (hex digits of both cases, missing "=")',
    };

  const ages = fitting.map((readable) => {
    const { capture, receivedAt = 0 } = readable;
    return capture.receivedAt === undefined
      ? 0
      : Math.abs(receivedAt - (sentAtOf(read.data, capture, readable) ?? receivedAt));
  });
  const oldest = Math.max(...ages) / 1000;
  const toleranceSeconds =
    oldest <= usualToleranceSeconds ? usualToleranceSeconds : Math.ceil(oldest / 60) * 60;
  const scheme = signature.parse(draft(toleranceSeconds));
  return {
    kind: 'confirmed',
    scheme,
    fits: fitting.length,
    carriers: captures.filter((capture) => carries(scheme, capture)).length,
    ambiguities:
      toleranceSeconds > usualToleranceSeconds
        ? [
            `Requests arrived up to ${Math.ceil(oldest)} s after the time they carry, so the replay window is ${toleranceSeconds} s instead of ${usualToleranceSeconds} s: is the service that late, or was a request repeated by another sender?`,
          ]
        : [],
  };
}

function verifies(scheme: SignatureContract, readable: ReadableCapture, secrets: readonly string[]): boolean {
  const { capture, masked, fields, receivedAt } = readable;
  const isMasked =
    scheme.scheme === 'token' && scheme.header === undefined
      ? fields.some(([, value]) => maskedValue.test(value))
      : 'header' in scheme && scheme.header !== undefined && masked.has(scheme.header);
  const request = { ...capture, masked: isMasked };
  const now = receivedAt ?? sentAtOf(scheme, capture, readable) ?? 0;
  return createVerifier(scheme, readable)(request, secrets, now).kind === 'verified';
}

/** Reports whether a capture has something at the place of the signature. */
function carries(scheme: SignatureContract, readable: ReadableCapture): boolean {
  const { capture, masked } = readable;
  if (scheme.scheme === 'none') return false;
  const { header } = scheme;
  if (header !== undefined && masked.has(header)) return true;
  const place = { ...scheme, prefix: '', separator: null };
  return readPlace(place, requestReader(capture, readable)) !== undefined;
}

/** Returns the scheme that verifies the most captures; the first of them if several do. */
export function bestOf(schemes: readonly (Confirmed | Refused | undefined)[]): Confirmed | undefined {
  return schemes
    .filter((scheme) => scheme?.kind === 'confirmed')
    .reduce<Confirmed | undefined>(
      (best, scheme) => (scheme.fits > (best?.fits ?? 0) ? scheme : best),
      undefined,
    );
}
