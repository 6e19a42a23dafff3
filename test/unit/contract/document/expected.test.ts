import { expect, it } from 'vitest';
import { expectedOf } from '../../../../contract/document/expected.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { formContract, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';

const sample = (name: string, type: string, data: object): Contract['samples'][number] => ({
  name,
  body: { type, data: { ...data } },
  becomes: [{ kind: type }],
});

it('is what every sample has, or some', () => {
  const samples = [
    sample('a', 'sms.status', {
      id: 'a',
      to: '+12025550143',
      send_id: 's',
      status: 'sent',
      occurred_at: 't',
    }),
    sample('b', 'sms.status', { id: 7, to: 'short', send_id: ' ', status: 'sent', occurred_at: 't' }),
  ];
  expect(expectedOf({ ...shippedContract, samples })).toEqual({
    'sms.status': {
      messageId: { types: ['string', 'number'], always: true, phone: false },
      recipient: { types: ['string'], always: true, phone: false },
      sendId: { types: ['string'], always: false, phone: false },
      status: { types: ['string'], always: true, phone: false },
      occurredAt: { types: ['string'], always: true, phone: false },
    },
  });
});

it('never takes an error for what every event has', () => {
  expect(expectedOf(shippedContract)['sms.status']).toMatchObject({
    errorCode: { always: false },
    errorText: { always: false },
    recipient: { always: true, phone: true },
  });
});

it('never takes what it belongs to for what every event has', () => {
  const expected = expectedOf(shippedContract);
  expect(expected['sms.status']).toMatchObject({ sendId: { types: ['string'], always: false } });
  expect(expected['sms.status']).toMatchObject({ messageId: { always: true } });
  expect(expected['sms.reply']).toMatchObject({
    replyId: { always: true },
    messageId: { types: ['string'], always: false },
    to: { types: ['string'], always: false },
  });
});

it('takes an empty text of a reply for a text', () => {
  const samples = [sample('a', 'sms.reply', { from: '12', text: '', occurred_at: 't' })];
  expect(expectedOf({ ...shippedContract, samples })['sms.reply']).toMatchObject({
    text: { types: ['string'], always: true },
    from: { phone: false },
  });
});

it('reads forms, lists of events and national numbers', () => {
  expect(expectedOf(formContract)['sms.status']?.recipient).toEqual({
    ...{ types: ['string'], always: true },
    phone: true,
  });
  expect(expectedOf(nestedContract)['sms.status']).toMatchObject({
    messageId: { types: ['number'] },
    occurredAt: { types: ['number'] },
  });
});

it('is nothing without samples, and nothing of samples that show a signature alone', () => {
  expect(expectedOf({ ...shippedContract, samples: [] })).toEqual({});
  const { becomes: _, ...unmapped } = sample('a', 'sms.status', { id: 'a' });
  expect(expectedOf({ ...shippedContract, samples: [unmapped] })).toEqual({});
});
