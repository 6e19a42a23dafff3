import { type Clock, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { SmsServiceClient } from '../../base/sms-service/service-client.ts';
import type { EventBus } from '../../publish/index.ts';
import type { BusEvent } from '../../publish/shapes.ts';
import { successOf } from '../runner/service-results.ts';
import { RetryLaterError } from '../runner/work-messages.ts';
import { CardExpiryError, cardEvent, cardProblem } from './card-expiry.ts';

export interface WatchDependencies {
  /** Returns a client whose calls end by the deadline, in milliseconds since the epoch. */
  readonly connect: (deadline: number) => Promise<Pick<SmsServiceClient, 'listCards'>>;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly log: Log;
}

/** Thrown if the event could not be published. The message holds the bus's name of the error. */
export class CardEventError extends Error {
  override readonly name = 'CardEventError';
}

/** Pauses between attempts to publish, in milliseconds. */
const pausesMs = [500, 2_000];

/** Time at the end of the invocation for publishing, in milliseconds. */
const reservedMs = 15_000;

/**
 * Reads the saved cards from the service and publishes a problem with the default one.
 *
 * @param remainingMs the time until the end of the invocation
 * @throws RetryLaterError, CardExpiryError or CardEventError if the cards could not be read or the event could not be published
 */
export async function watchCards(dependencies: WatchDependencies, remainingMs: number): Promise<void> {
  const { connect, bus, clock, sleep, log } = dependencies;
  try {
    const service = await connect(clock() + Math.max(remainingMs - reservedMs, 0));
    const cards = successOf(await service.listCards());
    const now = clock();
    const problem = cardProblem(cards, now);
    if (problem !== undefined) await publish(cardEvent(problem, now), bus, sleep);
    log('BILLING_CHECKED', { cards: cards.length, state: problem?.state ?? 'good' });
  } catch (error) {
    const isOurs =
      error instanceof RetryLaterError || error instanceof CardExpiryError || error instanceof CardEventError;
    log('BILLING_FAILED', {
      error: errorName(error),
      // The messages of other errors may quote their input.
      reason: isOurs ? error.message : null,
    });
    throw error;
  }
}

async function publish(
  event: BusEvent,
  bus: EventBus,
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const [result] = await bus.publish([event]);
    if (result?.kind === 'published') return;
    if (pauseMs === undefined || result?.kind === 'refused')
      throw new CardEventError(`not published: ${result?.error ?? 'no answer'}`);
    await sleep(pauseMs);
  }
}
