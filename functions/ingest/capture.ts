import type { CapturedRequest } from '../core/envelope.ts';
import { maskCredentials } from '../core/signature/mask-credentials.ts';
import type { WebhookRequest } from '../core/signature/webhook-request.ts';
import { captureEnd } from '../core/webhook/capture.ts';
import type { SecretCache } from './secret-cache.ts';

/**
 * What is kept of a request that would be refused; undefined where that is not wanted, or would be too much. Never throws.
 *
 * @param receivedAt milliseconds since the epoch
 */
export type Capture = (request: WebhookRequest, receivedAt: number) => Promise<CapturedRequest | undefined>;

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

  return async ({ headers, body, url }, receivedAt) => {
    if (body.length > largestBodyBytes) return undefined;
    try {
      // What is known may be a minute old, and somebody waits for what was decided since.
      const document = await cache.reread();
      const end = captureEnd(document?.capture, until);
      if (!(receivedAt < Date.parse(end))) return undefined;
      tokens = Math.min(burst, tokens + ((receivedAt - filledAt) * perSecond) / 1000);
      filledAt = receivedAt;
      if (captureKept !== end) kept = 0;
      captureKept = end;
      if (tokens < 1 || kept >= mostOfOne) return undefined;
      tokens -= 1;
      kept += 1;
      const { current = [], previous = [], retired = [] } = document ?? {};
      const secrets = [current, previous, retired].flat().map(({ secret }) => secret);
      return {
        method: 'POST',
        url,
        headers: maskCredentials(headers, { ...headerKinds, secrets }, newSalt()),
      };
    } catch {
      // Nobody knows what is wanted now, or which credentials there are.
      return undefined;
    }
  };
}
