import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, rankOf } from '../../../../contract/schema/sms-event.ts';
import { stateOf } from '../../../../functions/history/history-item-store.ts';
import {
  compareEntries,
  decidingEntry,
  isFinal,
  type Message,
  type StatusEntry,
} from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem, weightOf } from '../../../../functions/history/message-item.ts';
import { UnreadableItemError } from '../../../../functions/history/packed.ts';
import { defined } from '../../../../functions/runtime/basics.ts';
import { assertProperty } from '../../../support/property.ts';

const settings = { retentionDays: 400, worklistShards: 16 };
const generation = Uint8Array.of(1, 2, 3, 4, 5, 6);
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
    }),
  })
  .map(({ state, more, ...entry }) => ({ ...entry, ...state, ...defined(more) }));
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
    ...defined({ phone, sendId }),
    events: new Map(events.map((entry) => [entry.eventId, entry])),
  }));

describe('the item of a message', () => {
  it('is read back as it was written', async () => {
    await assertProperty(
      fc.property(messages, fc.boolean(), (message, isListed) => {
        const item = messageItem(message, generation, 7, settings, isListed);
        const isListedPending = isListed && !isFinal(decidingEntry(message));
        expect(messageFromItem(item)).toEqual(message);
        expect(stateOf(item)).toEqual({
          generation,
          expiresAt: 7,
          isListedPending,
        });
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
    const { t: _time, ...timeless } = whole;
    const cut = { ...whole, e: { L: whole.e?.L?.slice(0, 1) ?? [] } };
    for (const item of [{ ...whole, e: { L: [] } }, timeless, cut])
      expect(() => messageFromItem(item)).toThrow(UnreadableItemError);
  });
});

const anyReport = {
  status: 'sent',
  rank: 30,
  occurredAt: '2026-01-15T12:00:00.000Z',
  receivedAt: '2026-01-15T12:00:00.000Z',
} as const;

it('a report of a smaller weight never decides', async () => {
  await assertProperty(
    fc.property(entries, entries, (a, b) => {
      expect(weightOf(a) < weightOf(b) ? compareEntries(a, b) : -1).toBeLessThan(0);
    }),
  );
});
