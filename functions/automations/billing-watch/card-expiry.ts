import { busEventId } from '../../publish/index.ts';
import { type BusEvent, detailTypes } from '../../publish/shapes.ts';

/** A saved card. */
export interface SavedCard {
  readonly id: string;
  /** MM/YY: the card is valid until the end of that month. */
  readonly validate: string;
  readonly default: boolean;
}

/** A problem with the cards of an account. */
export type CardProblem =
  | { readonly state: 'no-default-card' }
  | {
      readonly state: 'expiring' | 'expired';
      readonly card: SavedCard;
      /** The last millisecond of the month, in milliseconds since the epoch. */
      readonly endsAt: number;
    };

/** Thrown for an expiry that is not MM/YY. The message does not contain it. */
export class CardExpiryError extends Error {
  override readonly name = 'CardExpiryError';
}

/** A card that expires within this time is a problem, in milliseconds: 30 days. */
const watchedMs = 30 * 24 * 3_600_000;

/**
 * Returns the last millisecond (UTC) of the month in which a card expires. A two-digit year means the nearest year to now: in 2099, 01 is
 * 2101.
 *
 * @param validate MM/YY
 * @param now milliseconds since the epoch
 * @throws CardExpiryError
 */
export function endOfValidity(validate: string, now: number): number {
  const [, month, yearOfCentury] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(validate) ?? [];
  if (month === undefined || yearOfCentury === undefined)
    throw new CardExpiryError('the expiry of the default card is not MM/YY');
  const thisYear = new Date(now).getUTCFullYear();
  // From -50 to 49 years away.
  const ahead = ((((Number(yearOfCentury) - thisYear + 50) % 100) + 100) % 100) - 50;
  return Date.UTC(thisYear + ahead, Number(month), 1) - 1;
}

/**
 * Returns the problem with the default card: it expires within 30 days, has expired, or is missing. If several cards are the
 * default, the first to expire counts.
 *
 * @param now milliseconds since the epoch
 * @returns undefined if there is no problem
 * @throws CardExpiryError if the expiry of a default card cannot be read
 */
export function cardProblem(cards: readonly SavedCard[], now: number): CardProblem | undefined {
  const [soonest] = cards
    .filter((card) => card.default)
    .map((card) => ({ card, endsAt: endOfValidity(card.validate, now) }))
    .sort((a, b) => a.endsAt - b.endsAt);
  if (soonest === undefined) return { state: 'no-default-card' };
  if (soonest.endsAt < now) return { state: 'expired', ...soonest };
  return soonest.endsAt - now <= watchedMs ? { state: 'expiring', ...soonest } : undefined;
}

/**
 * Returns the event of a problem, without the number, name and alias of the card. The same problem has the same id every day. A missing
 * default card has the same id for a month (UTC), because it may be fixed and occur again.
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
