import type { HmacSignatureContract } from '../../../contract/schema/contract-schema.ts';
import { isUsableSecret } from '../../../contract/signature/hmac.ts';
import { signRequest } from '../../../contract/signature/sign.ts';
import { isObject, parseJson } from '../../../contract/text/json.ts';

/** Every secret begins with this. */
const prefix = 'whsec_';

/** Standard Webhooks, "Signature scheme" and "Webhook headers": the symmetric one. */
const scheme: HmacSignatureContract = {
  scheme: 'hmac',
  algorithm: 'sha256',
  header: 'webhook-signature',
  prefix: 'v1,',
  separator: ' ',
  encoding: 'base64',
  secret: { prefix, encoding: 'base64' },
  signedContent: '{id}.{timestamp}.{body}',
  id: { header: 'webhook-id', prefix: '', separator: null },
  timestamp: {
    header: 'webhook-timestamp',
    prefix: '',
    separator: null,
    unit: 'seconds',
    toleranceSeconds: 300,
  },
};

export interface StandardWebhook {
  readonly id: string;
  readonly body: Uint8Array;
}

/**
 * Returns the headers that prove the sender and the time of a webhook.
 *
 * @param secret as {@link readSigningSecret} returns it
 * @param now milliseconds since the epoch
 */
export function signWebhook(
  { id, body }: StandardWebhook,
  secret: string,
  now: number,
): Record<string, string> {
  return signRequest(scheme, { id, body, now, url: '' }, secret);
}

/**
 * Finds the signing secret in a stored value. The value is JSON `{"secret": "..."}` with base64, with or without `whsec_` before it, or a
 * text that begins with `whsec_`.
 *
 * @returns the secret with `whsec_` before it; undefined if the value holds no usable secret
 */
export function readSigningSecret(stored: string): string | undefined {
  const field = secretField(stored);
  const text = (field ?? stored).trim();
  if (field === undefined && !text.startsWith(prefix)) return undefined;
  const secret = text.startsWith(prefix) ? text : prefix + text;
  return isUsableSecret(scheme, secret) ? secret : undefined;
}

function secretField(stored: string): string | undefined {
  const value = parseJson(stored);
  return isObject(value) && typeof value.secret === 'string' ? value.secret : undefined;
}
