import type { PublishedFacts, PublishedWords, Source } from '../published-facts.ts';

const node: Source = { name: 'twilio', from: 'npm', version: '6.3.1', date: '2026-11-18' };
const page: Source = {
  name: 'Outbound Message Status in Status Callbacks',
  from: 'documentation',
  date: '2026-11-28',
};
const incoming: Source = {
  name: 'Twilio’s Request to your Incoming Message Webhook URL',
  from: 'documentation',
  date: '2026-11-28',
};
const dictionary: Source = {
  name: 'Error and Warning Dictionary',
  from: 'documentation',
  date: '2026-11-28',
};

/** The codes of messages, which both products of Twilio use. */
export const twilioErrors: PublishedWords = {
  of: 'errors',
  source: dictionary,
  words: [
    '21211',
    '21408',
    '21610',
    '21612',
    '21614',
    '21635',
    '30001',
    '30002',
    '30003',
    '30004',
    '30005',
    '30006',
    '30007',
    '30008',
    '30017',
    '30018',
    '30019',
    '30022',
    '30023',
    '30024',
    '30027',
    '30032',
    '30033',
    '30034',
    '30035',
    '30036',
    '30450',
    '30453',
    '63038',
  ],
};

export const twilio: PublishedFacts = {
  presets: ['twilio'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        messageId: ['MessageSid'],
        status: ['MessageStatus'],
        errorCode: ['ErrorCode'],
        recipient: ['To'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['From'],
        'a name that the account gave, or a part of its set-up': [
          'AccountSid',
          'ApiVersion',
          'MessagingServiceSid',
        ],
        'the same in other words as a value that is read': ['SmsSid', 'SmsStatus'],
        'of other channels: the address names the channel': [
          'ChannelPrefix',
          'ChannelToAddress',
          'ChannelInstallSid',
          'ChannelStatusMessage',
        ],
        'the time of the carrier, in a zone that differs by carrier': ['RawDlrDoneDate'],
        'of other channels': ['EventType'],
      },
    },
    {
      of: 'reply',
      source: incoming,
      read: {
        replyId: ['MessageSid'],
        from: ['From'],
        to: ['To'],
        text: ['Body'],
        media: ['MediaUrl0', 'MediaUrl9'],
        optOut: ['OptOutType'],
      },
      leftOut: {
        'the same in other words as a value that is read': ['SmsSid', 'SmsMessageSid', 'SmsStatus'],
        'a name that the account gave, or a part of its set-up': [
          'AccountSid',
          'MessagingServiceSid',
          'ApiVersion',
        ],
        'what was sent or how, and not what became of it': ['NumMedia', 'NumSegments', 'MediaContentType0'],
        'the place or the kind of a number': [
          'FromCity',
          'FromState',
          'FromZip',
          'FromCountry',
          'ToCity',
          'ToState',
          'ToZip',
          'ToCountry',
        ],
      },
    },
    {
      of: 'lookup',
      source: node,
      read: {
        segments: ['num_segments'],
        list: ['direction'],
        recipient: ['to'],
        occurredAt: ['date_updated'],
        price: ['price'],
        errorText: ['error_message'],
        status: ['status'],
        messageId: ['sid'],
        errorCode: ['error_code'],
        currency: ['price_unit'],
      },
      leftOut: {
        'what was sent or how, and not what became of it': ['body', 'num_media'],
        'the sender, which a report of a message does not need': ['from'],
        'the same in other words as a value that is read': ['uri', 'subresource_uris'],
        'a name that the account gave, or a part of its set-up': [
          'account_sid',
          'messaging_service_sid',
          'api_version',
        ],
        'another time than that of the status': ['date_sent', 'date_created'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: node,
      words: [
        'queued',
        'sending',
        'sent',
        'failed',
        'delivered',
        'undelivered',
        'accepted',
        'scheduled',
        'read',
        'partially_delivered',
        'canceled',
      ],
      leftOut: { 'the status of an incoming message': ['receiving', 'received'] },
    },
    twilioErrors,
  ],
  registration: [node],
  lacks: {
    parts: 'Twilio joins the parts of a reply, and reports a long message once.',
    'final flag': 'No field says that a report is the last one.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
