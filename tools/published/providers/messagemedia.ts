import type { PublishedFacts, Source } from '../published-facts.ts';

const openApi: Source = {
  name: 'messagemedia/sinchengage-documentation',
  from: 'GitHub',
  version: 'b1958dbb',
  date: '2026-07-24',
};

const account = ['metadata', 'vendor_account_id.vendor_id', 'vendor_account_id.account_id'];
const statuses = [
  'enroute',
  'submitted',
  'delivered',
  'expired',
  'rejected',
  'undeliverable',
  'queued',
  'processed',
  'cancelled',
  'scheduled',
  'failed',
];

export const messagemedia: PublishedFacts = {
  presets: ['messagemedia'],
  fields: [
    {
      of: 'report',
      source: openApi,
      read: {
        kind: ['delivery_report_id'],
        messageId: ['message_id'],
        recipient: ['source_number'],
        status: ['status'],
        occurredAt: ['submitted_date'],
        errorCode: ['error_code'],
      },
      leftOut: {
        'about the request, and not about the message': ['callback_url'],
        'another time than that of the status': ['date_received'],
        'no longer in use': ['delay'],
        'charged units, which are neither parts nor money': ['billing_units'],
        'what was sent or how, and not what became of it': ['original_text'],
        'a name that the account gave, or a part of its set-up': account,
      },
    },
    {
      of: 'reply',
      source: openApi,
      read: {
        replyId: ['reply_id'],
        messageId: ['message_id'],
        from: ['source_number'],
        to: ['destination_number'],
        text: ['content'],
        occurredAt: ['date_received'],
      },
      leftOut: {
        'about the request, and not about the message': ['callback_url'],
        'a name that the account gave, or a part of its set-up': account,
      },
    },
    {
      of: 'lookup',
      source: openApi,
      read: {
        messageId: ['message_id'],
        recipient: ['destination_number'],
        status: ['status'],
      },
      leftOut: {
        'about the request, and not about the message': ['callback_url'],
        'what was sent or how, and not what became of it': ['content', 'delivery_report', 'format'],
        'another time than that of the status': ['message_expiry_timestamp', 'scheduled'],
        'a name that the account gave, or a part of its set-up': ['metadata'],
        'the sender, which a report of a message does not need': ['source_number', 'source_number_type'],
      },
    },
  ],
  words: [
    { of: 'statuses', source: openApi, words: statuses },
    { of: 'lookup statuses', source: openApi, words: statuses },
    {
      of: 'errors',
      source: openApi,
      words: [
        '101',
        '102',
        '151',
        '200',
        '210',
        '211',
        '212',
        '213',
        '220',
        '221',
        '320',
        '401',
        '301',
        '302',
        '303',
        '304',
        '305',
        '402',
        '403',
        '410',
        '411',
        '412',
        '413',
        '414',
        '330',
        '331',
        '332',
        '333',
        '400',
        '405',
      ],
    },
  ],
  lacks: {
    signature: 'MessageMedia signs by RSA with SHA-224, which is not among the algorithms of a contract.',
    parts: 'No field says that a message or a reply has parts.',
    media: 'A template sends pictures as their content, and no field names an address.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code':
      'No code names an opt-out. An event of its own does, and what it holds is not documented.',
    retries: 'How long MessageMedia retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
