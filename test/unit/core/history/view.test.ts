import { describe, expect, it } from 'vitest';
import type { StatusEvent } from '../../../../functions/core/events/event.ts';
import { type Message, mergeMessages, messageOf } from '../../../../functions/core/history/message.ts';
import { replyOf } from '../../../../functions/core/history/reply.ts';
import { viewMessage, viewPhone, viewReply } from '../../../../functions/core/history/view.ts';

const report: StatusEvent = {
  kind: 'sms.status',
  eventId: 'e1',
  messageId: 'm',
  status: 'sent',
  rank: 30,
  occurredAt: '2026-01-15T12:00:00.000Z',
};

const message: Message = [
  messageOf(
    {
      ...report,
      eventId: 'e2',
      phone: '+12025550143',
      sendId: 's',
      status: 'delivered',
      rank: 110,
      word: 'DELIVRD',
      occurredAt: '2026-01-15T12:00:07.000Z',
    },
    '2026-01-15T12:00:01.000Z',
  ),
  messageOf({ ...report, errorCode: '7', errorText: 'slow', word: 'sent' }, '2026-01-15T12:00:02.000Z'),
].reduce(mergeMessages);

const reply = replyOf(
  {
    kind: 'sms.reply',
    eventId: 'e3',
    replyId: 'r',
    from: '+12025550143',
    text: 'Yes',
    occurredAt: report.occurredAt,
  },
  '2026-01-15T12:00:03.000Z',
);

describe('viewMessage', () => {
  it('shows the state and the events, oldest first', () => {
    expect(viewMessage(message)).toEqual({
      messageId: 'm',
      phone: '+12025550143',
      sendId: 's',
      status: 'delivered',
      final: true,
      statusAt: '2026-01-15T12:00:07.000Z',
      firstSeenAt: '2026-01-15T12:00:01.000Z',
      conflict: false,
      events: [
        {
          eventId: 'e1',
          status: 'sent',
          occurredAt: '2026-01-15T12:00:00.000Z',
          receivedAt: '2026-01-15T12:00:02.000Z',
          errorCode: '7',
          errorText: 'slow',
        },
        {
          eventId: 'e2',
          status: 'delivered',
          word: 'DELIVRD',
          occurredAt: '2026-01-15T12:00:07.000Z',
          receivedAt: '2026-01-15T12:00:01.000Z',
        },
      ],
    });
  });

  it('says null for a number and a send that no report told', () => {
    const view = viewMessage(messageOf(report, '2026-01-15T12:00:01.000Z'));
    expect(view).toMatchObject({ phone: null, sendId: null, status: 'sent', final: false });
  });

  it('tells of a conflict', () => {
    const failed = messageOf({ ...report, eventId: 'e4', status: 'failed', rank: 100 }, report.occurredAt);
    expect(viewMessage(mergeMessages(message, failed))).toMatchObject({
      status: 'delivered',
      conflict: true,
    });
  });
});

describe('viewReply', () => {
  it('shows the version that stands, and what the service told besides', () => {
    const view = {
      replyId: 'r',
      from: '+12025550143',
      text: 'Yes',
      occurredAt: report.occurredAt,
      receivedAt: '2026-01-15T12:00:03.000Z',
    };
    expect(viewReply(reply)).toEqual(view);
    const more = { messageId: 'm', to: '+12025550100' };
    expect(viewReply({ ...reply, standing: { ...reply.standing, ...more } })).toEqual({ ...view, ...more });
  });
});

describe('viewPhone', () => {
  it('keeps the order and names the kind of each entry', () => {
    const entries = [
      { kind: 'reply', reply },
      { kind: 'message', message },
    ] as const;
    expect(viewPhone('+12025550143', entries)).toEqual({
      phone: '+12025550143',
      entries: [
        { kind: 'reply', ...viewReply(reply) },
        { kind: 'message', ...viewMessage(message) },
      ],
    });
  });
});
