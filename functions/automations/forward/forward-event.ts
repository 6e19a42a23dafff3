import type { EventReceiver, PostOutcome } from '../../adapters/event-receiver.ts';
import { detailTypes } from '../../core/bus/detail-types.ts';
import type { Clock } from '../../core/clock.ts';
import { forwardedEvent } from '../../core/forward/payload.ts';
import { signWebhook } from '../../core/forward/standard-webhook.ts';
import { readBusMessage } from '../bus-message.ts';
import { RetryLaterError } from '../work-messages.ts';
import type { SigningSecret } from './signing-secret.ts';

export interface ForwardDependencies {
  readonly receiver: EventReceiver;
  readonly secret: SigningSecret;
  readonly clock: Clock;
}

/** The receiver did not take an event; the message says how, without its URL or its words. */
export class ForwardError extends RetryLaterError {
  override readonly name = 'ForwardError';
}

/** A receiver may ask for a wait of up to this, instead of the schedule's. */
const longestWishSeconds = 3600;

const chosenTypes = Object.values(detailTypes);

/**
 * Posts an event of a queue message, signed; each try with a signature of its own time.
 *
 * @throws ForwardError unless the receiver answers 2xx
 * @throws BusMessageError where the message is no event
 */
export async function forwardEvent(
  body: string,
  { receiver, secret, clock }: ForwardDependencies,
): Promise<void> {
  const message = readBusMessage(body, chosenTypes);
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
    const hasWish = retryAfterMs !== null || status === 429;
    const wishSeconds = Math.min(Math.ceil((retryAfterMs ?? 0) / 1000), longestWishSeconds);
    throw new ForwardError(describe(outcome), hasWish ? wishSeconds : undefined);
  }
  throw new ForwardError(describe(outcome));
}

function describe(outcome: PostOutcome): string {
  if (outcome.kind === 'answered') return `the receiver answered ${outcome.status}`;
  if (outcome.kind === 'timeout') return 'the receiver did not answer in time';
  return `the receiver could not be reached (${outcome.code})`;
}
