import type { PublishedFacts, Source } from '../published-facts.ts';
import { eventTypes } from './aws-end-user-messaging-bare.ts';

const node: Source = {
  name: '@aws-sdk/client-pinpoint-sms-voice-v2',
  from: 'npm',
  version: '3.1138.0',
  date: '2026-09-23',
};
const page: Source = { name: 'Event types and event format', from: 'documentation', date: '2026-11-28' };

export const awsEndUserMessagingEventbridge: PublishedFacts = {
  presets: ['aws-end-user-messaging-eventbridge'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        id: ['id'],
        kind: ['detail-type'],
        status: ['detail.eventType'],
        occurredAt: ['detail.eventTimestamp'],
        final: ['detail.isFinal'],
        recipient: ['detail.destinationPhoneNumber'],
        network: ['detail.mcc', 'detail.mnc'],
        carrier: ['detail.carrierName'],
        segments: ['detail.totalMessageParts'],
        price: ['detail.totalMessagePrice', 'detail.totalCarrierFee'],
        messageId: ['detail.messageId'],
        errorText: ['detail.messageStatus', 'detail.messageStatusDescription'],
      },
      leftOut: {
        'about the request, and not about the message': [
          'version',
          'source',
          'account',
          'time',
          'region',
          'detail.eventVersion',
        ],
        'the sender, which a report of a message does not need': ['detail.originationPhoneNumber'],
        'the place or the kind of a number': ['detail.isoCountryCode'],
        'what was sent or how, and not what became of it': ['detail.messageEncoding', 'detail.messageType'],
        'another time than that of the status': ['detail.messageRequestTimestamp'],
        'a name that the account gave, or a part of its set-up': [
          'detail.context',
          'detail.protectConfiguration.protectConfigurationId',
          'detail.protectConfiguration.protectStatus',
        ],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        from: ['detail.originationNumber'],
        to: ['detail.destinationNumber'],
        text: ['detail.messageBody'],
        replyId: ['detail.inboundMessageId'],
        messageId: ['detail.previousPublishedMessageId'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['detail.messageKeyword'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: node,
      words: eventTypes,
    },
    {
      of: 'errors',
      source: node,
      words: eventTypes,
    },
  ],
  lacks: {
    signature: 'AWS signs nothing: the key of the connection proves who posts.',
    media: 'Replies have no pictures.',
    'opt-out code':
      'AWS names no event for an opt-out: a number on an opt-out list is refused when the message is sent.',
    probe: 'AWS does not test the address.',
  },
};
