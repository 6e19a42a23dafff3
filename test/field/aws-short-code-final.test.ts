import { expect, it } from 'vitest';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import { eventsOf } from './support/preset.ts';

/* From a short code, AWS sends TEXT_SUCCESSFUL with isFinal true, and nothing after it (cds-snc/notification-api, pull request 2189). */

const event = (eventType: string, isFinal: boolean) => ({
  eventType,
  eventVersion: '1.0',
  eventTimestamp: 1795889569654,
  isFinal,
  originationPhoneNumber: '51515',
  destinationPhoneNumber: '+14165550122',
  messageId: 'short-22',
  messageStatus: eventType.replace('TEXT_', ''),
  messageStatusDescription: 'Message has been accepted by phone carrier',
  totalMessageParts: 1,
  totalMessagePrice: 0.0065,
  totalCarrierFee: 0.0027,
});
const envelope = (detail: object) => ({
  id: 'ev-22',
  'detail-type': 'Text Message Delivery Status Updated',
  detail,
});

it.each<[string, (detail: object) => object]>([
  ['aws-end-user-messaging-bare', (detail) => detail],
  ['aws-end-user-messaging-eventbridge', envelope],
])('%s: the message ends with its last report', (preset, body) => {
  const read = (eventType: string, isFinal: boolean) => {
    const [report] = eventsOf(preset, JSON.stringify(body(event(eventType, isFinal))));
    if (report?.kind !== 'sms.status') throw new Error('expected a delivery report');
    return report;
  };
  const last = read('TEXT_SUCCESSFUL', true);
  expect(last).toMatchObject({ status: 'unknown', word: 'TEXT_SUCCESSFUL' });
  expect(outcomeOf(last.rank)).toBe('unknown');
  for (const field of ['errorCode', 'errorText']) expect(last).not.toHaveProperty(field);

  const open = read('TEXT_SUCCESSFUL', false);
  expect(open).toMatchObject({ status: 'sent' });
  expect(outcomeOf(open.rank)).toBe('open');

  // A flag takes nothing from a report that says how the message ended.
  expect(read('TEXT_DELIVERED', true)).toMatchObject({ status: 'delivered' });
  expect(read('TEXT_SPAM', true)).toMatchObject({ status: 'undelivered', errorReason: 'spam' });
});
