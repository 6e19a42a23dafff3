import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../../../contract/schema/sms-event.ts';
import { changesOf } from '../../../../functions/history/entry.ts';
import {
  foldMessages,
  foldReplies,
  type Message,
  messageOf,
  messageWithoutImport,
  type Reply,
  replyOf,
  replyWithoutImport,
  staleReport,
} from '../../../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../../../functions/history/message-item.ts';
import { replyFromItem, replyItem } from '../../../../functions/history/reply-item.ts';
import { assertProperty } from '../../../support/property.ts';
import { at } from '../../../support/suites/reports.ts';

const settings = { retentionDays: 400, listShards: 1 };

interface Drawn {
  readonly importId: string | undefined;
  readonly eventId: string;
  readonly status: CanonicalStatus;
  readonly price: string | undefined;
  readonly phone: string | undefined;
  readonly sendId: string | undefined;
  readonly second: number;
}

const drawn = fc.record<Drawn>({
  importId: fc.constantFrom(undefined, 'imp-a', 'imp-b', 'imp-c'),
  eventId: fc.constantFrom('e1', 'e2'),
  status: fc.constantFrom('sent', 'delivered', 'failed'),
  price: fc.constantFrom(undefined, '0.01', '0.02'),
  phone: fc.constantFrom(undefined, '+12025550143', '(202) 555-0143'),
  sendId: fc.constantFrom(undefined, 's-1', 's-2'),
  second: fc.nat(3),
});
const all = fc.array(drawn, { minLength: 1, maxLength: 8 });

function messageIn({ importId, eventId, status, price, phone, sendId, second }: Drawn): Message {
  return messageOf(
    {
      kind: 'sms.status',
      messageId: 'm-1',
      eventId,
      status,
      rank: rankOf(status),
      occurredAt: at(second),
      ...(price && { price, currency: 'EUR' }),
      ...(phone && { phone }),
      ...(sendId && { sendId }),
      ...(importId && { origin: 'import' as const }),
    },
    at(second),
    importId,
  );
}

function replyIn({ importId, eventId, price, second }: Drawn): Reply {
  return replyOf(
    {
      kind: 'sms.reply',
      replyId: 'r-1',
      eventId,
      from: '+12025550143',
      text: price ?? 'text',
      occurredAt: at(second),
      ...(importId && { origin: 'import' as const }),
    },
    at(second),
    importId,
  );
}

const fold = ([first, ...others]: readonly Message[]) => first && foldMessages([first, ...others]);
const foldOfReplies = ([first, ...others]: readonly Reply[]) => first && foldReplies([first, ...others]);
const stored = (message: Message) => messageFromItem(messageItem(message, 'g', 0, settings));
const storedReply = (reply: Reply) => replyFromItem(replyItem(reply, 'g', 0, settings));

describe('a message without an import', () => {
  it('is the fold of all other reports, in any order and division, also after it was stored', () => {
    assertProperty(
      fc.property(
        all.chain((views) =>
          fc.tuple(
            fc.constant(views),
            fc.shuffledSubarray([...views, ...views], { minLength: views.length * 2 }),
            fc.nat(views.length),
          ),
        ),
        ([views, shuffled, cut]) => {
          const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].map((part) =>
            fold(part.map(messageIn)),
          );
          const message = fold(parts.filter((part) => part !== undefined));
          if (message === undefined) throw new TypeError('no message');
          expect(message).toEqual(fold(views.map(messageIn)));
          expect(stored(message)).toEqual(message);
          for (const importId of ['imp-a', 'imp-b', 'imp-c'])
            expect(messageWithoutImport(stored(message), importId)).toEqual(
              fold(views.filter((view) => view.importId !== importId).map(messageIn)),
            );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has the number that the webhook received, whatever number the import has, in any order and after it was stored', () => {
    const [ours, other] = ['+12025550143', '+12025550188'];
    const view = (importId: string | undefined, phone: string, eventId: string) =>
      messageIn({ importId, eventId, phone, status: 'sent', price: undefined, sendId: undefined, second: 1 });
    for (const [received, imported] of [
      [ours, other],
      [other, ours],
    ] as const) {
      const webhook = view(undefined, received, 'e1');
      const views = [webhook, view('imp-a', imported, 'e2'), view('imp-b', imported, 'e2')];
      for (const order of [views, views.toReversed()]) {
        const message = order.reduce((joined, one) => stored(foldMessages([joined, one])));
        expect(message.phone).toBe(received);
        const left = messageWithoutImport(message, 'imp-a');
        expect(left?.phone).toBe(received);
        expect(messageWithoutImport(stored(left ?? message), 'imp-b')).toEqual(webhook);
      }
    }
  });

  it('keeps a report of the webhook, although the imported copy of its event says more', () => {
    const received: Drawn = {
      importId: undefined,
      eventId: 'e1',
      status: 'sent',
      price: undefined,
      phone: undefined,
      sendId: undefined,
      second: 1,
    };
    const webhook = messageIn(received);
    const imported = messageIn({ ...received, importId: 'imp-a', status: 'delivered', price: '0.01' });
    const both = foldMessages([imported, webhook]);
    expect(both.events.get('e1')).toMatchObject({
      status: 'sent',
      copies: [{ origin: 'import', importIds: ['imp-a'] }],
    });
    expect(both.events.get('e1')).not.toHaveProperty('origin');
    expect(messageWithoutImport(both, 'imp-a')).toEqual(webhook);
  });

  it('is nothing if only the mark of a stale message is left', () => {
    const imported = messageIn({
      importId: 'imp-a',
      eventId: 'e1',
      status: 'sent',
      price: undefined,
      phone: undefined,
      sendId: undefined,
      second: 1,
    });
    const mark = staleReport(imported, 72, Date.parse(at(300_000)));
    const marked = { ...imported, events: new Map([...imported.events, [mark.eventId, mark]]) };
    expect(messageWithoutImport(marked, 'imp-a')).toBeUndefined();
  });
});

it('a report that another import has too has not changed', () => {
  const [a, b] = (['imp-a', 'imp-b'] as const).map((importId) =>
    messageIn({
      importId,
      eventId: 'e1',
      status: 'sent',
      price: undefined,
      phone: undefined,
      sendId: undefined,
      second: 1,
    }),
  );
  if (a === undefined || b === undefined) throw new TypeError('no messages');
  expect(changesOf(foldMessages([a, b]).events.values(), a.events)).toEqual({ added: [], replaced: [] });
});

it('a reply without an import is the fold of its other versions, and what the webhook received is current', () => {
  assertProperty(
    fc.property(all, (views) => {
      const reply = foldOfReplies(views.map(replyIn));
      if (reply === undefined) throw new TypeError('no reply');
      expect(storedReply(reply)).toEqual(reply);
      expect(foldReplies([reply, reply])).toEqual(reply);
      expect(reply.current.origin === undefined).toBe(views.some(({ importId }) => importId === undefined));
      for (const importId of ['imp-a', 'imp-b', 'imp-c'])
        expect(replyWithoutImport(reply, importId)).toEqual(
          foldOfReplies(views.filter((view) => view.importId !== importId).map(replyIn)),
        );
    }),
    { numRuns: 300 },
  );
});
