import type { PublishedFacts, Source } from '../published-facts.ts';

const examples: Source = {
  name: '46elks/46elks-getting-started',
  from: 'GitHub',
  version: '3a3fa7a',
  date: '2025-01-16',
};
const reports: Source = { name: 'SMS Delivery Reports (DLRs)', from: 'documentation', date: '2026-11-28' };
const incoming: Source = {
  name: 'Receive an SMS, receive an MMS',
  from: 'documentation',
  date: '2026-11-28',
};
const lookups: Source = { name: 'Get SMS by ID', from: 'documentation', date: '2026-11-28' };

export const fortySixElks: PublishedFacts = {
  presets: ['46elks'],
  fields: [
    {
      of: 'report',
      source: examples,
      read: {
        messageId: ['id'],
        status: ['status'],
        occurredAt: ['delivered'],
      },
      leftOut: {},
    },
    {
      of: 'reply',
      source: incoming,
      read: {
        kind: ['direction'],
        replyId: ['id'],
        from: ['from'],
        to: ['to'],
        text: ['message'],
        occurredAt: ['created'],
        media: ['image', 'image2', 'image3', 'image4'],
      },
      leftOut: {},
    },
    {
      of: 'lookup',
      source: lookups,
      read: {
        messageId: ['id'],
        recipient: ['to'],
        status: ['status'],
        occurredAt: ['delivered'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['direction', 'message'],
        'the sender, which a report of a message does not need': ['from'],
        'another time than that of the status': ['created'],
        'a price in ten-thousandths of a currency without a name': ['cost'],
      },
    },
    {
      of: 'lookup',
      source: examples,
      read: {
        segments: ['parts'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['direction'],
        'the sender, which a report of a message does not need': ['from'],
        'another time than that of the status': ['created'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: reports,
      words: ['sent', 'delivered', 'failed'],
    },
    {
      of: 'lookup statuses',
      source: lookups,
      words: ['created', 'sent', 'delivered', 'failed'],
    },
  ],
  lacks: {
    signature: '46elks signs nothing: a user and a password in the address prove who posts.',
    parts: 'No field of a report or a reply says that there are parts.',
    'final flag': 'No field says that a report is the last one.',
    reasons: 'A report has no error code.',
    'opt-out code': 'A report has no error code.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
