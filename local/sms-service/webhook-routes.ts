import * as z from 'zod';
import type { Faults } from './faults.ts';
import { errorAnswer, noAnswer, ok, parseJson, problemsOf, type Route } from './router.ts';
import { type Webhook, webhookUrl } from './webhook.ts';

/**
 * Lets so many calls through in any window of so many milliseconds.
 *
 * @returns takes one call: 0 if it goes through, otherwise the milliseconds until the next one would
 */
function createQuota(calls: number, windowMs: number, clock: () => number): () => number {
  let taken: number[] = [];
  return () => {
    const now = clock();
    taken = taken.filter((time) => now - time < windowMs);
    const [oldest = now] = taken;
    if (taken.length >= calls) return oldest + windowMs - now;
    taken.push(now);
    return 0;
  };
}

const path = '/v1/account/webhook';

/** Calls of "set webhook" that are let through in a window; the true quota is not documented. */
const quota = { calls: 10, windowMs: 10_000 };

const setInput = z.object({ url: webhookUrl, rotate_secret: z.boolean().optional() });

/** `POST /sandbox/webhook`: what is left out stays as it is. */
const outOfBandInput = z.strictObject({
  /** An empty text deactivates the webhook. */
  url: webhookUrl.optional(),
  /** Makes another secret. */
  rotate: z.boolean().default(false),
});

interface WebhookRoutesPorts {
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/**
 * "Read webhook" and "set webhook", and `POST /sandbox/webhook`, which changes the webhook as somebody else would: without
 * token, quota or fault. It answers with what `GET /sandbox/state` shows of the webhook, never with a secret.
 */
export function webhookRoutes(
  webhook: Webhook,
  faults: Faults,
  { clock, sleep }: WebhookRoutesPorts,
): readonly Route[] {
  const takeCall = createQuota(quota.calls, quota.windowMs, clock);

  const read: Route = {
    method: 'GET',
    path,
    isProtected: true,
    answer: () => faults.takeRefusal('refuseReads') ?? ok(webhook.config()),
  };

  const set: Route = {
    method: 'PUT',
    path,
    isProtected: true,
    answer: async ({ text }) => {
      const refusal = faults.takeRefusal('refuse');
      if (refusal !== undefined) return refusal;
      const waitMs = takeCall();
      if (waitMs > 0) {
        const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
        const message = `Expected at most ${quota.calls} calls in ${quota.windowMs / 1000} seconds`;
        return errorAnswer(429, 'TooManyRequests', message, [], headers);
      }
      const input = setInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(422, 'ValidationError', 'The webhook is not valid', problemsOf(input.error));
      // The faults of a call are those that stood when it came.
      const { applyDelayMs, answerDelayMs } = faults.current();
      const fate = faults.takeAnswerFate();
      const { url, rotate_secret: rotates = false } = input.data;
      if (applyDelayMs > 0) await sleep(applyDelayMs);
      const config = webhook.change({ url, rotates });
      if (answerDelayMs > 0) await sleep(answerDelayMs);
      if (fate === 'dropped') return noAnswer;
      if (fate === 'failed')
        return errorAnswer(
          500,
          'InternalServerError',
          'Failed after all was done, as the sandbox was told to',
        );
      return ok(config);
    },
  };

  const changeOutOfBand: Route = {
    method: 'POST',
    path: '/sandbox/webhook',
    isProtected: false,
    answer: ({ text }) => {
      const input = outOfBandInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(422, 'ValidationError', 'The change is not valid', problemsOf(input.error));
      webhook.change({ url: input.data.url, rotates: input.data.rotate });
      return ok(webhook.show());
    },
  };

  return [read, set, changeOutOfBand];
}
