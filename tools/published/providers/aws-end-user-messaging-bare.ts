import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = {
  name: '@aws-sdk/client-pinpoint-sms-voice-v2',
  from: 'npm',
  version: '3.1138.0',
  date: '2026-09-23',
};
const page: Source = { name: 'Event types and event format', from: 'documentation', date: '2026-11-28' };

/** The words of `EventType`: each is a status, and says why a message failed. */
export const eventTypes: readonly string[] = [
  'TEXT_BLOCKED',
  'TEXT_CARRIER_BLOCKED',
  'TEXT_CARRIER_UNREACHABLE',
  'TEXT_DELIVERED',
  'TEXT_INVALID',
  'TEXT_INVALID_MESSAGE',
  'TEXT_PENDING',
  'TEXT_PROTECT_BLOCKED',
  'TEXT_QUEUED',
  'TEXT_SENT',
  'TEXT_SPAM',
  'TEXT_SUCCESSFUL',
  'TEXT_TTL_EXPIRED',
  'TEXT_UNKNOWN',
  'TEXT_UNREACHABLE',
  'MEDIA_BLOCKED',
  'MEDIA_CARRIER_BLOCKED',
  'MEDIA_CARRIER_UNREACHABLE',
  'MEDIA_DELIVERED',
  'MEDIA_FILE_INACCESSIBLE',
  'MEDIA_FILE_SIZE_EXCEEDED',
  'MEDIA_FILE_TYPE_UNSUPPORTED',
  'MEDIA_INVALID',
  'MEDIA_INVALID_MESSAGE',
  'MEDIA_PENDING',
  'MEDIA_QUEUED',
  'MEDIA_SPAM',
  'MEDIA_SUCCESSFUL',
  'MEDIA_TTL_EXPIRED',
  'MEDIA_UNKNOWN',
  'MEDIA_UNREACHABLE',
  'RCS_DELIVERED',
  'RCS_FAILED',
  'RCS_FALLEN_BACK_TO_SMS',
  'RCS_PROTECT_BLOCKED',
  'RCS_QUEUED',
  'RCS_READ',
  'RCS_SENT',
  'RCS_TTL_EXPIRED',
];

export const awsEndUserMessagingBare: PublishedFacts = {
  presets: ['aws-end-user-messaging-bare'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        status: ['eventType'],
        occurredAt: ['eventTimestamp'],
        final: ['isFinal'],
        recipient: ['destinationPhoneNumber'],
        network: ['mcc', 'mnc'],
        carrier: ['carrierName'],
        segments: ['totalMessageParts'],
        price: ['totalMessagePrice', 'totalCarrierFee'],
        messageId: ['messageId'],
        errorText: ['messageStatus', 'messageStatusDescription'],
      },
      leftOut: {
        'about the request, and not about the message': ['eventVersion'],
        'the sender, which a report of a message does not need': ['originationPhoneNumber'],
        'the place or the kind of a number': ['isoCountryCode'],
        'what was sent or how, and not what became of it': ['messageEncoding', 'messageType'],
        'another time than that of the status': ['messageRequestTimestamp'],
        'a name that the account gave, or a part of its set-up': [
          'context',
          'protectConfiguration.protectConfigurationId',
          'protectConfiguration.protectStatus',
        ],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        from: ['originationNumber'],
        to: ['destinationNumber'],
        text: ['messageBody'],
        replyId: ['inboundMessageId'],
        messageId: ['previousPublishedMessageId'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['messageKeyword'],
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
