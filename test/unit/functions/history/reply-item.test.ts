import fc from 'fast-check';
import { expect, it } from 'vitest';
import { omitUndefined } from '../../../../functions/base/basics.ts';
import { UnreadableItemError } from '../../../../functions/history/item-keys.ts';
import type { Reply, ReplyEntry } from '../../../../functions/history/message.ts';
import { replyFromItem, replyItem, timelineEntryFromItem } from '../../../../functions/history/reply-item.ts';
import { assertProperty } from '../../../support/property.ts';

const settings = { retentionDays: 400, listShards: 16 };
const generation = '010203040506';
const times = fc
  .integer({ min: 0, max: Date.UTC(2999, 0) })
  .map((milliseconds) => new Date(milliseconds).toISOString());
const text = fc.string({ unit: 'binary' });
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const numbers = fc.oneof(text, fc.constantFrom('+12025550143', '+5215512345678', '55512'));
const versions: fc.Arbitrary<ReplyEntry> = fc
  .record({
    eventId: fc.stringMatching(/^[\x21-\x7e]{1,128}$/),
    from: numbers,
    to: optional(numbers),
    messageId: optional(fc.oneof(text, fc.uuid())),
    text,
    occurredAt: times,
    receivedAt: times,
    original: optional(text),
    channel: optional(fc.constantFrom('whatsapp', 'rcs')),
    media: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 })),
    optOut: optional(fc.constant(true as const)),
    part: optional(
      fc.record({
        partId: text,
        number: fc.integer({ min: 1, max: 9 }),
        total: fc.integer({ min: 0, max: 9 }),
      }),
    ),
    timeIs: optional(fc.constantFrom('received' as const, 'assumed' as const)),
  })
  .map(({ to, messageId, original, channel, media, optOut, part, timeIs, ...entry }) => ({
    ...entry,
    ...omitUndefined({ to, messageId, original, channel, media, optOut, part, timeIs }),
  }));
const replies: fc.Arbitrary<Reply> = fc
  .tuple(fc.oneof(fc.uuid(), text), versions, fc.array(versions, { maxLength: 3 }))
  .map(([replyId, current, olderVersions]) => ({
    replyId,
    current,
    olderVersions: new Map(olderVersions.map((entry) => [entry.eventId, entry])),
  }));

it('the item of a reply is read back as it was written', async () => {
  await assertProperty(
    fc.property(replies, (reply) => {
      const item = replyItem(reply, generation, 7, settings);
      expect(replyFromItem(item)).toEqual(reply);
      expect(timelineEntryFromItem(item)).toEqual({ kind: 'reply', reply });
      const { text: _text, ...without } = item;
      expect(() => replyFromItem(without)).toThrow(UnreadableItemError);
      const versionless = Object.entries(item).filter(([name]) => !name.startsWith('version#'));
      const onlyParts = { ...Object.fromEntries(versionless), parts: { M: {} } };
      expect(() => replyFromItem(onlyParts)).toThrow(UnreadableItemError);
    }),
  );
});
