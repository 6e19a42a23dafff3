import type { PublishedFacts, Source } from '../published-facts.ts';

const page: Source = {
  name: 'Channels API, message status and extended error codes',
  from: 'documentation',
  date: '2026-11-28',
};

export const birdChannels: PublishedFacts = {
  presets: ['bird-channels'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        kind: ['event'],
        messageId: ['payload.id'],
        recipient: ['payload.receiver.contacts[0].identifierValue'],
        sendId: ['payload.reference'],
        status: ['payload.status'],
        errorText: ['payload.reason'],
        errorCode: ['payload.failure.code', 'payload.failure.source.name', 'payload.failure.source.code'],
        occurredAt: ['payload.lastStatusAt'],
      },
      leftOut: {
        'about the request, and not about the message': ['service'],
        'a name that the account gave, or a part of its set-up': [
          'payload.channelId',
          'payload.receiver.contacts[0].id',
          'payload.receiver.contacts[0].identifierKey',
          'payload.parts[0].platformReference',
        ],
        'the sender, which a report of a message does not need': [
          'payload.sender.connector.id',
          'payload.sender.connector.identifierValue',
        ],
        'what was sent or how, and not what became of it': [
          'payload.body.type',
          'payload.body.text.text',
          'payload.direction',
        ],
        'the same in other words as a value that is read': ['payload.details'],
        'another time than that of the status': ['payload.createdAt', 'payload.updatedAt'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        kind: ['event'],
        replyId: ['payload.id'],
        from: ['payload.sender.contact.identifierValue'],
        to: ['payload.receiver.connector.identifierValue'],
        text: ['payload.body.text.text', 'payload.body.image.text'],
        media: ['payload.body.image.images[0].mediaUrl'],
        occurredAt: ['payload.createdAt'],
      },
      leftOut: {
        'about the request, and not about the message': ['service'],
        'a name that the account gave, or a part of its set-up': [
          'payload.channelId',
          'payload.sender.contact.id',
          'payload.sender.contact.identifierKey',
          'payload.receiver.connector.id',
        ],
        'what was sent or how, and not what became of it': ['payload.body.type', 'payload.direction'],
        'the status of an incoming message': ['payload.status'],
        'another time than that of the reply': ['payload.lastStatusAt', 'payload.updatedAt'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['accepted', 'sent', 'sending_failed', 'delivery_failed', 'delivered'],
    },
    {
      of: 'errors',
      source: page,
      words: ['12001', '12003', '15005', '103', '104', '106', '107'],
    },
  ],
  lacks: {
    parts: 'No field says that a reply has parts.',
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
