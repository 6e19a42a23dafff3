import type { PublishedFacts, Source } from '../published-facts.ts';

const page: Source = {
  name: 'SMS delivery receipts and inbound SMS',
  from: 'documentation',
  date: '2026-11-28',
};

export const clicksend: PublishedFacts = {
  presets: ['clicksend'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        occurredAt: ['timestamp'],
        messageId: ['message_id'],
        status: ['status_code'],
        errorText: ['status_text', 'error_text'],
        errorCode: ['error_code'],
      },
      leftOut: {
        'another time than that of the status': ['timestamp_send'],
        'a name that the account gave, or a part of its set-up': [
          'custom_string',
          'subaccount_id',
          'user_id',
        ],
        'what was sent or how, and not what became of it': ['message_type'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        text: ['body'],
        from: ['from'],
        to: ['to'],
        occurredAt: ['timestamp'],
        replyId: ['message_id'],
        messageId: ['original_message_id'],
      },
      leftOut: {
        'of the message that it answers': ['originalsenderid', 'original_body'],
        'the same in other words as a value that is read': ['message', 'sms'],
        'a name that the account gave, or a part of its set-up': [
          'user_id',
          'subaccount_id',
          'custom_string',
        ],
      },
    },
    {
      of: 'lookup',
      source: page,
      read: {
        carrier: ['carrier'],
        occurredAt: ['date', 'timestamp'],
        list: ['direction'],
        errorCode: ['error_code'],
        errorText: ['error_text', 'status_text'],
        messageId: ['message_id'],
        segments: ['message_parts'],
        status: ['status', 'status_code'],
        recipient: ['to'],
      },
      leftOut: {
        'the same in other words as a value that is read': ['_api_username'],
        'what was sent or how, and not what became of it': ['body', 'schedule', 'message_type'],
        'a name that the account gave, or a part of its set-up': [
          'contact_id',
          'custom_string',
          'list_id',
          'subaccount_id',
          'user_id',
        ],
        'the place or the kind of a number': ['country'],
        'the sender, which a report of a message does not need': ['from'],
        'a price without a currency': ['message_price'],
        'another time than that of the status': ['timestamp_send'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['200', '201', '300', '301'],
    },
    {
      of: 'lookup statuses',
      source: page,
      words: [
        '302',
        'Queued',
        'Completed',
        'Scheduled',
        'WaitApproval',
        'Sent',
        'Cancelled',
        'CancelledAfterReview',
        'Failed',
      ],
    },
  ],
  lacks: {
    signature: 'ClickSend signs nothing.',
    parts: 'No field of a receipt or a reply says that there are parts.',
    media: 'Replies have no pictures.',
    'final flag': 'No field says that a report is the last one.',
    reasons: 'What the values of error_code mean is not documented.',
    'opt-out code': 'What the values of error_code mean is not documented.',
    retries: 'How long ClickSend retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
