import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { SignatureContract } from '../../functions/core/contract/contract.ts';
import { errorAnswer, ok, parseJson, problemsOf } from './answers.ts';
import { createQuota } from './quota.ts';
import type { Route } from './router.ts';

const webhookInput = z.object({
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ })], 'expected an http(s) URL or an empty text'),
  rotate_secret: z.boolean().optional(),
});

/** The account's webhook; empty texts until it is defined. */
export interface Webhook {
  readonly routes: readonly Route[];
  config(): { readonly url: string; readonly secret: string };
}

/** Calls of "set webhook" that are let through in a window; the true quota is not documented. */
const quota = { calls: 10, windowMs: 10_000 };

export function createWebhook(signature: SignatureContract, clock: () => number): Webhook {
  let config = { url: '', secret: '' };
  const takeCall = createQuota(quota.calls, quota.windowMs, clock);
  const path = '/v1/account/webhook';

  const read: Route = { method: 'GET', path, isProtected: true, answer: () => ok(config) };
  const set: Route = {
    method: 'PUT',
    path,
    isProtected: true,
    answer: ({ text }) => {
      const waitMs = takeCall();
      if (waitMs > 0) {
        const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
        const message = `Expected at most ${quota.calls} calls in ${quota.windowMs / 1000} seconds`;
        return errorAnswer(429, 'TooManyRequests', message, [], headers);
      }
      const input = webhookInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(422, 'ValidationError', 'The webhook is not valid', problemsOf(input.error));
      const { url, rotate_secret: rotates = false } = input.data;
      const needsSecret = rotates || (config.secret === '' && url !== '');
      config = { url, secret: needsSecret ? generateSecret(signature) : config.secret };
      return ok(config);
    },
  };
  return { routes: [read, set], config: () => config };
}

/** A secret as the contract's scheme expects one to be written. */
function generateSecret(signature: SignatureContract): string {
  if (signature.scheme !== 'hmac') return randomBytes(32).toString('base64url');
  const { prefix, encoding } = signature.secret;
  // Standard Webhooks asks for 24 to 64 bytes.
  const bytes = randomBytes(24);
  return prefix + bytes.toString(encoding === 'base64' ? 'base64' : 'hex');
}
