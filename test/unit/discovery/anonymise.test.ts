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

  it('returns nothing if a key may be personal data', () => {
    expect(made({ ...reply, '12025550187': 1 })).toBeUndefined();
    expect(made({ ...reply, meta: { 'ann@acme.example': 1 } })).toBeUndefined();
  });

  it('replaces equal values by equal values', () => {
    const copy = Object(made({ ...reply, replyTo: reply.data.message_id }));
    expect(copy.replyTo).toBe(copy.data.message_id);
    expect(copy.tags[0]).toBe(copy.tags[1]);
  });
});
