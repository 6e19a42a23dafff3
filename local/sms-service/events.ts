import { randomInt, randomUUID } from 'node:crypto';
import { contentTypeOf, RenderError, renderEvent } from '../../contract/events/render.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { requestForm } from '../../contract/schema/request-form.ts';
import { signedRequest } from '../../contract/signature/sign.ts';
import { clockHeader } from '../aws-protocol/local-clock.ts';
import {
  type EventRequest,
  parseEventRequest,
  reportsOfMessage,
  type SandboxEvent,
} from './event-request.ts';
import type { Poster } from './poster.ts';
import { createRandom } from './random.ts';
import { errorAnswer, ok, type Problem, type Route } from './router.ts';
import { type SenderPorts, sendEvents } from './sender.ts';
import { generateSecret, type Webhook } from './webhook.ts';

/** The counts of the copies that were sent so far. */
interface DeliveryCounts {
  sent: number;
  accepted: number;
  failed: number;
  attempts: number;
}

export interface EventSender {
  readonly routes: readonly Route[];
  readonly counts: Readonly<DeliveryCounts>;
  /** Returns whether the events in flight and the next event are signed with the newest secret. */
  signsWithNewestOnly(): boolean;
}

export interface EventSenderPorts extends Omit<SenderPorts, 'random'> {
  readonly poster: Poster;
  /** Takes note of each delivery report, whether its event is posted or dropped. @param fields by the contract's names */
  readonly report: (fields: Readonly<Record<string, string>>) => void;
  /** The share of events that are dropped. */
  readonly dropEvents: () => number;
}

interface Delivery {
  readonly id: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Milliseconds since the epoch; undefined for the present. */
  readonly at: number | undefined;
  readonly isForged: boolean;
}

/**
 * Makes `POST /sandbox/events`, which sends signed events to the webhook and answers when all are sent, and `POST /sandbox/messages`, which
 * does so for the reports of a new message.
 */
export function createEventSender(
  currentContract: () => Contract,
  webhook: Webhook,
  ports: EventSenderPorts,
): EventSender {
  const counts: DeliveryCounts = { sent: 0, accepted: 0, failed: 0, attempts: 0 };
  /** The secrets of the events in flight, one entry for each event. */
  const inFlight = new Set<{ readonly secret: string }>();

  async function post({ id, body, contentType, at, isForged }: Delivery) {
    // Read for each attempt, because the webhook or its secret may have changed.
    const { url } = webhook.config();
    if (url === '' || ports.signal.aborted) return 'network';
    const headers = { 'content-type': contentType };
    const unsigned = { body, id, now: at ?? ports.clock(), url, headers };
    const form = requestForm(currentContract().webhook, undefined);
    const { signature, method } = form;
    const secret = isForged ? generateSecret(signature).signing : webhook.signingSecret();
    const signed = signedRequest(signature, unsigned, secret, form);
    const entry = { secret };
    inFlight.add(entry);
    try {
      const clock = at === undefined ? {} : { [clockHeader]: new Date(at).toISOString() };
      const sent = { ...headers, ...signed.headers, ...clock };
      return await ports.poster.post(signed.url, sent, signed.body, method);
    } finally {
      inFlight.delete(entry);
    }
  }

  async function send({ events, options: { seed = randomInt(2 ** 32), ...options } }: EventRequest) {
    if (webhook.config().url === '')
      return errorAnswer(409, 'Conflict', 'No webhook is registered, so events cannot be sent');
    const rendered = renderAll(currentContract(), events);
    if (rendered.kind === 'error')
      return errorAnswer(422, 'ValidationError', 'An event cannot be written', [rendered.error]);
    const random = createRandom(seed);
    const share = ports.dropEvents();
    const deliveries = share === 0 ? rendered.value : rendered.value.filter(() => random() >= share);
    for (const event of events)
      if (event.kind === 'sms.status' && !event.isForged) ports.report(event.fields);
    const summary = await sendEvents(
      deliveries.length,
      options,
      async (event) => {
        const delivery = deliveries[event];
        return delivery === undefined ? 'network' : post(delivery);
      },
      { ...ports, random },
    );
    counts.sent += summary.sent;
    counts.accepted += summary.accepted;
    counts.failed += summary.failed.length;
    counts.attempts += summary.attempts;
    return ok({ ...summary, seed });
  }

  const invalid = (problems: readonly Problem[]) =>
    errorAnswer(422, 'ValidationError', 'The request is not valid', problems);

  const sendEventsRoute: Route = {
    method: 'POST',
    path: '/sandbox/events',
    isProtected: false,
    answer: ({ text, query }) => {
      const request = parseEventRequest(text, query);
      return request.kind === 'error' ? invalid(request.problems) : send(request);
    },
  };

  const sendMessageRoute: Route = {
    method: 'POST',
    path: '/sandbox/messages',
    isProtected: false,
    answer: async ({ text }) => {
      const messageId = `msg_${randomUUID()}`;
      const request = reportsOfMessage(text, {
        messageId,
        now: new Date(ports.clock()).toISOString(),
        statuses: currentContract().statuses,
      });
      if (request.kind === 'error') return invalid(request.problems);
      const answer = await send(request);
      return answer.status === 200 ? ok({ messageId, ...(answer.body as object) }) : answer;
    },
  };
  return {
    routes: [sendEventsRoute, sendMessageRoute],
    counts,
    signsWithNewestOnly: () =>
      [webhook.signingSecret(), ...[...inFlight].map(({ secret }) => secret)].every(webhook.isNewest),
  };
}

type Rendered =
  | { readonly kind: 'ok'; readonly value: readonly Delivery[] }
  | { readonly kind: 'error'; readonly error: Problem };

/** Renders each event with its id, or a new one. Repeats and retries of an event have the same id. */
function renderAll(contract: Contract, events: readonly SandboxEvent[]): Rendered {
  const deliveries: Delivery[] = [];
  for (const [index, event] of events.entries()) {
    try {
      const { id = `msg_${randomUUID()}`, isForged } = event;
      const at = event.at === undefined ? undefined : Date.parse(event.at);
      const rendered =
        event.kind === 'body'
          ? { body: Buffer.from(event.body), contentType: contentTypeOf(contract) }
          : renderEvent(contract, { kind: event.kind, fields: event.fields, eventId: id });
      deliveries.push({ id, at, isForged, ...rendered });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return { kind: 'error', error: { path: `events.${index}`, message: error.message } };
    }
  }
  return { kind: 'ok', value: deliveries };
}
