import type { CapturedRequest } from '../core/envelope.ts';
import { maskCredentials } from '../core/signature/mask-credentials.ts';
import type { WebhookRequest } from '../core/signature/webhook-request.ts';
import { captureEnd } from '../core/webhook/capture.ts';
import type { SecretDocument } from '../core/webhook/secret-document.ts';
import type { SecretCache } from './secret-cache.ts';

/** What is kept of requests that do not fit; undefined where that is not wanted, or would be too much. Never throws. */
export interface Capture {
  /**
   * Returns what to keep of a request that is about to be rejected.
   *
   * @param sourceIp the sender's address, as API Gateway sees it
   * @param receivedAt milliseconds since the epoch
   */
  refused(
    request: WebhookRequest,
    sourceIp: string,
    receivedAt: number,
  ): Promise<CapturedRequest | undefined>;
  /** Gives how many requests were left out while capturing was on, since the last call. */
  takeLeftOut(): number;
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
const hourMs = 3_600_000;

/**
 * What one instance keeps: so many requests at once, then so many an hour. Below the reserve a sender is kept only within a share of
 * its own, so that a flood from one address leaves room for others. No count ends a capture.
 */
const all = { size: 200, perHour: 500 };
const reserve = 100;
const share = { size: 20, perHour: 100 };
const maxSenders = 1_000;

export function createCapture({ cache, until, newSalt, ...headerKinds }: CaptureSettings): Capture {
  const budget = createBudget(all);
  const shares = new Map<string, Budget>();
  let leftOut = 0;

  function shareOf(sender: string): Budget {
    const sendersShare = shares.get(sender) ?? createBudget(share);
    shares.set(sender, sendersShare);
    // The first one of a map is the oldest.
    const [oldest] = shares.keys();
    if (shares.size > maxSenders && oldest !== undefined) shares.delete(oldest);
    return sendersShare;
  }

  /** Whether there is room for a request, which takes it. */
  function takeRoom(sender: string, now: number): boolean {
    const sendersShare = shareOf(sender);
    const left = budget.left(now);
    const isWithinShare = sendersShare.left(now) >= 1;
    if (left < 1 || (left < reserve + 1 && !isWithinShare)) return false;
    budget.take();
    if (isWithinShare) sendersShare.take();
    return true;
  }

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

    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },

    async refused(request, sourceIp, receivedAt) {
      try {
        // What is known may be a minute old, and somebody waits for what was decided since.
        const document = await cache.reread();
        if (!(receivedAt < Date.parse(endOf(document)))) return undefined;
        if (request.body.length <= largestBodyBytes && takeRoom(networkOf(sourceIp), receivedAt))
          return keep(request, document);
        leftOut += 1;
        return undefined;
      } catch {
        // Nobody knows what is wanted now, or which credentials there are.
        return undefined;
      }
    },
  };
}

interface Budget {
  /** How many are left at a time, in milliseconds since the epoch. */
  left(now: number): number;
  take(): void;
}

/** A budget that begins full and fills up again. */
function createBudget({ size, perHour }: { readonly size: number; readonly perHour: number }): Budget {
  let left = size;
  let filledAt = 0;
  return {
    left(now) {
      // A clock that is set back takes nothing away.
      left = Math.min(size, left + (Math.max(0, now - filledAt) * perHour) / hourMs);
      filledAt = now;
      return left;
    },
    take() {
      left -= 1;
    },
  };
}

/** The address itself, or the network of an address of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // A sender has a whole network of 64 bits; "::" stands for groups of zeros.
  const [groups = ''] = address.split('::');
  return [...groups.split(':'), 0, 0, 0].slice(0, 4).join(':');
}
