import * as z from 'zod';
import {
  type Card,
  type ContactInput,
  cardListing,
  contactId,
  decodeAnswer,
  type WebhookConfig,
  type WebhookInput,
  webhookConfig,
  webhookConfigOrNothing,
} from './answers.ts';
import type { Result } from './request.ts';
import { createSession, type Operation, type SessionOptions } from './session.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The SMS service's HTTP API. No call throws: each gives its value or a {@link Result} with the error.
 * Calls authorize themselves: one token serves them all, and one new token is fetched if the service refuses it.
 */
export interface SmsServiceClient {
  /** Creates the contact, or updates the one with the same phone; gives its UUID. */
  createContact(contact: ContactInput): Promise<Result<string>>;
  /** The cards saved on the account. */
  listCards(): Promise<Result<Card[]>>;
  /** The webhook's configuration; empty texts where none was ever made. */
  readWebhook(): Promise<Result<WebhookConfig>>;
  /** Sets the webhook. With `rotate_secret` it is tried again only where the service refused it (429). */
  setWebhook(webhook: WebhookInput): Promise<Result<WebhookConfig>>;
  /** Revokes the token in use, if there is one and the contract knows how. */
  revokeToken(): Promise<Result<void>>;
  /**
   * Any other operation: the service's document tells their names, not their paths.
   * GET, PUT and DELETE are tried again after timeouts and 5xx; POST and PATCH are not, they may buy or send something.
   *
   * @example
   * const answer = z.object({ credits: z.number() });
   * const balance = await client.request('GET', '/v1/account/balance', undefined, answer);
   */
  request(method: HttpMethod, path: `/${string}`, body?: unknown): Promise<Result<unknown>>;
  request<T>(method: HttpMethod, path: `/${string}`, body: unknown, answer: z.ZodType<T>): Promise<Result<T>>;
}

const contactStore = { method: 'POST', path: '/v1/contacts/store' };
const savedCards = { method: 'GET', path: '/v1/billing/cards' };
const webhook = { path: '/v1/account/webhook' };

/**
 * @example
 * const client = createSmsServiceClient({ baseUrl, token: contract.service.token, apiKey, ports: systemPorts });
 * const webhook = await client.readWebhook();
 * if (!webhook.ok) throw new Error(describeError(webhook.error));
 */
export function createSmsServiceClient(options: SessionOptions): SmsServiceClient {
  const session = createSession(options);

  function call<T>(operation: Operation, answer: z.ZodType<T>): Promise<Result<T>> {
    return session.call(operation, (text) => decodeAnswer(answer, text));
  }

  function hidingSecret(result: Result<WebhookConfig>): Result<WebhookConfig> {
    if (result.ok) session.hide(result.value.secret);
    return result;
  }

  function request(method: HttpMethod, path: `/${string}`, body?: unknown): Promise<Result<unknown>>;
  function request<T>(
    method: HttpMethod,
    path: `/${string}`,
    body: unknown,
    answer: z.ZodType<T>,
  ): Promise<Result<T>>;
  function request(method: HttpMethod, path: `/${string}`, body?: unknown, answer: z.ZodType = z.unknown()) {
    const repeatable = method !== 'POST' && method !== 'PATCH';
    return call({ name: `${method} request`, method, path, body, repeatable }, answer);
  }

  return {
    createContact: (body) =>
      call({ name: 'create contact', ...contactStore, body, repeatable: true }, contactId),

    async listCards() {
      const result = await call({ name: 'list saved cards', ...savedCards, repeatable: true }, cardListing);
      return result.ok ? { ok: true, value: result.value.data } : result;
    },

    async readWebhook() {
      const operation = { name: 'read webhook', method: 'GET', ...webhook, repeatable: true };
      const result = await call(operation, webhookConfigOrNothing);
      if (result.ok) return hidingSecret(result);
      // Not the token exchange's 404: that one says that the contract is wrong.
      const { kind, operation: failedOperation } = result.error;
      const isAbsent = kind === 'not-found' && failedOperation === operation.name;
      return isAbsent ? { ok: true, value: { url: '', secret: '' } } : result;
    },

    async setWebhook(body) {
      // Each applied rotation makes another secret.
      const repeatable = body.rotate_secret !== true;
      const operation = { name: 'set webhook', method: 'PUT', ...webhook, body, repeatable };
      return hidingSecret(await call(operation, webhookConfig));
    },

    revokeToken: () => session.revoke(),

    request,
  };
}
