import type { SignatureContract } from '../../../functions/core/contract/contract.ts';
import { signature } from '../../../functions/core/contract/signature-schema.ts';
import { createVerifier } from '../../../functions/core/signature/verify.ts';
import type { ReadableCapture } from './readable-capture.ts';
import { sentAt } from './scheme-time.ts';

/** A scheme that the pipeline's own verifier accepts at least one capture by. */
export interface Confirmed {
  readonly scheme: SignatureContract;
  readonly fits: number;
  /** How many captures have the header. */
  readonly carriers: number;
  readonly ambiguities: readonly string[];
}

/** Why a scheme whose signatures fit cannot be taken. */
export interface Refused {
  readonly refused: string;
}

const usualToleranceSeconds = 300;
/** Requests that came later than this were repeated by somebody else than the service. */
const longestToleranceSeconds = 86_400;

/**
 * Verifies every capture by a scheme, each as of when it was received, or of its own time where nobody kept that.
 *
 * @param draft the scheme with a replay window of so many seconds, as contract.json would hold it
 */
export function confirm(
  draft: (toleranceSeconds: number) => unknown,
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
): Confirmed | Refused {
  const read = signature.safeParse(draft(longestToleranceSeconds));
  if (!read.success) return { refused: read.error.issues.map(({ message }) => message).join('; ') };
  const fitting = captures.filter((capture) => verifies(read.data, capture, secrets));
  if (fitting.length === 0)
    return {
      refused:
        'a signed value holds the text that stands beside it, or the signature is spelled otherwise than usual (capital hex digits, missing "=")',
    };

  const ages = fitting.map((capture) =>
    capture.receivedAt === undefined
      ? 0
      : Math.abs(capture.receivedAt - (sentAt(read.data, capture) ?? capture.receivedAt)),
  );
  const oldest = Math.max(...ages) / 1000;
  const toleranceSeconds =
    oldest <= usualToleranceSeconds ? usualToleranceSeconds : Math.ceil(oldest / 60) * 60;
  const scheme = signature.parse(draft(toleranceSeconds));
  const header = 'header' in scheme ? scheme.header : '';
  return {
    scheme,
    fits: fitting.length,
    carriers: captures.filter(({ headers, masked }) => headers.has(header) || masked.has(header)).length,
    ambiguities:
      toleranceSeconds > usualToleranceSeconds
        ? [
            `Requests came up to ${Math.ceil(oldest)} s after the time they carry, so the replay window is ${toleranceSeconds} s instead of ${usualToleranceSeconds} s: is the service that late, or did somebody repeat a request?`,
          ]
        : [],
  };
}

function verifies(scheme: SignatureContract, readable: ReadableCapture, secrets: readonly string[]): boolean {
  const { capture, masked, receivedAt } = readable;
  const request = {
    headers: capture.headers,
    body: capture.body,
    url: capture.url,
    masked: 'header' in scheme && masked.has(scheme.header),
  };
  return createVerifier(scheme)(request, secrets, receivedAt ?? sentAt(scheme, readable) ?? 0).verified;
}
