import { describe, expect, it } from 'vitest';
import type { StatusEvent } from '../../../../../../contract/schema/sms-event.ts';
import {
  type Message,
  mergeMessages,
  messageOf,
  replyOf,
} from '../../../../../../functions/history/message.ts';
import {
  messageSchema,
  optOutSchema,
  pageSchema,
  quarantinedSchema,
  quarantineEntrySchema,
  replySchema,
  timelineEntrySchema,
} from '../../../../../../functions/query/api/views/view-schemas.ts';
import {
  viewMessage,
  viewMessageRow,
  viewOptOut,
  viewPage,
  viewQuarantined,
  viewQuarantineEntry,
  viewReply,
  viewTimelineEntry,
} from '../../../../../../functions/query/api/views/views.ts';
import {
  type QuarantinedEntry,
  quarantineId,
} from '../../../../../../functions/receive/quarantine/quarantine.ts';

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
  messageOf(
    { ...report, errorCode: '7', errorReason: 'throttled', errorText: 'slow', word: 'sent' },
    '2026-01-15T12:00:02.000Z',
  ),
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
          errorReason: 'throttled',
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

  it('has null for a number and a send id that no report has', () => {
    const view = viewMessage(messageOf(report, '2026-01-15T12:00:01.000Z'));
    expect(view).toMatchObject({ phone: null, sendId: null, status: 'sent', final: false });
  });

  it('shows the cost and the route, of the message and of the reports that have them', () => {
    const cost = { price: '0.0079', currency: 'USD', segments: 1, network: '310410', carrier: 'One' };
    const priced = messageOf({ ...report, ...cost }, '2026-01-15T12:00:02.000Z');
    const later = messageOf(
      { ...report, eventId: 'e2', status: 'delivered', rank: 110 },
      '2026-01-15T12:00:03.000Z',
    );
    const view = viewMessage(mergeMessages(priced, later));
    expect(messageSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject({ status: 'delivered', ...cost });
    const ofReports = view.events.map(({ status, price, segments }) => [status, price, segments]);
    expect(ofReports).toEqual([
      ['sent', '0.0079', 1],
      ['delivered', undefined, undefined],
    ]);
    expect(viewMessageRow(mergeMessages(priced, later))).toMatchObject(cost);
  });

  it('shows a conflict', () => {
    const failed = messageOf({ ...report, eventId: 'e4', status: 'failed', rank: 100 }, report.occurredAt);
    expect(viewMessage(mergeMessages(message, failed))).toMatchObject({
      status: 'delivered',
      conflict: true,
    });
  });
});

describe('viewReply', () => {
  it('shows the current version with the optional fields of the service', () => {
    const view = {
      replyId: 'r',
      from: '+12025550143',
      text: 'Yes',
      occurredAt: report.occurredAt,
      receivedAt: '2026-01-15T12:00:03.000Z',
    };
    expect(viewReply(reply)).toEqual(view);
    const more = { messageId: 'm', to: '+12025550100' };
    expect(viewReply({ ...reply, current: { ...reply.current, ...more } })).toEqual({ ...view, ...more });
  });
});

const where = { receivedAt: '2026-01-15T12:00:03.000Z', requestId: 'req-1', index: 2 };
const quarantined: QuarantinedEntry = {
  ...where,
  id: quarantineId(where),
  reason: 'bad-time',
  field: 'occurredAt',
  raw: Buffer.from('{"text":"olá"}'),
};

describe('viewQuarantineEntry', () => {
  it('shows text as it is, and other bytes in base64', () => {
    const summary = { ...where, id: quarantined.id, reason: 'bad-time', field: 'occurredAt' };
    expect(viewQuarantined(quarantined)).toEqual(summary);
    expect(viewQuarantineEntry(quarantined)).toEqual({
      ...summary,
      raw: '{"text":"olá"}',
      encoding: 'utf8',
      headers: null,
    });
    const bytes = { ...quarantined, raw: Uint8Array.of(0xff, 0x00), headers: { 'webhook-id': 'evt-1' } };
    expect(viewQuarantineEntry(bytes)).toMatchObject({
      raw: '/wA=',
      encoding: 'base64',
      headers: { 'webhook-id': 'evt-1' },
    });
  });

  it('has null for the fields that a whole body lacks', () => {
    const { index: _index, ...body } = where;
    const whole = { ...body, id: quarantineId(body), reason: 'not-json', raw: Buffer.from('{') } as const;
    expect(viewQuarantined(whole)).toMatchObject({ field: null, index: null });
  });
});

describe('the schemas of the views', () => {
  const optOut = { phone: '+12025550143', at: report.occurredAt };

  it.each([
    ['a message', messageSchema, viewMessage(message)],
    ['a message of which little is known', messageSchema, viewMessage(messageOf(report, report.occurredAt))],
    ['a reply', replySchema, viewReply(reply)],
    ['an entry of a timeline', timelineEntrySchema, viewTimelineEntry({ kind: 'message', message })],
    ['an opt-out by reply', optOutSchema, viewOptOut({ ...optOut, by: 'person', replyId: 'r' })],
    [
      'an opt-out by an operator',
      optOutSchema,
      viewOptOut({ ...optOut, by: 'operator', entryId: 'x', reason: 'called', recordedBy: 'user/bo' }),
    ],
    ['an opt-out at the provider', optOutSchema, viewOptOut({ ...optOut, by: 'provider', messageId: 'm' })],
    ['an entry of the quarantine', quarantinedSchema, viewQuarantined(quarantined)],
    ['one with its content', quarantineEntrySchema, viewQuarantineEntry(quarantined)],
    ['a page', pageSchema(replySchema), viewPage({ entries: [reply], next: 'c' }, viewReply)],
    ['the last page', pageSchema(replySchema), viewPage({ entries: [reply] }, viewReply)],
  ])('contain every field of %s', (_, schema, view) => {
    expect(schema.parse(view)).toEqual(view);
  });
});
