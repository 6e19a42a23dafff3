import { expect, it } from 'vitest';
import { eventsOf, receivedAt } from './support/preset.ts';

/* The field scts has another zone in the receipt "accepted" than in "delivered" (Vonage/vonage-php-sdk-core, issue 173). */

const receipt = (status: string, scts: string, time: string) =>
  eventsOf(
    'vonage-sms',
    `msisdn=12025550111&to=AcmeInc&network-code=310410&messageId=0B11&price=0.03330000&status=${status}&scts=${scts}&err-code=0&api-key=abcd1234${time}`,
  )[0];

it('the time of a receipt is message-timestamp, in UTC', () => {
  expect(receipt('accepted', '2611281804', '&message-timestamp=2026-11-28+18%3A04%3A17')?.occurredAt).toBe(
    '2026-11-28T18:04:17.000Z',
  );
  expect(receipt('delivered', '2611282004', '&message-timestamp=2026-11-28+18%3A04%3A20')?.occurredAt).toBe(
    '2026-11-28T18:04:20.000Z',
  );
});

it.each([
  ['accepted', '2611281804'],
  ['delivered', '2611282004'],
])('without it, a receipt "%s" counts at its receipt and is marked', (status, scts) => {
  expect(receipt(status, scts, '')).toMatchObject({ occurredAt: receivedAt, timeIs: 'received' });
});

it('the code 0 is no error', () => {
  expect(receipt('accepted', '2611281804', '')).not.toHaveProperty('errorCode');
});
