import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { isSharedSecret, signRequest } from '../../contract/signature/sign.ts';
import { createVerifier } from '../../contract/signature/verify.ts';

/** What a webhook's URL may be; an empty one deactivates it. */
export const webhookUrl = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/ })],
  'expected an http(s) URL or an empty text',
);

interface WebhookConfig {
  readonly url: string;
  readonly secret: string;
}

/** What is shown of the webhook without a token: never a secret. */
interface ShownWebhook {
  readonly url: string;
  readonly hasSecret: boolean;
  /** How often a secret took the place of another. */
  readonly rotations: number;
}

/** The account's webhook; empty texts until it is defined. */
export interface Webhook {
  config(): WebhookConfig;
  show(): ShownWebhook;
  /** The secret that events are signed with at this moment: for a while after a rotation it may be an older one. */
  signingSecret(): string;
  /** Whether a secret is the newest one: what is signed with an older one may be refused after the next rotation. */
  isNewest(signingSecret: string): boolean;
  /** Makes another secret where nobody could verify what this one signs: it was made for another scheme. @returns whether it did */
  renewUnfit(): boolean;
  /** A URL that is left out stays; the first URL brings the first secret. */
  change(wanted: { readonly url?: string | undefined; readonly rotates: boolean }): WebhookConfig;
}

/**
 * @param signatureNow the scheme that secrets are made for: it may change
 * @param oldSecretForMs for how many milliseconds after a rotation events are signed with the secret before
 */
export function createWebhook(
  signatureNow: () => SignatureContract,
  clock: () => number,
  oldSecretForMs: () => number,
): Webhook {
  let config: WebhookConfig = { url: '', secret: '' };
  let rotations = 0;
  /** The newest last, each with the time from which on it signs. */
  let signers: { readonly secret: string; readonly from: number }[] = [];

  function makeSecret(): string {
    const { told, signing } = generateSecret(signatureNow());
    const isFirst = config.secret === '';
    if (!isFirst) rotations++;
    const now = clock();
    const inForce = signers.findLastIndex(({ from }) => from <= now);
    const from = isFirst ? now : now + oldSecretForMs();
    signers = [...signers.slice(Math.max(0, inForce)), { secret: signing, from }];
    return told;
  }

  function signingSecret(): string {
    const now = clock();
    return signers.findLast(({ from }) => from <= now)?.secret ?? config.secret;
  }

  return {
    config: () => config,
    show: () => ({ url: config.url, hasSecret: config.secret !== '', rotations }),
    signingSecret,
    isNewest: (secret) => secret === (signers.at(-1)?.secret ?? config.secret),
    renewUnfit() {
      if (config.secret === '' || fits(signatureNow(), signingSecret(), config, clock())) return false;
      config = { ...config, secret: makeSecret() };
      signers = signers.slice(-1).map(({ secret }) => ({ secret, from: clock() }));
      return true;
    },
    change({ url = config.url, rotates }) {
      const needsSecret = rotates || (config.secret === '' && url !== '');
      config = { url, secret: needsSecret ? makeSecret() : config.secret };
      return config;
    },
  };
}

/** Whether what is signed with a secret is verified with the one that was told. */
function fits(
  signature: SignatureContract,
  signing: string,
  { url, secret }: WebhookConfig,
  now: number,
): boolean {
  const body = Buffer.from('{}');
  const headers = { 'content-type': 'application/json' };
  try {
    const signed = signRequest(signature, { body, id: 'msg_1', now, url, headers }, signing);
    const request = { body, url, headers: { ...headers, ...signed } };
    return createVerifier(signature)(request, [secret], now).kind === 'verified';
  } catch {
    return false;
  }
}

interface Secret {
  /** What the pipeline is told. */
  readonly told: string;
  /** What the service signs with: the same, or the private key of which it tells the public one. */
  readonly signing: string;
}

/** A secret as the contract's scheme expects one to be written. */
function generateSecret(signature: SignatureContract): Secret {
  if (!isSharedSecret(signature) && 'algorithm' in signature) return generateKeyPair(signature.algorithm);
  if (signature.scheme !== 'hmac' && signature.scheme !== 'jwt')
    return shared(randomBytes(32).toString('base64url'));
  const { prefix, encoding } = signature.secret;
  // Standard Webhooks asks for 24 to 64 bytes.
  const bytes = randomBytes(24);
  return shared(prefix + bytes.toString(encoding === 'base64' ? 'base64' : 'hex'));
}

const shared = (secret: string): Secret => ({ told: secret, signing: secret });

function generateKeyPair(algorithm: string): Secret {
  const { publicKey, privateKey } = /^rs/i.test(algorithm)
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : /^e(?:s|c)/i.test(algorithm)
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  return {
    told: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signing: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
