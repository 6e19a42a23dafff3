import type { HmacSignatureContract } from '../../../contract/schema/contract-schema.ts';
import { isUsableSecret } from '../../../contract/signature/hmac.ts';
import { signRequest } from '../../../contract/signature/sign.ts';

/** What a secret begins with. */
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
 * The headers that prove to a receiver who sent a webhook and when.
 *
 * @param secret one that {@link readSigningSecret} gave
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
 * Finds the signing secret in what a secret store keeps: JSON `{"secret": "..."}`, whose text is base64 with or without
 * `whsec_` before it, or nothing but the text with `whsec_`.
 *
 * @returns the secret with `whsec_` before it; undefined where there is none that can sign
 */
export function readSigningSecret(stored: string): string | undefined {
  const field = secretField(stored);
  const text = (field ?? stored).trim();
  if (field === undefined && !text.startsWith(prefix)) return undefined;
  const secret = text.startsWith(prefix) ? text : prefix + text;
  return isUsableSecret(scheme, secret) ? secret : undefined;
}

function secretField(stored: string): string | undefined {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== 'object' || value === null || !('secret' in value)) return undefined;
    return typeof value.secret === 'string' ? value.secret : undefined;
  } catch {
    return undefined;
  }
}
