import { randomInt, randomUUID } from 'node:crypto';
import { RenderError, renderEvent } from '../../contract/events/render.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { signRequest } from '../../contract/signature/sign.ts';
import { parseEventRequest, type SandboxEvent } from './event-request.ts';
import type { Poster } from './poster.ts';
import { createRandom } from './random.ts';
import { errorAnswer, ok, type Problem, type Route } from './router.ts';
import { type SenderPorts, sendEvents } from './sender.ts';
import type { Webhook } from './webhook.ts';

/** How many copies were sent so far, and what came of them. */
interface DeliveryCounts {
  sent: number;
  accepted: number;
  failed: number;
  attempts: number;
}

export interface EventSender {
  readonly routes: readonly Route[];
  readonly counts: Readonly<DeliveryCounts>;
  /** Whether each event under way is signed with the newest secret, and so will be the next one. */
  signsWithNewestOnly(): boolean;
}

export interface EventSenderPorts extends Omit<SenderPorts, 'random'> {
  readonly poster: Poster;
}

interface Delivery {
  readonly id: string;
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** `POST /sandbox/events`: sends signed events to the webhook and answers when all of it is done. */
export function createEventSender(
  contractNow: () => Contract,
  webhook: Webhook,
  ports: EventSenderPorts,
): EventSender {
  const counts: DeliveryCounts = { sent: 0, accepted: 0, failed: 0, attempts: 0 };
  /** The secrets of the events under way, one entry an event. */
  const signedWith = new Set<{ readonly secret: string }>();

  async function post({ id, body, contentType }: Delivery) {
    // Read for each try: the webhook or its secret may have changed since.
    const { url } = webhook.config();
    if (url === '' || ports.signal.aborted) return 'network';
    const headers = { 'content-type': contentType };
    const unsigned = { body, id, now: ports.clock(), url, headers };
    const secret = webhook.signingSecret();
    const signed = signRequest(contractNow().webhook.signature, unsigned, secret);
    const underWay = { secret };
    signedWith.add(underWay);
    try {
      return await ports.poster.post(url, { ...headers, ...signed }, body);
    } finally {
      signedWith.delete(underWay);
    }
  }

  const send: Route = {
    method: 'POST',
    path: '/sandbox/events',
    isProtected: false,
    answer: async ({ text, query }) => {
      const request = parseEventRequest(text, query);
      if (!request.ok)
        return errorAnswer(422, 'ValidationError', 'The request is not valid', request.problems);
      if (webhook.config().url === '')
        return errorAnswer(409, 'Conflict', 'No webhook is registered, so there is nowhere to send events');
      const rendered = renderAll(contractNow(), request.events);
      if (!rendered.ok)
        return errorAnswer(422, 'ValidationError', 'An event cannot be written', [rendered.problem]);
      const { seed = randomInt(2 ** 32), ...options } = request.options;
      const { deliveries } = rendered;
      const summary = await sendEvents(
        deliveries.length,
        options,
        async (event) => {
          const delivery = deliveries[event];
          return delivery === undefined ? 'network' : post(delivery);
        },
        { ...ports, random: createRandom(seed) },
      );
      counts.sent += summary.sent;
      counts.accepted += summary.accepted;
      counts.failed += summary.failed.length;
      counts.attempts += summary.attempts;
      return ok({ ...summary, seed });
    },
  };
  return {
    routes: [send],
    counts,
    signsWithNewestOnly: () =>
      [webhook.signingSecret(), ...[...signedWith].map(({ secret }) => secret)].every(webhook.isNewest),
  };
}

type Rendered =
  | { readonly ok: true; readonly deliveries: readonly Delivery[] }
  | { readonly ok: false; readonly problem: Problem };

/** Each event with its id; repeats and retries of an event carry the same one. */
function renderAll(contract: Contract, events: readonly SandboxEvent[]): Rendered {
  const deliveries: Delivery[] = [];
  for (const [index, event] of events.entries()) {
    try {
      const id = `msg_${randomUUID()}`;
      deliveries.push({ id, ...renderEvent(contract, { ...event, eventId: id }) });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return { ok: false, problem: { path: `events.${index}`, message: error.message } };
    }
  }
  return { ok: true, deliveries };
}
