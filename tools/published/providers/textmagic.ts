import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: 'textmagic-client', from: 'npm', version: '3.0.50062', date: '2026-08-24' };

export const textmagic: PublishedFacts = {
  presets: ['textmagic'],
  fields: [
    {
      of: 'report',
      source: node,
      read: {
        messageId: ['id'],
        kind: ['sender', 'text'],
        recipient: ['receiver'],
        status: ['status'],
        errorCode: ['rejectReason'],
        occurredAt: ['deliveredAt', 'messageTime'],
        segments: ['partsCount'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': [
          'contactId',
          'sessionId',
          'session',
          'avatar',
        ],
        'of the contact in the account': ['deleted', 'firstName', 'lastName', 'phone'],
        'what was sent or how, and not what became of it': ['charset', 'charsetLabel'],
        'the place or the kind of a number': ['country'],
        'a price without a currency': ['price'],
        'the sender, which a report of a message does not need': ['fromEmail', 'fromNumber', 'senderSource'],
      },
    },
    {
      of: 'reply',
      source: node,
      read: {
        replyId: ['id'],
        from: ['sender'],
        to: ['receiver'],
        occurredAt: ['messageTime'],
        text: ['text'],
      },
      leftOut: {
        'of the contact in the account': [
          'contactId',
          'firstName',
          'lastName',
          'avatar',
          'email',
          'contactUserId',
          'userId',
        ],
      },
    },
    {
      of: 'lookup',
      source: node,
      read: {
        messageId: ['id'],
        recipient: ['receiver'],
        status: ['status'],
        errorCode: ['rejectReason'],
        occurredAt: ['deliveredAt'],
        sendId: ['sessionId'],
        segments: ['partsCount'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': [
          'sender',
          'fromEmail',
          'fromNumber',
          'senderSource',
        ],
        'what was sent or how, and not what became of it': ['text', 'charset', 'charsetLabel'],
        'a name that the account gave, or a part of its set-up': ['contactId', 'session', 'avatar'],
        'another time than that of the status': ['messageTime'],
        'of the contact in the account': ['deleted', 'firstName', 'lastName', 'phone'],
        'the place or the kind of a number': ['country'],
        'a price without a currency': ['price'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: node,
      words: ['q', 's', 'e', 'r', 'a', 'd', 'b', 'f', 'u', 'j', 'i', 'p', 'h'],
    },
    {
      of: 'errors',
      source: node,
      words: [],
      leftOut: {
        'a letter of rejectReason whose meaning is not documented': [...'aflcubsmnidtehkrgjwvqxop', 'if'],
      },
    },
  ],
  lacks: {
    signature: 'Textmagic signs nothing.',
    media: 'Callbacks have no pictures.',
    'final flag': 'No field says that a report is the last one.',
    reasons: 'What the letters of rejectReason mean is not documented.',
    'opt-out code': 'What the letters of rejectReason mean is not documented.',
    retries: 'How long Textmagic retries is not documented.',
  },
};
