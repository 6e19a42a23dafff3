import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CardExpiryError,
  cardEvent,
  cardProblem,
  endOfValidity,
  type SavedCard,
} from '../../../../../functions/automations/billing-watch/card-expiry.ts';
import { assertProperty } from '../../../../support/property.ts';

const id = '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a01';
const at = (time: string) => Date.parse(time);
const card = (validate: string, rest: Partial<SavedCard> = {}): SavedCard => ({
  id,
  validate,
  default: true,
  ...rest,
});

describe('the end of the month in which a card is valid', () => {
  it.each([
    ['01/26', '2026-01-31T23:59:59.999Z'],
    ['02/26', '2026-02-28T23:59:59.999Z'],
    ['02/28', '2028-02-29T23:59:59.999Z'],
    ['04/30', '2030-04-30T23:59:59.999Z'],
    ['12/26', '2026-12-31T23:59:59.999Z'],
    ['12/99', '1999-12-31T23:59:59.999Z'],
    ['06/00', '2000-06-30T23:59:59.999Z'],
  ])('%s is %s', (validate, end) => {
    expect(new Date(endOfValidity(validate, at('2026-01-15T12:00:00Z'))).toISOString()).toBe(end);
  });

  it('is that of any month within 49 years, one moment before the next month begins', () => {
    const when = fc.record({
      now: fc.date({ min: new Date('2020-01-01'), max: new Date('2420-01-01'), noInvalidDate: true }),
      away: fc.integer({ min: -50, max: 49 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    assertProperty(
      fc.property(when, ({ now, away, month }) => {
        const year = now.getUTCFullYear() + away;
        const two = (value: number) => String(value % 100).padStart(2, '0');
        const end = new Date(endOfValidity(`${two(month)}/${two(year)}`, now.getTime()));
        expect([end.getUTCFullYear(), end.getUTCMonth() + 1]).toEqual([year, month]);
        const next = new Date(end.getTime() + 1);
        expect(next.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
      }),
    );
  });

  it.each(['', '13/26', '00/26', '1/26', '01/2026', '0126', '01-26', '01/26 ', '2026-01'])(
    'is unknown for %j, and the error does not repeat it',
    (validate) => {
      const attempt = () => endOfValidity(validate, 0);
      expect(attempt).toThrow(CardExpiryError);
      expect(attempt).toThrow(/^the expiry of the default card is not MM\/YY$/);
    },
  );
});

describe('a problem with the cards', () => {
  const end = at('2026-01-31T23:59:59.999Z');
  const dayMs = 86_400_000;

  it.each([
    ['good until the days watched begin', end - 30 * dayMs - 1, undefined],
    ['expiring from then on', end - 30 * dayMs, 'expiring'],
    ['expiring in its last millisecond', end, 'expiring'],
    ['expired after it', end + 1, 'expired'],
    ['expired long ago', end + 4_000 * dayMs, 'expired'],
  ])('is %s', (_, now, state) => {
    expect(cardProblem([card('01/26')], now)?.state).toBe(state);
  });

  it.each([
    ['there is no card', []],
    ['none is the default', [card('01/40', { default: false }), card('unreadable', { default: false })]],
  ])('is that %s', (_, cards) => {
    expect(cardProblem(cards, end)).toEqual({ state: 'no-default-card' });
  });

  it('concerns only the default card, whatever the others are', () => {
    expect(cardProblem([card('01/20', { default: false }), card('01/30')], end)).toBeUndefined();
  });

  it('concerns the default card that expires first, if several cards are the default', () => {
    const other = '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a02';
    expect(cardProblem([card('01/30'), card('02/26', { id: other })], end)).toMatchObject({
      state: 'expiring',
      card: { id: other },
    });
  });
});

describe('the event of a problem', () => {
  const now = at('2026-01-15T12:00:00Z');
  const eventOf = (cards: readonly SavedCard[], day = now) => {
    const problem = cardProblem(cards, day);
    return problem && cardEvent(problem, day);
  };

  it('has the id of the card and its expiry, and no other data of the card', () => {
    const saved = { ...card('01/26'), number: '4242', name: 'ADA EXAMPLE', alias: 'Main card' };
    expect(eventOf([saved])).toEqual({
      detailType: 'SMS Billing Card Expiring',
      detail: {
        version: 1,
        eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
        state: 'expiring',
        cardId: id,
        expiresAt: '2026-01-31T23:59:59.999Z',
      },
    });
  });

  it('has no card if none is the default', () => {
    expect(eventOf([])?.detail).toEqual({
      version: 1,
      eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      state: 'no-default-card',
    });
  });

  it('has the same id every day, and a different one for another state, card or expiry', () => {
    const eventId = (...args: Parameters<typeof eventOf>) => eventOf(...args)?.detail.eventId;
    const first = eventId([card('01/26')]);
    expect(eventId([card('01/26')], now + 86_400_000)).toBe(first);
    const others = [
      eventId([card('01/26')], at('2026-02-01T00:00:00Z')),
      eventId([card('12/25')]),
      eventId([card('01/26', { id: '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a02' })]),
      eventId([]),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it('has the same id all month if no card is the default, and a different one the next month or year', () => {
    const eventId = (day: string) => eventOf([], at(day))?.detail.eventId;
    expect(eventId('2026-01-31T23:59:59.999Z')).toBe(eventId('2026-01-01T00:00:00Z'));
    const days = ['2026-01-31T12:00:00Z', '2026-02-01T00:00:00Z', '2027-01-31T12:00:00Z'];
    expect(new Set(days.map(eventId)).size).toBe(3);
  });
});
