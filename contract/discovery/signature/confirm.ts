import type { SignatureContract } from '../../schema/contract-schema.ts';
import { signature } from '../../schema/signature-schema.ts';
import { createVerifier } from '../../signature/verify.ts';
import { readPart } from '../../signature/webhook-request.ts';
import type { ReadableCapture } from './readable-capture.ts';

/** Counts what a search does, and says when it has done enough. */
export interface Effort {
  /** How many candidates were checked. */
  readonly tried: () => number;
  /** Whether the limit was reached and something left out. */
  readonly isSpent: () => boolean;
  /** @param microseconds what the check of a candidate takes, roughly */
  readonly spend: (microseconds: number) => void;
}

/** Reckoned, not measured: the same search gives the same answer on every machine. */
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

/** A JSON Web Token in compact form (RFC 7515, section 7.1), read but not verified. */
export interface JsonWebToken {
  /** Before it in the header, such as "Bearer ". */
  readonly prefix: string;
  readonly algorithm: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const tokenShape = /^((?:[A-Za-z][\w-]{0,31}[ =:] ?)?)([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** @returns undefined for a header that holds no such token */
export function readToken(value: string): JsonWebToken | undefined {
  const [, prefix = '', head = '', payload = ''] = tokenShape.exec(value) ?? [];
  const algorithm = parseObject(head)?.alg;
  const claims = parseObject(payload);
  return claims === undefined || typeof algorithm !== 'string' ? undefined : { prefix, algorithm, claims };
}

function parseObject(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** When a capture says it was sent, by a scheme that signs a time: milliseconds since the epoch. */
function sentAt(scheme: SignatureContract, { headers }: ReadableCapture): number | undefined {
  if (scheme.scheme === 'jwt') {
    const token = readToken(headers.get(scheme.header) ?? '');
    const time = scheme.timestamp === null ? undefined : token?.claims[scheme.timestamp.claim];
    return typeof time === 'number' ? time * 1000 : undefined;
  }
  if (!('timestamp' in scheme) || scheme.timestamp === null) return undefined;
  const text = readPart(scheme.timestamp, (name) => headers.get(name));
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) * (scheme.timestamp.unit === 'seconds' ? 1000 : 1);
}

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
const maxToleranceSeconds = 86_400;

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
  const read = signature.safeParse(draft(maxToleranceSeconds));
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
  return (
    createVerifier(scheme)(request, secrets, receivedAt ?? sentAt(scheme, readable) ?? 0).kind === 'verified'
  );
}
