import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: '@vonage/jwt', from: 'npm', version: '1.17.1', date: '2026-09-09' };
const page: Source = { name: 'Messages API reference', from: 'documentation', date: '2026-11-28' };
const reports: Source = { name: 'Reports API reference', from: 'documentation', date: '2026-11-28' };

export const vonageMessages: PublishedFacts = {
  presets: ['vonage-messages'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        messageId: ['message_uuid'],
        recipient: ['to'],
        occurredAt: ['timestamp'],
        status: ['status'],
        channel: ['channel'],
        errorCode: ['error.title'],
        errorText: ['error.detail'],
        currency: ['usage.currency'],
        price: ['usage.price'],
        network: ['destination.network_code'],
        segments: ['sms.count_total'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['from'],
        'the same in other words as a value that is read': ['error.type', 'error.instance'],
        'a name that the account gave, or a part of its set-up': ['client_ref'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        replyId: ['message_uuid'],
        to: ['to'],
        from: ['from'],
        occurredAt: ['timestamp'],
        channel: ['channel'],
        text: [
          'text',
          'image.caption',
          'button.text',
          'reply.title',
          'content[0].text',
          'content[0].caption',
        ],
        media: [
          'image.url',
          'audio.url',
          'video.url',
          'file.url',
          'vcard.url',
          'sticker.url',
          'content[0].url',
        ],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['message_type', 'sms.keyword'],
        'beside the words and addresses that are read': ['image.name', 'reply.id', 'content[0].type'],
        'the price and the parts of a reply, which the history does not have': [
          'usage.currency',
          'usage.price',
          'sms.num_messages',
        ],
        'the message that a reply of another channel answers': ['context.message_uuid'],
      },
    },
    {
      of: 'lookup',
      source: reports,
      read: {
        messageId: ['message_id'],
        recipient: ['to'],
        occurredAt: ['date_received', 'date_finalized'],
        status: ['status'],
        errorCode: ['error_code'],
        currency: ['currency'],
        price: ['total_price'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['account_id', 'client_ref'],
        'what was sent or how, and not what became of it': ['direction'],
        'the sender, which a report of a message does not need': ['from'],
        'the place or the kind of a number': ['country', 'country_name'],
        'the channel, whose names could not be seen': ['provider'],
        'another time than that of the status': ['latency'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['submitted', 'delivered', 'read', 'rejected', 'undeliverable'],
    },
    {
      of: 'errors',
      source: page,
      words: [
        '1000',
        '1030',
        '1050',
        '1070',
        '1100',
        '1120',
        '1170',
        '1180',
        '1190',
        '1210',
        '1220',
        '1240',
        '1241',
        '1250',
        '1260',
        '1270',
        '1280',
        '1330',
        '1360',
      ],
    },
  ],
  lacks: {
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
