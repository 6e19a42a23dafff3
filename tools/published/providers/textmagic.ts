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
        occurredAt: ['messageTime'],
        segments: ['partsCount'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['contactId', 'sessionId', 'avatar'],
        'of the contact in the account': ['deleted', 'firstName', 'lastName', 'phone'],
        'what was sent or how, and not what became of it': ['charset', 'charsetLabel'],
        'the place or the kind of a number': ['country'],
        'a price without a currency': ['price'],
        'the sender, which a report of a message does not need': ['fromEmail', 'fromNumber'],
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
      leftOut: {},
    },
    {
      of: 'look-up',
      source: node,
      read: {
        messageId: ['id'],
        recipient: ['receiver'],
        status: ['status'],
        errorCode: ['rejectReason'],
        sendId: ['sessionId'],
        segments: ['partsCount'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['sender', 'fromEmail', 'fromNumber'],
        'what was sent or how, and not what became of it': ['text', 'charset', 'charsetLabel'],
        'a name that the account gave, or a part of its set-up': ['contactId', 'avatar'],
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
