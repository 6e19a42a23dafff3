import * as z from 'zod';
import { decodeAnswer, ok, type Result } from '../../base/sms-service/request.ts';
import { createSession, type SessionOptions } from '../../base/sms-service/session.ts';
import { operations, type Registration } from '../registration.ts';

/** The path of the webhook's configuration. Its answers hold the signing secret. */
export const accountWebhookPath = '/v1/account/webhook';

/** The webhook's configuration; an empty url means that it is deactivated. */
interface WebhookConfig {
  readonly url: string;
  readonly secret: string;
}

const webhookConfig = z.object({ url: z.string(), secret: z.string() });

const textOrNothing = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** As {@link webhookConfig}. Values that are not set may be null or missing: the service's document does not show them. */
const webhookConfigOrNothing = z.preprocess(
  // Some services encode an empty object as an empty list.
  (value) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0) ? {} : value,
  z.object({ url: textOrNothing, secret: textOrNothing }),
);

/**
 * Registers at the service of the document: one webhook for an account, with a secret that the service makes and shows.
 *
 * @example
 * const registration = createAccountWebhook({ baseUrl, token: contract.service.token, apiKey, ports: systemPorts });
 * const webhook = await registration.read();
 * if (webhook.kind === 'error') throw new Error(describeError(webhook.error));
 */
export function createAccountWebhook(options: SessionOptions): Registration {
  const session = createSession(options);

  function hidingSecret(result: Result<WebhookConfig>): Result<WebhookConfig> {
    if (result.kind === 'ok') session.hide(result.value.secret);
    return result;
  }

  /** Sends PUT. Each rotation creates another secret, so it is retried only after a 429. */
  async function put(url: string, rotates: boolean): Promise<Result<WebhookConfig>> {
    const body = { url, rotate_secret: rotates };
    const call = { name: operations.set, method: 'PUT', path: accountWebhookPath };
    const operation = { ...call, body, repeatable: !rotates };
    return hidingSecret(await session.call(operation, (text) => decodeAnswer(webhookConfig, text)));
  }

  return {
    rotates: true,

    /** Answers with empty texts if no webhook was ever configured. */
    async read() {
      const call = { name: operations.read, method: 'GET', path: accountWebhookPath };
      const operation = { ...call, repeatable: true };
      const result = await session.call(operation, (text) => decodeAnswer(webhookConfigOrNothing, text));
      if (result.kind === 'ok') return hidingSecret(result);
      // A 404 of the token exchange means that the contract is wrong.
      const { kind, operation: failedOperation } = result.error;
      const isAbsent = kind === 'not-found' && failedOperation === operation.name;
      return isAbsent ? ok({ url: '', secret: '' }) : result;
    },

    set: (url) => put(url, false),
    rotate: (url) => put(url, true),
    deactivate: () => put('', false),
  };
}
