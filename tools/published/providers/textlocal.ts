import type { PublishedFacts, Source } from '../published-facts.ts';

const page: Source = {
  name: 'Textlocal, handling receipts and inbound messages',
  from: 'documentation',
  date: '2026-11-28',
};

export const textlocal: PublishedFacts = {
  presets: ['textlocal'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        recipient: ['number'],
        status: ['status'],
        messageId: ['customID'],
        occurredAt: ['datetime'],
      },
      leftOut: {},
    },
    {
      of: 'reply',
      source: page,
      read: {
        from: ['sender'],
        text: ['content'],
        to: ['inNumber'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['email'],
        'a part of the price, or what one part costs': ['credits'],
        'the time of a reply, which is not documented for webhooks': ['rcvd'],
        'the network of a reply, which the history does not have': ['network'],
        'what was sent or how, and not what became of it': ['keyword'],
        'the words without the keyword': ['comments'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['D', 'U', 'I', '?'],
    },
  ],
  lacks: {
    signature: 'Textlocal signs nothing.',
    'number format': 'No page says how numbers are written, so both forms are read.',
    'time zone': 'The zone of times is not documented.',
    parts: 'No field says that there are parts.',
    media: 'Replies have no pictures.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'No status names an opt-out.',
    retries: 'How long Textlocal retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
