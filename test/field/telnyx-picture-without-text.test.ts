import { expect, it } from 'vitest';
import { eventsOf } from './support/preset.ts';

/* A picture that a person sends to Telnyx may have a text of null (simontelephonics/smsconnector, issue 77). */

const received = (text: string | null, subject = '') =>
  eventsOf(
    'telnyx',
    JSON.stringify({
      data: {
        event_type: 'message.received',
        id: 'ev-12',
        occurred_at: '2026-11-28T18:04:17.176+00:00',
        payload: {
          direction: 'inbound',
          from: { carrier: 'Test', line_type: 'Wireless', phone_number: '+12025550112' },
          id: 'mms-12',
          media: [
            { url: 'https://example.com/1.jpg', content_type: 'image/jpeg', size: 1 },
            { url: 'https://example.com/2.jpg', content_type: 'image/jpeg', size: 1 },
          ],
          subject,
          text,
          to: [{ phone_number: '+12025550100', status: 'webhook_delivered' }],
          type: 'MMS',
        },
      },
    }),
  );
const media = ['https://example.com/1.jpg', 'https://example.com/2.jpg'];

it.each([null, ''])('the reply is stored with its pictures and an empty text: %j', (text) => {
  expect(received(text)).toMatchObject([{ kind: 'sms.reply', from: '+12025550112', text: '', media }]);
});

it('the subject counts as the text if there is no other', () => {
  expect(received(null, 'STOP')).toMatchObject([{ text: 'STOP', media }]);
  expect(received('Thanks', 'Your order')).toMatchObject([{ text: 'Thanks' }]);
});
