import { busEventId } from '../../../../../functions/publish/bus/event-id.ts';

const eventId = busEventId('a test');
export const phone = '+12025550143';

/** Senders and recipients that are no numbers, as events have them. */
export const noNumbers = [
  'sip:+12025550143@evil.example',
  'telegram:12025550143',
  'ACME',
  '24365',
  '.......',
  '../../v1/contacts/+12025550143',
  '+12025550143\n',
];

/** The body of a queue message, as a rule puts an event there. */
export function queued(detailType: string, detail: object): string {
  return JSON.stringify({
    version: '0',
    id: '00000000-0000-4000-8000-000000000000',
    source: 'sms.pipeline',
    'detail-type': detailType,
    account: '000000000000',
    time: '2026-01-15T12:00:01Z',
    region: 'us-east-1',
    resources: [],
    detail: { pipeline: 'Sms', ...detail },
  });
}

export const consent = {
  version: 1 as const,
  eventId,
  phone,
  by: 'person' as const,
  replyId: 'reply-1',
  occurredAt: '2026-01-15T12:00:00.000Z',
};

export const reply = {
  version: 1 as const,
  eventId,
  historyEventId: 'evt-1',
  replyId: 'reply-1',
  from: phone,
  text: 'hello there',
  isTextCut: false,
  mayMeanStop: false,
  occurredAt: '2026-01-15T12:00:00.000Z',
  receivedAt: '2026-01-15T12:00:01.000Z',
};
