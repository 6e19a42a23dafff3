import type { Verdict, Verifier, WebhookRequest } from './webhook-request.ts';

/**
 * Verifies a request that was kept: the one rule of what credentials that were masked may come to. Whether a header was one was
 * judged by what was known when it was captured, so one that was not masked is as it came. Never for what comes in from outside.
 *
 * @param request `masked` where it was captured
 * @param now milliseconds since the epoch: when it was received
 */
export function verifyKept(
  verify: Verifier,
  request: WebhookRequest,
  secrets: readonly string[],
  now: number,
): Verdict {
  const asKept = verify(request, secrets, now);
  return asKept.verified || request.masked !== true
    ? asKept
    : verify({ ...request, masked: false }, secrets, now);
}
