import type { PublishedFacts, Source } from '../published-facts.ts';

const openApi: Source = {
  name: 'zenvia/zenvia-openapi-spec',
  from: 'GitHub',
  version: '56b6f78',
  date: '2026-08-06',
};

export const zenvia: PublishedFacts = {
  presets: ['zenvia'],
  fields: [
    {
      of: 'report',
      source: openApi,
      read: {
        id: ['id'],
        kind: ['type', 'message.direction'],
        channel: ['channel'],
        carrier: ['channelData.sms.carrier'],
        messageId: ['messageId', 'message.id'],
        recipient: ['message.to'],
        occurredAt: ['messageStatus.timestamp'],
        status: ['messageStatus.code'],
        errorCode: ['messageStatus.causes[0].channelErrorCode'],
        errorText: ['messageStatus.causes[0].reason'],
      },
      leftOut: {
        'another time than that of the status': ['timestamp'],
        'a name that the account gave, or a part of its set-up': ['subscriptionId', 'message.externalId'],
        'what was sent or how, and not what became of it': ['contentIndex', 'message.contentIndex'],
        'the sender, which a report of a message does not need': ['message.from'],
        'the same in other words as a value that is read': ['messageStatus.description'],
        'more about an error whose code and reason are read': ['messageStatus.causes[0].details'],
      },
    },
    {
      of: 'reply',
      source: openApi,
      read: {
        id: ['id'],
        occurredAt: ['timestamp'],
        kind: ['type', 'direction', 'message.direction'],
        channel: ['channel', 'message.channel'],
        replyId: ['message.id'],
        from: ['message.from'],
        to: ['message.to'],
        text: ['message.contents[0].text', 'message.contents[0].fileCaption'],
        media: ['message.contents[0].fileUrl'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['subscriptionId', 'message.externalId'],
        'the kind of a content, which its fields show': [
          'message.contents[0].type',
          'message.contents[0].fileMimeType',
        ],
        'the name of the person': ['message.visitor.name'],
        'another time than that of the event': ['message.timestamp'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: openApi,
      words: [
        'SENT',
        'DELIVERED',
        'READ',
        'CLICKED',
        'VERIFIED',
        'REJECTED',
        'NOT_DELIVERED',
        'DELETED',
        'ACCEPTED',
      ],
      leftOut: { 'of a call': ['HANG_UP', 'TERMINATED', 'RECORDED'] },
    },
  ],
  lacks: {
    signature: 'Zenvia signs nothing.',
    parts: 'No field says that a message or a reply has parts.',
    'final flag': 'No field says that a report is the last one.',
    reasons: 'What channelErrorCode holds for SMS is not documented.',
    'opt-out code': 'What channelErrorCode holds for SMS is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
