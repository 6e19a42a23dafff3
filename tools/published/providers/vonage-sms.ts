import type { PublishedFacts, Source } from '../published-facts.ts';

const python: Source = { name: 'vonage', from: 'PyPI', version: '4.9.1', date: '2026-10-21' };
const page: Source = { name: 'SMS API reference', from: 'documentation', date: '2026-11-28' };
const reports: Source = { name: 'Reports API reference', from: 'documentation', date: '2026-11-28' };

export const vonageSms: PublishedFacts = {
  presets: ['vonage-sms'],
  signature: [python],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        recipient: ['msisdn'],
        network: ['network-code'],
        messageId: ['messageId'],
        price: ['price'],
        status: ['status'],
        errorCode: ['err-code'],
        occurredAt: ['message-timestamp'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['to'],
        'the time of the carrier, whose zone differs between the statuses of one message': ['scts'],
        'a name that the account gave, or a part of its set-up': ['api-key', 'client-ref'],
        'of the signature': ['timestamp', 'nonce', 'sig'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        from: ['msisdn'],
        to: ['to'],
        replyId: ['messageId'],
        text: ['text'],
        occurredAt: ['message-timestamp'],
        partReference: ['concat-ref'],
        partTotal: ['concat-total'],
        partNumber: ['concat-part'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['api-key'],
        'what was sent or how, and not what became of it': ['type', 'keyword', 'concat'],
        'of the signature': ['timestamp', 'nonce', 'sig'],
        'of a binary message, which has no text': ['data', 'udh'],
      },
    },
    {
      of: 'lookup',
      source: reports,
      read: {
        messageId: ['message_id'],
        recipient: ['to'],
        network: ['network'],
        carrier: ['network_name'],
        occurredAt: ['date_received', 'date_finalized'],
        status: ['status'],
        errorCode: ['error_code'],
        errorText: ['error_code_description'],
        currency: ['currency'],
        price: ['total_price'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['account_id', 'client_ref'],
        'what was sent or how, and not what became of it': ['concatenated', 'direction'],
        'the sender, which a report of a message does not need': ['from'],
        'the place or the kind of a number': ['country', 'country_name'],
        'another time than that of the status': ['latency'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['accepted', 'buffered', 'delivered', 'expired', 'failed', 'rejected', 'unknown'],
    },
    {
      of: 'lookup statuses',
      source: reports,
      words: ['accepted', 'buffered', 'delivered', 'expired', 'failed', 'rejected', 'unknown', 'deleted'],
    },
    {
      of: 'errors',
      source: page,
      words: [
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
        '7',
        '8',
        '9',
        '10',
        '11',
        '12',
        '13',
        '14',
        '15',
        '16',
        '50',
        '51',
        '52',
        '53',
        '54',
        '99',
      ],
    },
  ],
  lacks: {
    media: 'No field of a reply names a picture.',
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
