import { setTimeout } from 'node:timers/promises';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { closeServer, listen, loopbackUrl, portOf } from '../aws-protocol/http.ts';
import { createCards, createContacts } from './contacts.ts';
import { createEventSender } from './events.ts';
import { createFaults } from './faults.ts';
import { createMessages } from './messages.ts';
import { createPoster } from './poster.ts';
import { createListener, ok, type Route } from './router.ts';
import { createTokens } from './token.ts';
import { createWebhook } from './webhook.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface SmsServiceSandboxOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** Describes what the service's document leaves out: token exchange, signature, events. */
  readonly contract: Contract;
  /** The only API key that the sandbox accepts. */
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

export interface SmsServiceSandbox {
  /** Without a slash at its end. */
  readonly url: string;
  /**
   * Uses another contract for later events and signatures.
   *
   * @returns whether its scheme needed a new secret, which the pipeline does not have yet
   */
  useContract(contract: Contract): boolean;
  /** Stops serving and sending. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in of the SMS service: the documented operations and errors, the contract's token exchange, and addresses for tests under
 * `/sandbox`: `GET /sandbox/state`, `POST /sandbox/events`, `POST /sandbox/webhook`
 * (a change that the pipeline does not make), `PUT /sandbox/cards`, `GET` and `PUT /sandbox/faults`.
 */
export async function startSmsService(options: SmsServiceSandboxOptions): Promise<SmsServiceSandbox> {
  const { contract, clock = Date.now } = options;
  const tokens = createTokens(contract, options.apiKey, clock);
  const faults = createFaults(tokens.expireAll);
  const contacts = createContacts(faults);
  const cards = createCards();
  let contractInUse = contract;
  const webhook = createWebhook(
    () => contractInUse.webhook.signature,
    clock,
    () => faults.current().oldSecretForMs,
  );
  const poster = createPoster();
  const closing = new AbortController();
  const { signal } = closing;
  const { sleep = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined) } = options;
  const messages = createMessages(faults);
  const sender = createEventSender(() => contractInUse, webhook, {
    clock,
    poster,
    sleep,
    signal,
    report: messages.report,
    dropEvents: () => faults.current().dropEvents,
  });

  const state: Route = {
    method: 'GET',
    path: '/sandbox/state',
    isProtected: false,
    answer: () =>
      ok({
        webhook: webhook.show(),
        contacts: contacts.all(),
        tokens: tokens.count(),
        lookups: messages.lookups(),
        deliveries: { ...sender.counts, signsWithNewestOnly: sender.signsWithNewestOnly() },
      }),
  };
  const routes = [
    ...tokens.routes,
    ...contacts.routes,
    ...cards.routes,
    ...messages.routes,
    ...webhookRoutes(webhook, faults, { clock, sleep }),
    ...faults.routes,
    state,
    ...sender.routes,
  ];

  const server = await listen(options.port, createListener(routes, tokens.isValid));
  return {
    url: loopbackUrl(portOf(server)),
    useContract(other) {
      contractInUse = other;
      return webhook.renewIfUnfit();
    },
    async close() {
      closing.abort();
      poster.close();
      await closeServer(server);
    },
  };
}
