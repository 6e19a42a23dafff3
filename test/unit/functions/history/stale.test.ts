import { describe, expect, it } from 'vitest';
import { type CanonicalStatus, canonicalStatuses, rankOf } from '../../../../contract/schema/sms-event.ts';
import {
  decidingEntry,
  isFinal,
  type Message,
  mergeMessages,
  messageOf,
  staleBefore,
  staleReport,
} from '../../../../functions/history/message.ts';

const firstSeenAt = '2026-01-15T12:00:00.000Z';
const now = Date.parse('2026-01-18T12:30:00.000Z');

function report(status: string, rank: number): Message {
  const event = {
    kind: 'sms.status',
    messageId: 'm',
    eventId: status,
    status,
    rank,
    occurredAt: firstSeenAt,
  } as const;
  return messageOf(event, firstSeenAt);
}

function marked(message: Message): Message {
  const entry = staleReport(message, 72, now);
  return mergeMessages(message, { ...message, events: new Map([[entry.eventId, entry]]) });
}

it('staleBefore makes a message stale exactly at the end of the hours', () => {
  expect(staleBefore(now, 72)).toBe('2026-01-15T12:30:00.000Z');
});

describe('the stale report', () => {
  it('says when the wait ended, when the sweep noticed, and which report was missing', () => {
    expect(staleReport(report('sent', rankOf('sent')), 72, now)).toEqual({
      eventId: 'pipeline:stale',
      status: 'unknown',
      rank: 90,
      occurredAt: '2026-01-18T12:00:00.000Z',
      receivedAt: '2026-01-18T12:30:00.000Z',
      errorText: 'no final report within 72 h',
    });
  });

  it.each([
    { status: 'a word of no contract', rank: 0 },
    { status: 'accepted', rank: rankOf('accepted') },
    { status: 'queued', rank: rankOf('queued') },
    { status: 'sent', rank: rankOf('sent') },
  ])('ends the wait after $status', ({ status, rank }) => {
    const deciding = decidingEntry(marked(report(status, rank)));
    expect(deciding.status).toBe('unknown');
    expect(isFinal(deciding)).toBe(true);
  });

  it('gives precedence to each final report of the service, in any order', () => {
    const finals = canonicalStatuses.filter((status: CanonicalStatus) => rankOf(status) > 90);
    expect(finals.length).toBe(6);
    for (const status of finals) {
      const late = report(status, rankOf(status));
      const open = marked(report('sent', 30));
      for (const message of [mergeMessages(open, late), mergeMessages(late, open)])
        expect(decidingEntry(message).status).toBe(status);
    }
  });

  it('is the same if the sweep sees a message twice', () => {
    const once = marked(report('sent', 30));
    expect(marked(once).events.size).toBe(once.events.size);
  });
});
