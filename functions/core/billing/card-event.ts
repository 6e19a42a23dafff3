import type { BusEvent } from '../bus/bus-event.ts';
import { detailTypes } from '../bus/detail-types.ts';
import { busEventId } from '../bus/event-id.ts';
import type { CardProblem } from './card-expiry.ts';

/** The event of a problem; the same problem has the same id every day. It holds neither number, name nor alias. */
export function cardEvent(problem: CardProblem): BusEvent {
  const { state } = problem;
  const detailType = detailTypes.cardExpiring;
  if (state === 'no-default-card')
    return { detailType, detail: { version: 1, eventId: busEventId('card', state, '', ''), state } };
  const { card, endsAt } = problem;
  const eventId = busEventId('card', state, card.id, card.validate);
  const expiresAt = new Date(endsAt).toISOString();
  return { detailType, detail: { version: 1, eventId, state, cardId: card.id, expiresAt } };
}
