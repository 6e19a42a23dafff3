import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: '@seven.io/client', from: 'npm', version: '5.6.0', date: '2026-08-24' };
const openApi: Source = {
  name: 'seven-io/api-schemes',
  from: 'GitHub',
  version: '3baa724d',
  date: '2026-02-11',
};

const statuses = [
  'DELIVERED',
  'NOTDELIVERED',
  'BUFFERED',
  'TRANSMITTED',
  'ACCEPTED',
  'EXPIRED',
  'REJECTED',
  'FAILED',
  'UNKNOWN',
];

export const seven: PublishedFacts = {
  presets: ['seven'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: node,
      read: {
        kind: ['webhook_event'],
        messageId: ['data.msg_id'],
        status: ['data.status'],
        occurredAt: ['data.timestamp'],
      },
      leftOut: {
        'another time than that of the status': ['webhook_timestamp'],
      },
    },
    {
      of: 'reply',
      source: node,
      read: {
        kind: ['webhook_event'],
        replyId: ['data.id'],
        from: ['data.sender'],
        to: ['data.system'],
        text: ['data.text'],
        occurredAt: ['data.time'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['data.message_type'],
        'another time than that of the event': ['webhook_timestamp'],
      },
    },
    {
      of: 'lookup',
      source: openApi,
      read: {
        messageId: ['id'],
        status: ['status'],
        occurredAt: ['status_time'],
      },
      leftOut: {},
    },
  ],
  words: [
    { of: 'statuses', source: node, words: statuses },
    { of: 'lookup statuses', source: openApi, words: statuses },
  ],
  lacks: {
    parts: 'No field says that there are parts.',
    media: 'No field of a reply names a picture.',
    'final flag': 'No field says that a report is the last one.',
    reasons: 'A status has no error code.',
    'opt-out code': 'No status names an opt-out.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
