import { expect, it } from 'vitest';
import { eventsOf } from './support/preset.ts';

/*
 * Real reports of MessageBird have price[amount], price[currency] and messagePartCount (nyaruka/courier, messagebird handler_test.go). Its own
 * examples write the plus of a time without encoding it.
 */

const encoded =
  'datacoding=plain&id=c03b03c03c03c03c03c03c03c03c03c0&mccmnc=310410&messageLength=170&messagePartCount=2&ported=0&price%5Bamount%5D=0.0145&price%5Bcurrency%5D=USD&recipient=12025550103&reference=r-3&status=delivered&statusDatetime=2026-11-28T18%3A06%3A13%2B00%3A00&statusReason=successfully+delivered';
const unencoded =
  'id=c03b03c03c03c03c03c03c03c03c03c0&mccmnc=310410&messagePartCount=2&price[amount]=0.0145&price[currency]=USD&recipient=12025550103&reference=r-3&status=delivered&statusErrorCode=&statusDatetime=2026-11-28T18:06:13+00:00';

it.each([
  ['messagebird-sms', encoded],
  ['messagebird-sms', unencoded],
  ['messagebird-sms-hmac', encoded],
])('%s: a report has its price, its parts and its time: %s', (preset, body) => {
  const [report] = eventsOf(preset, body);
  expect(report).toMatchObject({
    messageId: 'c03b03c03c03c03c03c03c03c03c03c0/12025550103',
    phone: '+12025550103',
    status: 'delivered',
    occurredAt: '2026-11-28T18:06:13.000Z',
    price: '0.0145',
    currency: 'USD',
    segments: 2,
  });
  expect(report).not.toHaveProperty('errorCode');
});
