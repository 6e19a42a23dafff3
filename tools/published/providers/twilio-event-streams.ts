import type { PublishedFacts, Source } from '../published-facts.ts';
import { twilioErrors } from './twilio.ts';

const node: Source = { name: 'twilio', from: 'npm', version: '6.3.1', date: '2026-11-18' };
const page: Source = { name: 'Outbound Message, schema 8', from: 'documentation', date: '2026-11-28' };
const incoming: Source = { name: 'Inbound Message, schema 6', from: 'documentation', date: '2026-11-28' };

export const twilioEventStreams: PublishedFacts = {
  presets: ['twilio-event-streams'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        kind: ['type'],
        id: ['id'],
        messageId: ['data.messageSid'],
        status: ['data.messageStatus'],
        recipient: ['data.to'],
        segments: ['data.numberOfSegments'],
        errorCode: ['data.errorCode'],
        occurredAt: ['data.timestamp'],
      },
      leftOut: {
        'about the request, and not about the message': [
          'specversion',
          'source',
          'dataschema',
          'datacontenttype',
          'time',
        ],
        'a name that the account gave, or a part of its set-up': [
          'data.accountSid',
          'data.messagingServiceSid',
        ],
        'the sender, which a report of a message does not need': ['data.from'],
      },
    },
    {
      of: 'reply',
      source: incoming,
      read: {
        kind: ['type'],
        id: ['id'],
        replyId: ['data.messageSid'],
        from: ['data.from'],
        to: ['data.to'],
        text: ['data.body'],
        occurredAt: ['data.timestamp'],
      },
      leftOut: {
        'about the request, and not about the message': ['specversion', 'source'],
        'a name that the account gave, or a part of its set-up': [
          'data.accountSid',
          'data.messagingServiceSid',
        ],
        'what was sent or how, and not what became of it': ['data.numMedia', 'data.numSegments'],
        'the same in other words as a value that is read': ['data.eventName', 'data.recipients'],
      },
    },
    {
      of: 'lookup',
      source: node,
      read: {
        segments: ['num_segments'],
        list: ['direction'],
        recipient: ['to'],
        occurredAt: ['date_updated'],
        price: ['price'],
        errorText: ['error_message'],
        status: ['status'],
        messageId: ['sid'],
        errorCode: ['error_code'],
        currency: ['price_unit'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['body', 'num_media'],
        'the sender, which a report of a message does not need': ['from'],
        'the same in other words as a value that is read': ['uri', 'subresource_uris'],
        'a name that the account gave, or a part of its set-up': [
          'account_sid',
          'messaging_service_sid',
          'api_version',
        ],
        'another time than that of the status': ['date_sent', 'date_created'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'FAILED'],
    },
    {
      of: 'lookup statuses',
      source: node,
      words: [
        'queued',
        'sending',
        'sent',
        'failed',
        'delivered',
        'undelivered',
        'accepted',
        'scheduled',
        'read',
        'partially_delivered',
        'canceled',
      ],
      leftOut: { 'the status of an incoming message': ['receiving', 'received'] },
    },
    twilioErrors,
  ],
  lacks: {
    media: 'Events have the number of pictures, and no address.',
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
