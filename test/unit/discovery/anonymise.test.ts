import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { anonymise } from '../../../discovery/anonymise.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';

const reply = {
  type: 'sms.reply',
  at: '2026-03-09T08:07:06.123+02:00',
  account: 'Acme Ltd',
  agent: 'Ann',
  contact: 'ann@acme.example',
  profile: 'https://acme.example/ann',
  price: 0.0051,
  parts: 2,
  final: true,
  note: null,
  tags: ['vip', 'vip'],
  data: {
    id: '7be1c2d3-4f5a-4b6c-8d9e-0f1a2b3c4d5e',
    message_id: 'MSG-77881-xy',
    from: '(202) 555-0187',
    to: '12025550199',
    text: 'Call me at +1 202 555 0188',
    occurred_at: '2026-03-09T06:07:05Z',
  },
};

function made(body: unknown, contract: Contract = shippedContract): unknown {
  return anonymise(body, { kind: 'sms.reply', depth: 0 }, contract);
}

describe('anonymise', () => {
  it('keeps the format of every value, and nothing of the value itself', () => {
    const copy = made(reply);
    expect(copy).toEqual({
      type: 'sms.reply',
      at: '2026-01-15T12:00:01.000+02:00',
      account: 'Text',
      agent: expect.stringMatching(/^[A-Z][a-z]{2}$/),
      contact: 'person@example.com',
      profile: 'https://example.com/',
      price: expect.any(Number),
      parts: 2,
      final: true,
      note: null,
      tags: [expect.stringMatching(/^[a-z]{3}$/), expect.stringMatching(/^[a-z]{3}$/)],
      data: {
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/),
        message_id: expect.stringMatching(/^[A-Z]{3}-\d{5}-[a-z]{2}$/),
        from: '(202) 555-0143',
        to: '12025550100',
        text: 'Text',
        occurred_at: '2026-01-15T12:00:00Z',
      },
    });
    expect(JSON.stringify(copy)).not.toMatch(/Acme|Ann|vip|7be1c2d3|77881|018[78]|0199|03-09|0\.0051/i);
  });

  it('hides a text whose presence decides the kind', () => {
    const events = {
      ...shippedContract.events,
      kind: "data.text != `null` && 'sms.reply' || agent && 'sms.status'",
    };
    const copy = JSON.stringify(made(reply, { ...shippedContract, events }));
    expect(copy).not.toMatch(/Call me|Ann/);
  });

  it.each([
    '12025550187',
    '+1 202 555 0187',
    '202-555-0187',
    'n2025550.187',
    'ann@acme.example',
    'Ann Smith',
    'Smith,Ann',
    'José',
    '٢٠٢٥٥٥٠١٨٧',
  ])('leaves out the key %s, which may be personal data', (key) => {
    expect(made({ ...reply, [key]: 1, meta: { [key]: { state: 'x' }, other_key: null } })).toEqual({
      ...Object(made(reply)),
      meta: { other_key: null },
    });
  });

  it('keeps a key with a blank that the contract reads', () => {
    const { reply: fields, ...events } = shippedContract.events;
    const contract = {
      ...shippedContract,
      events: { ...events, reply: { ...fields, text: '"Reply Text"' } },
    };
    expect(made({ ...reply, 'Reply Text': 'Hello', 'Other Text': 'Hello' }, contract)).toMatchObject({
      'Reply Text': 'Text',
    });
    expect(made({ ...reply, 'Other Text': 'Hello' }, contract)).not.toHaveProperty('Other Text');
  });

  it.each([
    ['30003', true],
    ['EC-11', true],
    ['listed word', true],
    ['202-555-0187', false],
    ['Smith,Ann', false],
    ['Smith', false],
  ])('of errors keeps codes and words that the contract lists: %s', (code, isKept) => {
    const errors = { 'listed word': 'opted_out' } as const;
    const report = {
      type: 'sms.status',
      data: { id: 'm1', to: '12025550199', status: 'failed', error_code: code },
    };
    const contract = { ...shippedContract, errors };
    const status = { ...shippedContract.events.status, errorCode: 'data.error_code' };
    const copy = anonymise(
      report,
      { kind: 'sms.status', depth: 0 },
      { ...contract, events: { ...shippedContract.events, status } },
    );
    expect(Object(copy).data.error_code === code).toBe(isKept);
  });

  it('replaces equal values by equal values', () => {
    const copy = Object(made({ ...reply, replyTo: reply.data.message_id }));
    expect(copy.replyTo).toBe(copy.data.message_id);
    expect(copy.tags[0]).toBe(copy.tags[1]);
  });
});
