import { expect, it } from 'vitest';
import { expectedOf } from '../../../../contract/document/expected.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { formContract, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';

const sample = (name: string, type: string, data: object): Contract['samples'][number] => ({
  name,
  body: { type, data: { ...data } },
  becomes: [{ kind: type }],
});

it('expectedOf describes fields that every sample has, and fields that some have', () => {
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

it('expectedOf never expects a bulk send or an answered message in every event', () => {
  const expected = expectedOf(shippedContract);
  expect(expected['sms.status']).toMatchObject({ sendId: { types: ['string'], always: false } });
  expect(expected['sms.status']).toMatchObject({ messageId: { always: true } });
  expect(expected['sms.reply']).toMatchObject({
    replyId: { always: true },
    messageId: { types: ['string'], always: false },
    to: { types: ['string'], always: false },
  });
});

it('expectedOf never expects a cost or a route in every event', () => {
  const { price, currency, segments, network } = expectedOf(shippedContract)['sms.status'] ?? {};
  expect([price, currency, segments, network].map((field) => field?.always)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(segments?.types).toEqual(['number']);
});

it('expectedOf counts the empty text of a reply as a text', () => {
  const samples = [sample('a', 'sms.reply', { from: '12', text: '', occurred_at: 't' })];
  expect(expectedOf({ ...shippedContract, samples })['sms.reply']).toMatchObject({
    text: { types: ['string'], always: true },
    from: { phone: false },
  });
});

it('expectedOf reads forms, lists of events and national numbers', () => {
  expect(expectedOf(formContract)['sms.status']?.recipient).toEqual({
    types: ['string'],
    always: true,
    phone: true,
  });
  expect(expectedOf(nestedContract)['sms.status']).toMatchObject({
    messageId: { types: ['number'] },
    occurredAt: { types: ['number'] },
  });
});

it('expectedOf expects nothing without samples, or from samples that only show a signature', () => {
  expect(expectedOf({ ...shippedContract, samples: [] })).toEqual({});
  const { becomes: _, ...unmapped } = sample('a', 'sms.status', { id: 'a' });
  expect(expectedOf({ ...shippedContract, samples: [unmapped] })).toEqual({});
});

it('a field whose expression fails on a sample is one that events may lack', () => {
  const { events } = shippedContract;
  const status = { ...events.status, errorText: "join(': ', [data.status, data.reason])" };
  const contract = { ...shippedContract, events: { ...events, status } };
  expect(expectedOf(contract)['sms.status']).not.toHaveProperty('errorText');
});
