import type { PublishedFacts, Source } from '../published-facts.ts';

const python: Source = { name: 'sinch', from: 'PyPI', version: '2.3.0', date: '2026-10-14' };
const node: Source = { name: '@sinch/sms', from: 'npm', version: '1.4.0', date: '2026-08-24' };

export const sinchSms: PublishedFacts = {
  presets: ['sinch-sms'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: python,
      models: ['sinch.domains.sms.models.v1.response.recipient_delivery_report:RecipientDeliveryReport'],
      read: {
        occurredAt: ['at', 'operator_status_at'],
        messageId: ['batch_id', 'recipient'],
        errorCode: ['code'],
        segments: ['number_of_message_parts'],
        network: ['operator'],
        status: ['status'],
        kind: ['type'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['applied_originator'],
        'a name that the account gave, or a part of its set-up': ['client_reference'],
        'what was sent or how, and not what became of it': ['encoding'],
      },
    },
    {
      of: 'reply',
      source: python,
      models: [
        'sinch.domains.sms.models.v1.shared.mo_text_message:MOTextMessage',
        'sinch.domains.sms.models.v1.shared.mo_media_message:MOMediaMessage',
      ],
      read: {
        text: ['body', 'type', 'body.message', 'body.subject'],
        media: ['body.media[0].url'],
        from: ['from'],
        replyId: ['id'],
        occurredAt: ['received_at'],
        to: ['to'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['client_reference'],
        'the place or the kind of a number': ['operator_id'],
        'another time than that of the status': ['sent_at'],
        'whether Sinch could store a file, and its kind': [
          'body.media[0].code',
          'body.media[0].content_type',
          'body.media[0].status',
        ],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: node,
      words: [
        'Queued',
        'Dispatched',
        'Aborted',
        'Cancelled',
        'Rejected',
        'Deleted',
        'Delivered',
        'Failed',
        'Expired',
        'Unknown',
      ],
    },
    {
      of: 'statuses',
      source: python,
      model: [
        'sinch.domains.sms.models.v1.response.recipient_delivery_report:RecipientDeliveryReport',
        'status',
      ],
      words: [
        'QUEUED',
        'DISPATCHED',
        'ABORTED',
        'CANCELLED',
        'FAILED',
        'DELIVERED',
        'EXPIRED',
        'REJECTED',
        'DELETED',
        'UNKNOWN',
      ],
    },
    {
      of: 'errors',
      source: python,
      model: [
        'sinch.domains.sms.models.v1.response.recipient_delivery_report:RecipientDeliveryReport',
        'code',
      ],
      words: [
        '400',
        '401',
        '402',
        '403',
        '404',
        '405',
        '406',
        '408',
        '410',
        '411',
        '412',
        '413',
        '414',
        '415',
        '417',
      ],
      leftOut: {
        'the user cancelled the message, which the status says': ['407'],
        'says only that a report of an MMS was of no use': ['416', '418'],
      },
    },
  ],
  lacks: {
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'Sinch names no code for an opt-out: a message to a person who opted out may be Deleted.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};

const { signature: _, ...withoutSignature } = sinchSms;

/** The same callbacks, with a password in place of a signature. */
export const sinchSmsBasic: PublishedFacts = {
  ...withoutSignature,
  presets: ['sinch-sms-basic'],
  lacks: { ...sinchSms.lacks, signature: 'Callbacks with basic authentication are not signed.' },
};
