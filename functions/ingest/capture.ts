import type { CapturedRequest } from '../core/envelope.ts';
import { maskCredentials } from '../core/signature/mask-credentials.ts';
import type { WebhookRequest } from '../core/signature/webhook-request.ts';
import { captureEnd } from '../core/webhook/capture.ts';
import type { SecretDocument } from '../core/webhook/secret-document.ts';
import type { SecretCache } from './secret-cache.ts';

/** What is kept of requests that do not fit; undefined where that is not wanted, or would be too much. Never throws. */
export interface Capture {
  /**
   * Of one that would be refused.
   *
   * @param receivedAt milliseconds since the epoch
   */
  refused(request: WebhookRequest, receivedAt: number): Promise<CapturedRequest | undefined>;
  /** Of one that is parked anyway, so that no limit counts it. @param document what it was parked by */
  parked(request: WebhookRequest, receivedAt: number, document: SecretDocument): CapturedRequest | undefined;
}

export interface CaptureSettings {
  /** Asks the store no more often than mismatches have it asked. */
  readonly cache: Pick<SecretCache, 'reread'>;
  /** Until when, by the setting; ISO 8601 in UTC, or empty. */
  readonly until: string;
  /** The headers that carry the secret itself, and those that signatures need; in lower case. */
  readonly credentials: readonly string[];
  readonly signatures: readonly string[];
  /** Random. */
  readonly newSalt: () => string;
}

const largestBodyBytes = 64 * 1024;

/** What one instance keeps: so many at once, so many a second, so many of a capture. All instances together: setup. */
const burst = 100;
const perSecond = 10;
const mostOfOne = 1_000;

export function createCapture({ cache, until, newSalt, ...headerKinds }: CaptureSettings): Capture {
  let tokens = burst;
  let filledAt = 0;
  let captureKept = '';
  let kept = 0;

  function keep({ headers, url }: WebhookRequest, document: SecretDocument | undefined): CapturedRequest {
    const { current = [], previous = [], retired = [] } = document ?? {};
    const secrets = [current, previous, retired].flat().map(({ secret }) => secret);
    return {
      method: 'POST',
      url,
      headers: maskCredentials(headers, { ...headerKinds, secrets }, newSalt()),
    };
  }

  /** Until when requests are captured. */
  const endOf = (document: SecretDocument | undefined) => captureEnd(document?.capture, until);

  return {
    parked: (request, receivedAt, document) =>
      receivedAt < Date.parse(endOf(document)) ? keep(request, document) : undefined,

    async refused(request, receivedAt) {
      if (request.body.length > largestBodyBytes) return undefined;
      try {
        // What is known may be a minute old, and somebody waits for what was decided since.
        const document = await cache.reread();
        const end = endOf(document);
        if (!(receivedAt < Date.parse(end))) return undefined;
        tokens = Math.min(burst, tokens + ((receivedAt - filledAt) * perSecond) / 1000);
        filledAt = receivedAt;
        if (captureKept !== end) kept = 0;
        captureKept = end;
        if (tokens < 1 || kept >= mostOfOne) return undefined;
        tokens -= 1;
        kept += 1;
        return keep(request, document);
      } catch {
        // Nobody knows what is wanted now, or which credentials there are.
        return undefined;
      }
    },
  };
}
