import type { Clock } from '../../base/basics.ts';
import { type BusEvent, detailTypes } from '../../publish/shapes.ts';
import { readBusMessage } from '../runner/bus-message.ts';
import { RetryLaterError } from '../runner/work-messages.ts';
import type { EventReceiver, PostOutcome } from './event-receiver-client.ts';
import type { SigningSecret } from './signing-secret-store.ts';
import { signWebhook } from './standard-webhook.ts';

/** The JSON body that a receiver gets (Standard Webhooks, "Webhook payload"). */
interface ForwardedEvent {
  /** The detail type. */
  readonly type: BusEvent['detailType'];
  /** When the cause of the event happened, or when the event was published if it has no time; ISO 8601. */
  readonly timestamp: string;
  readonly data: BusEvent['detail'];
}

/** @param publishedAt ISO 8601 */
function forwardedEvent({ detailType, detail }: BusEvent, publishedAt: string): ForwardedEvent {
  return { type: detailType, timestamp: timeOf(detail) ?? publishedAt, data: detail };
}

function timeOf(detail: BusEvent['detail']): string | undefined {
  if ('occurredAt' in detail) return detail.occurredAt;
  if ('staleAt' in detail) return detail.staleAt;
  return 'foundAt' in detail ? detail.foundAt : undefined;
}

const minute = 60;
const hour = 60 * minute;

/**
 * The waits in seconds between the attempts to forward an event: just under 24 hours in all, then it goes to the dead-letter queue. They grow, so
 * that a short outage delays little and a long one does not end in a flood (Standard Webhooks, "Deliverability and reliability"). SQS hides a
 * message for at most 12 hours.
 */
export const forwardDelaysSeconds: readonly number[] = [
  5,
  30,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
];

export interface ForwardDependencies {
  readonly receiver: EventReceiver;
  readonly secret: SigningSecret;
  readonly clock: Clock;
}

/** Thrown if the receiver did not accept an event. The message names the reason, without the URL and the receiver's words. */
export class ForwardError extends RetryLaterError {
  override readonly name = 'ForwardError';
}

const allTypes = Object.values(detailTypes);

/**
 * Posts the event of a queue message. Each attempt is signed with its own time.
 *
 * @throws ForwardError unless the receiver answers 2xx
 * @throws BusMessageError if the message is no event
 */
export async function forwardEvent(
  body: string,
  { receiver, secret, clock }: ForwardDependencies,
): Promise<void> {
  const message = readBusMessage(body, allTypes);
  const payload = Buffer.from(JSON.stringify(forwardedEvent(message, message.publishedAt)));
  const signedWith = await secret.current();
  const outcome = await receiver.post(payload, {
    'content-type': 'application/json',
    'user-agent': 'sms-event-pipeline',
    ...signWebhook({ id: message.detail.eventId, body: payload }, signedWith, clock()),
  });
  if (outcome.kind === 'answered') {
    const { status, retryAfterMs } = outcome;
    if (status >= 200 && status <= 299) return;
    if (status === 401 || status === 403) secret.forget(signedWith);
    const asksToWait = retryAfterMs !== null || status === 429;
    // The wait that the receiver asks for replaces that of the schedule.
    const requestedSeconds = Math.ceil((retryAfterMs ?? 0) / 1000);
    throw new ForwardError(describe(outcome), asksToWait ? requestedSeconds : undefined);
  }
  throw new ForwardError(describe(outcome));
}

function describe(outcome: PostOutcome): string {
  if (outcome.kind === 'answered') return `the receiver answered ${outcome.status}`;
  if (outcome.kind === 'timeout') return 'the receiver did not answer in time';
  return `the receiver could not be reached (${outcome.code})`;
}
