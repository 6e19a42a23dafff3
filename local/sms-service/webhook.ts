import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { postedJson } from '../../contract/schema/request-form.ts';
import { isSharedSecret } from '../../contract/signature/keys.ts';
import { signedRequest } from '../../contract/signature/sign.ts';
import { createVerifier } from '../../contract/signature/verify.ts';

/** The URL of a webhook. An empty text deactivates the webhook. */
export const webhookUrl = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/ })],
  'expected an http(s) URL or an empty text',
);

interface WebhookConfig {
  readonly url: string;
  readonly secret: string;
}

/** The state of the webhook that is shown without a token. It contains no secret. */
interface ShownWebhook {
  readonly url: string;
  readonly hasSecret: boolean;
  /** The number of times a secret replaced another. */
  readonly rotations: number;
}

/** The account's webhook. Its URL and secret are empty until they are set. */
export interface Webhook {
  config(): WebhookConfig;
  show(): ShownWebhook;
  /** The secret that signs events now. For a while after a rotation it may be an older one. */
  signingSecret(): string;
  /** Returns whether a secret is the newest one. Events signed with an older one may be refused after the next rotation. */
  isNewest(signingSecret: string): boolean;
  /** Makes a new secret if the current one does not fit the signature scheme. @returns whether it did */
  renewIfUnfit(): boolean;
  /** Changes the URL if there is one, and the secret if `rotates`. The first URL makes the first secret. */
  change(change: { readonly url?: string | undefined; readonly rotates: boolean }): WebhookConfig;
}

/**
 * @param currentSignature the scheme that secrets are made for; it may change
 * @param oldSecretForMs how long after a rotation the previous secret signs events
 */
export function createWebhook(
  currentSignature: () => SignatureContract,
  clock: () => number,
  oldSecretForMs: () => number,
): Webhook {
  let config: WebhookConfig = { url: '', secret: '' };
  let rotations = 0;
  /** The secrets, newest last, each with the time at which it begins to sign. */
  let signers: { readonly secret: string; readonly from: number }[] = [];

  function makeSecret(): string {
    const { shown, signing } = generateSecret(currentSignature());
    const isFirst = config.secret === '';
    if (!isFirst) rotations++;
    const now = clock();
    const inForce = signers.findLastIndex(({ from }) => from <= now);
    const from = isFirst ? now : now + oldSecretForMs();
    signers = [...signers.slice(Math.max(0, inForce)), { secret: signing, from }];
    return shown;
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
    renewIfUnfit() {
      if (config.secret === '' || fits(currentSignature(), signingSecret(), config, clock())) return false;
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

/** Returns whether the pipeline's secret verifies what the service signs. */
function fits(
  signature: SignatureContract,
  signing: string,
  { url, secret }: WebhookConfig,
  now: number,
): boolean {
  const body = Buffer.from('{}');
  const headers = { 'content-type': 'application/json' };
  try {
    const signed = signedRequest(signature, { body, id: 'msg_1', now, url, headers }, signing, postedJson);
    const request = { ...signed, headers: { ...headers, ...signed.headers } };
    return createVerifier(signature, postedJson)(request, [secret], now).kind === 'verified';
  } catch {
    return false;
  }
}

interface Secret {
  /** The secret that the pipeline gets: a shared secret or a public key. */
  readonly shown: string;
  /** The secret that the service signs with: the same shared secret, or the private key. */
  readonly signing: string;
}

/** A secret as the contract's scheme expects one to be written. */
export function generateSecret(signature: SignatureContract): Secret {
  if (!isSharedSecret(signature) && 'algorithm' in signature) return generateKeyPair(signature.algorithm);
  if (signature.scheme !== 'hmac' && signature.scheme !== 'jwt')
    return shared(randomBytes(32).toString('base64url'));
  const { prefix, encoding } = signature.secret;
  // Standard Webhooks requires 24 to 64 bytes.
  const bytes = randomBytes(24);
  return shared(prefix + bytes.toString(encoding === 'base64' ? 'base64' : 'hex'));
}

const shared = (secret: string): Secret => ({ shown: secret, signing: secret });

function generateKeyPair(algorithm: string): Secret {
  const { publicKey, privateKey } = /^rs/i.test(algorithm)
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : /^e(?:s|c)/i.test(algorithm)
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  return {
    shown: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signing: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
