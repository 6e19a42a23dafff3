import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: 'plivo', from: 'npm', version: '4.79.0', date: '2026-08-06' };
const page: Source = {
  name: 'Messages, status callbacks and incoming messages',
  from: 'documentation',
  date: '2026-11-28',
};
const errors: Source = { name: 'Messaging Error Codes', from: 'documentation', date: '2026-11-28' };

export const plivo: PublishedFacts = {
  presets: ['plivo-v3', 'plivo-v2'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        messageId: ['MessageUUID'],
        parentMessageId: ['ParentMessageUUID'],
        recipient: ['To'],
        channel: ['Type'],
        status: ['Status'],
        segments: ['Units'],
        price: ['TotalAmount'],
        network: ['MCC', 'MNC'],
        errorCode: ['ErrorCode'],
        occurredAt: ['MessageTime', 'QueuedTime', 'SentTime', 'DeliveryReportTime'],
      },
      leftOut: {
        'about the request, and not about the message': ['PartInfo', 'Sequence'],
        'the sender, which a report of a message does not need': ['From'],
        'a part of the price, or what one part costs': ['TotalRate'],
        'a name that the account gave, or a part of its set-up': ['PowerpackUUID'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        replyId: ['MessageUUID'],
        from: ['From'],
        to: ['To'],
        channel: ['Type'],
        text: ['Text', 'Body'],
        media: ['Media0'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['MediaCount'],
        'the price and the parts of a reply, which the history does not have': [
          'Units',
          'TotalAmount',
          'TotalRate',
        ],
        'a name that the account gave, or a part of its set-up': ['MessageIntent', 'PowerpackUUID'],
      },
    },
    {
      of: 'lookup',
      source: node,
      read: {
        errorCode: ['error_code'],
        status: ['message_state'],
        occurredAt: ['message_time', 'message_sent_time', 'message_updated_time'],
        messageId: ['message_uuid'],
        recipient: ['to_number'],
        price: ['total_amount'],
        segments: ['units'],
        carrier: ['destination_network'],
        errorText: ['error_message'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': [
          'api_id',
          'powerpack_id',
          'tendlc_campaign_id',
          'tendlc_registration_status',
          'requester_ip',
          'is_domestic',
          'replaced_sender',
          'conversation_id',
          'conversation_origin',
          'conversation_expiration_timestamp',
          'dlt_entity_id',
          'log',
        ],
        'the sender, which a report of a message does not need': ['from_number'],
        'what was sent or how, and not what became of it': [
          'message_direction',
          'message_type',
          'dlt_template_id',
          'dlt_template_category',
        ],
        'the same in other words as a value that is read': ['resource_uri'],
        'a part of the price, or what one part costs': ['total_rate', 'carrier_fees', 'carrier_fees_rate'],
        'the place or the kind of a number': ['destination_country_iso2'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['queued', 'sent', 'failed', 'delivered', 'undelivered', 'read', 'rejected'],
    },
    {
      of: 'errors',
      source: errors,
      words: [
        '000',
        '10',
        '20',
        '30',
        '40',
        '50',
        '70',
        '80',
        '90',
        '100',
        '110',
        '200',
        '201',
        '420',
        '450',
        '900',
        '1000',
      ],
    },
  ],
  lacks: {
    'time zone': 'The zone of times is not documented.',
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
