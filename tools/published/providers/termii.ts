import type { PublishedFacts, Source } from '../published-facts.ts';

/** The date is that on which the file was read. */
const gateway: Source = {
  name: 'kellymusk/Aframp-backend',
  from: 'GitHub',
  version: '1ff4ac58',
  date: '2026-11-28',
};
const novu: Source = { name: 'novuhq/novu, termii', from: 'GitHub', version: '74a2e9a6', date: '2024-10-24' };
const page: Source = { name: 'Events and Report', from: 'documentation', date: '2026-11-28' };
const incoming: Source = { name: 'Incoming', from: 'documentation', date: '2026-11-28' };

export const termii: PublishedFacts = {
  presets: ['termii'],
  signature: [gateway],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        kind: ['type'],
        messageId: ['message_id'],
        recipient: ['receiver'],
        status: ['status'],
      },
      leftOut: {
        'about the request, and not about the message': ['id'],
        'the sender, which a report of a message does not need': ['sender'],
        'what was sent or how, and not what became of it': ['message', 'command', 'channel'],
        'another time than that of the status': ['sent_at'],
        'a price without a currency': ['cost'],
      },
    },
    {
      of: 'reply',
      source: incoming,
      read: {
        kind: ['type'],
        replyId: ['message_id'],
        from: ['sender'],
        to: ['receiver'],
        text: ['message'],
        occurredAt: ['received_at'],
      },
      leftOut: {
        'about the request, and not about the message': ['id'],
        'the price of a reply, which the history does not have': ['cost'],
        'what was sent or how, and not what became of it': ['command', 'channel'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: [
        'Delivered',
        'DELIVERED | Message delivered to handset',
        'DND Active on Phone Number',
        'Message Sent',
        'Received',
        'Message Failed',
        'Rejected',
        'Expired',
      ],
    },
    {
      of: 'statuses',
      source: novu,
      words: ['Message sent', 'Message failed', 'Rejected', 'Delivered'],
    },
    {
      of: 'errors',
      source: page,
      words: ['DND Active on Phone Number', 'Message Failed', 'Rejected', 'Expired'],
      leftOut: {
        'the message did not fail': [
          'Delivered',
          'DELIVERED | Message delivered to handset',
          'Message Sent',
          'Received',
        ],
      },
    },
  ],
  lacks: {
    parts: 'No field says that there are parts.',
    media: 'No field of a reply names a picture.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'No status names an opt-out: "do not disturb" is registered at the network.',
    retries: 'How long Termii retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
