import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: 'messagebird', from: 'npm', version: '4.0.1', date: '2024-12-12' };
const courier: Source = {
  name: 'nyaruka/courier, messagebird',
  from: 'GitHub',
  version: '350e9350',
  date: '2026-08-19',
};
const page: Source = { name: 'SMS Platform Extended Error Codes', from: 'documentation', date: '2026-11-28' };

export const messagebirdSms: PublishedFacts = {
  presets: ['messagebird-sms', 'messagebird-sms-hmac'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: courier,
      read: {
        messageId: ['id', 'recipient'],
        status: ['status'],
        errorText: ['statusReason'],
        errorCode: ['statusErrorCode'],
        occurredAt: ['statusDatetime'],
        segments: ['messagePartCount'],
        network: ['mccmnc'],
        price: ['price[amount]'],
        currency: ['price[currency]'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['reference'],
        'what was sent or how, and not what became of it': ['messageLength', 'datacoding'],
        'the place or the kind of a number': ['ported'],
      },
    },
    {
      of: 'reply',
      source: courier,
      read: {
        replyId: ['id', 'mid', 'message_id', 'shortcode'],
        to: ['recipient'],
        from: ['originator'],
        text: ['body', 'message'],
        media: ['mediaURLs'],
        occurredAt: ['createdDatetime', 'receive_datetime'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['reference'],
      },
    },
    {
      of: 'lookup',
      source: node,
      at: 'recipients.items[0]',
      read: {
        messageId: ['recipient'],
        status: ['status'],
        occurredAt: ['statusDatetime'],
        carrier: ['recipientOperator'],
        errorCode: ['statusErrorCode'],
        errorText: ['statusReason'],
        price: ['price.amount'],
        currency: ['price.currency'],
        network: ['mccmnc'],
        segments: ['messagePartCount'],
      },
      leftOut: {
        'the sender, which a report of a message does not need': ['originator'],
        'the place or the kind of a number': ['recipientCountry', 'recipientCountryPrefix'],
        'what was sent or how, and not what became of it': ['messageLength'],
        'the same in other words as a value that is read': ['mcc', 'mnc'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: courier,
      words: ['scheduled', 'sent', 'buffered', 'delivered', 'expired', 'delivery_failed'],
    },
    {
      of: 'errors',
      source: page,
      words: ['1', '104', '106', '107', '103'],
    },
  ],
  lacks: {
    'final flag': 'No field says that a report is the last one.',
    retries: 'How long the service retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
