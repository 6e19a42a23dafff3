import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, rankOf } from '../../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../../../functions/base/basics.ts';
import { stateOf, UnreadableItemError } from '../../../../functions/history/item-keys.ts';
import type { Message, StatusEntry } from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../../functions/history/message-item.ts';
import { assertProperty } from '../../../support/property.ts';

const settings = { retentionDays: 400, listShards: 16 };
const generation = '010203040506';
const times = fc
  .integer({ min: 0, max: Date.UTC(2999, 0) })
  .map((milliseconds) => new Date(milliseconds).toISOString());
const text = fc.string({ unit: 'binary' });
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const states = fc.oneof(
  fc.constantFrom(...canonicalStatuses).map((status) => ({ status, rank: rankOf(status) })),
  text.map((status) => ({ status, rank: 0 })),
);
const entries: fc.Arbitrary<StatusEntry> = fc
  .record({
    eventId: fc.oneof(fc.stringMatching(/^[\x21-\x7e]{1,128}$/), fc.uuid()),
    state: states,
    occurredAt: times,
    receivedAt: times,
    more: fc.record({
      word: optional(text),
      errorCode: optional(text),
      errorText: optional(text),
      original: optional(text),
      price: optional(fc.constantFrom('0', '0.0079')),
      segments: optional(fc.integer({ min: 1, max: 255 })),
      network: optional(fc.constant('310410')),
      carrier: optional(text),
    }),
  })
  .map(({ state, more, ...entry }) => ({
    ...entry,
    ...state,
    ...omitUndefined(more),
    ...(more.price !== undefined && { currency: 'USD' }),
  }));
const messages: fc.Arbitrary<Message> = fc
  .record({
    messageId: fc.oneof(fc.uuid(), text, fc.constantFrom('sha256:x', 'x'.repeat(3000))),
    phone: optional(fc.oneof(text, fc.constantFrom('+12025550143', '+5215512345678', '447911123456'))),
    sendId: optional(fc.oneof(fc.uuid(), text, fc.constant('x'.repeat(3000)))),
    firstSeenAt: times,
    events: fc.uniqueArray(entries, { minLength: 1, maxLength: 5, selector: ({ eventId }) => eventId }),
  })
  .map(({ phone, sendId, events, ...message }) => ({
    ...message,
    ...omitUndefined({ phone, sendId }),
    events: new Map(events.map((entry) => [entry.eventId, entry])),
  }));

/** The database keeps well-formed text only, and never binary values here. */
const kept = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part)),
  );

describe('the item of a message', () => {
  it('is read back as it was written, and holds text, numbers and booleans only', async () => {
    await assertProperty(
      fc.property(messages, (message) => {
        const item = messageItem(message, generation, 7, settings);
        const { events, ...rest } = messageFromItem(item);
        expect(kept(rest)).toEqual(kept({ ...message, events: undefined }));
        expect([...events.values()]).toEqual(kept([...message.events.values()]));
        expect(stateOf(item)).toEqual({ pk: item.pk?.S, generation, expiresAt: 7 });
        expect(JSON.stringify(item)).not.toMatch(/"(B|BS)":/);
      }),
    );
  });

  it('is unreadable without its reports, its time or a part of a report; the error names attributes only', () => {
    const whole = messageItem(
      {
        messageId: 'm',
        firstSeenAt: '2026-01-15T12:00:00.000Z',
        events: new Map([['e', { eventId: 'e', ...anyReport }]]),
      },
      generation,
      7,
      settings,
    );
    const { firstSeenAt: _time, ...timeless } = whole;
    const { 'report#e': report, ...without } = whole;
    const { at: _at, ...cut } = report?.M ?? {};
    for (const item of [without, timeless, { ...whole, 'report#e': { M: cut } }])
      expect(() => messageFromItem(item)).toThrow(UnreadableItemError);
  });
});

const anyReport = {
  status: 'sent',
  rank: 30,
  occurredAt: '2026-01-15T12:00:00.000Z',
  receivedAt: '2026-01-15T12:00:00.000Z',
} as const;
