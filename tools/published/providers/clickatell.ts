import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: 'clickatell-platform', from: 'npm', version: '2.0.11', date: '2024-12-13' };
const php: Source = { name: 'arcturial/clickatell', from: 'GitHub', version: 'b51f33c', date: '2017-10-09' };
const courier: Source = {
  name: 'nyaruka/courier, clickatell',
  from: 'GitHub',
  version: '350e9350',
  date: '2026-08-19',
};

export const clickatell: PublishedFacts = {
  presets: ['clickatell'],
  fields: [
    {
      of: 'report',
      source: node,
      read: {
        messageId: ['messageId'],
        recipient: ['to'],
        status: ['statusCode'],
        errorText: ['statusDescription'],
        occurredAt: ['timestamp'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['integrationName', 'clientMessageId'],
        'about the request, and not about the message': ['requestId'],
        'the sender, which a report of a message does not need': ['from'],
        'the same in other words as a value that is read': ['status'],
      },
    },
    {
      of: 'reply',
      source: php,
      read: {
        replyId: ['messageId'],
        from: ['fromNumber'],
        to: ['toNumber'],
        text: ['text', 'charset'],
        occurredAt: ['timestamp'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['integrationId', 'apiKey'],
        'an id whose meaning no source explains': ['replyMessageId'],
        'the header of the parts, whose form no source shows': ['udh'],
        'the network of a reply, which the history does not have': ['network'],
        'what was sent or how, and not what became of it': ['keyword'],
      },
    },
    {
      of: 'reply',
      source: courier,
      read: {
        replyId: ['messageId'],
        from: ['fromNumber'],
        to: ['toNumber'],
        text: ['text', 'charset'],
        occurredAt: ['timestamp'],
      },
      leftOut: {},
    },
  ],
  words: [
    {
      of: 'statuses',
      source: courier,
      words: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '14'],
    },
    {
      of: 'errors',
      source: courier,
      words: ['1', '5', '6', '7', '9', '10', '12', '14'],
      leftOut: { 'the message did not fail': ['2', '3', '4', '8', '11'] },
    },
  ],
  lacks: {
    signature: 'Clickatell signs nothing.',
    parts:
      'No field of a report says that there are parts, and no source shows the header of a reply in parts.',
    media: 'No field of a reply names a picture.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'No code names an opt-out.',
    retries: 'How long Clickatell retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
