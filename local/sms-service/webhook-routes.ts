import * as z from 'zod';
import { parseJson } from '../aws-protocol/http.ts';
import type { Faults } from './faults.ts';
import { errorAnswer, noAnswer, ok, problemsOf, type Route } from './router.ts';
import { type Webhook, webhookUrl } from './webhook.ts';

/**
 * Admits `calls` calls in any window of `windowMs` milliseconds.
 *
 * @returns a function that counts a call: it returns 0 if the call is admitted, otherwise the milliseconds until the next call would be
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

/** The number of calls of "set webhook" that are admitted in a window. The quota of the real service is not documented. */
const quota = { calls: 10, windowMs: 10_000 };

const setInput = z.object({ url: webhookUrl, rotate_secret: z.boolean().optional() });

/** The body of `POST /sandbox/webhook`. A field that is missing changes nothing. */
const outOfBandInput = z.strictObject({
  /** An empty text deactivates the webhook. */
  url: webhookUrl.optional(),
  /** Makes a new secret. */
  rotate: z.boolean().default(false),
});

interface WebhookRoutesPorts {
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/**
 * Makes "read webhook" and "set webhook", and `POST /sandbox/webhook`, which changes the webhook as another client of the account would, but
 * without token, quota or fault. It answers what `GET /sandbox/state` shows of the webhook, never a secret.
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
    answer: () => faults.nextRefusal('refuseReads') ?? ok(webhook.config()),
  };

  const set: Route = {
    method: 'PUT',
    path,
    isProtected: true,
    answer: async ({ text }) => {
      const refusal = faults.nextRefusal('refuse');
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
      // The faults at the arrival of a call apply to it.
      const { applyDelayMs, answerDelayMs } = faults.current();
      const answerOutcome = faults.nextAnswerOutcome();
      const { url, rotate_secret: rotates = false } = input.data;
      if (applyDelayMs > 0) await sleep(applyDelayMs);
      const config = webhook.change({ url, rotates });
      if (answerDelayMs > 0) await sleep(answerDelayMs);
      if (answerOutcome === 'dropped') return noAnswer;
      if (answerOutcome === 'failed')
        return errorAnswer(
          500,
          'InternalServerError',
          'Failed after the change was applied, by a fault that was set on the sandbox',
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
