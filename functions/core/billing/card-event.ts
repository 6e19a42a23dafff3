import type { BusEvent } from '../bus/bus-event.ts';
import { detailTypes } from '../bus/detail-types.ts';
import { busEventId } from '../bus/event-id.ts';
import type { CardProblem } from './card-expiry.ts';

/**
 * The event of a problem, which holds neither number, name nor alias. The same problem has the same id every day; that there is
 * no default card, every day of a month (UTC): it may be put right and come back.
 *
 * @param now milliseconds since the epoch
 */
export function cardEvent(problem: CardProblem, now: number): BusEvent {
  const { state } = problem;
  const detailType = detailTypes.cardExpiring;
  if (state === 'no-default-card') {
    const month = new Date(now).toISOString().slice(0, 'YYYY-MM'.length);
    return { detailType, detail: { version: 1, eventId: busEventId('card', state, month), state } };
  }
  const { card, endsAt } = problem;
  const eventId = busEventId('card', state, card.id, card.validate);
  const expiresAt = new Date(endsAt).toISOString();
  return { detailType, detail: { version: 1, eventId, state, cardId: card.id, expiresAt } };
}
