import * as z from 'zod';
import type { Operation } from './caller.ts';
import { decodeAnswer, ok, type Result } from './request.ts';
import { createSession, type SessionOptions } from './session.ts';

// These shapes hold the fields that the service's document shows, and leave out the others.

/** Body of contact creation. The service identifies a contact by its phone, so creating is an upsert. */
export interface ContactInput {
  readonly phone: string;
  readonly full_name?: string;
  readonly email?: string;
  /** UUIDs of the lists the contact is attached to. */
  readonly lists?: readonly string[];
}

const contactId = z.guid();

const card = z.object({
  id: z.guid(),
  /** The last 4 digits. */
  number: z.string(),
  name: z.string(),
  alias: z.string(),
  /** Expiry, as MM/YY. */
  validate: z.string(),
  flag: z.string(),
  default: z.boolean(),
});

/** A saved card. */
export type Card = z.output<typeof card>;

const cardListing = z.object({ data: z.array(card) });

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The SMS service's HTTP API. No call throws: each returns a {@link Result}.
 * All calls share one token; the client fetches a new one if the service rejects it.
 */
export interface SmsServiceClient {
  /** Creates the contact, or updates the one with the same phone. @returns its UUID */
  createContact(contact: ContactInput): Promise<Result<string>>;
  /** Lists the cards saved on the account. */
  listCards(): Promise<Result<Card[]>>;
  /**
   * Returns an answer without the key and the tokens that the client knows, and without what fields hold that are called as a secret is.
   *
   * @param onRemoved is called with the place of each, such as `data[0].client_secret`
   */
  withoutSecrets(answer: unknown, onRemoved: (place: string) => void): unknown;
  /** Revokes the token in use, if there is one and the contract defines how. */
  revokeToken(): Promise<Result<void>>;
  /**
   * Performs any other operation: the service's document names them without their paths.
   * GET, PUT and DELETE are retried after timeouts and 5xx. POST and PATCH are not: they may buy or send something.
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

/**
 * @example
 * const client = createSmsServiceClient({ baseUrl, token: contract.service.token, apiKey, ports: systemPorts });
 * const cards = await client.listCards();
 * if (cards.kind === 'error') throw new Error(describeError(cards.error));
 */
export function createSmsServiceClient(options: SessionOptions): SmsServiceClient {
  const session = createSession(options);

  function call<T>(operation: Operation, answer: z.ZodType<T>): Promise<Result<T>> {
    return session.call(operation, (text) => decodeAnswer(answer, text));
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
      return result.kind === 'ok' ? ok(result.value.data) : result;
    },

    withoutSecrets: session.clean,

    revokeToken: () => session.revoke(),

    request,
  };
}
