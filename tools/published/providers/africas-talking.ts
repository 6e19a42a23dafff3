import type { PublishedFacts, Source } from '../published-facts.ts';

const page: Source = {
  name: 'SMS delivery reports and incoming messages',
  from: 'documentation',
  date: '2026-11-28',
};
const courier: Source = {
  name: 'nyaruka/courier, africastalking',
  from: 'GitHub',
  version: '350e9350',
  date: '2026-08-19',
};

export const africasTalking: PublishedFacts = {
  presets: ['africas-talking'],
  fields: [
    {
      of: 'report',
      source: page,
      read: {
        messageId: ['id'],
        status: ['status'],
        recipient: ['phoneNumber'],
        network: ['networkCode'],
        errorCode: ['failureReason'],
      },
      leftOut: {
        'about the request, and not about the message': ['retryCount'],
      },
    },
    {
      of: 'reply',
      source: page,
      read: {
        occurredAt: ['date'],
        from: ['from'],
        replyId: ['id'],
        text: ['text'],
        to: ['to'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['linkId'],
        'the network and the price of a reply, which the history does not have': ['networkCode', 'cost'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: page,
      words: ['Sent', 'Submitted', 'Buffered', 'Rejected', 'Success', 'Failed'],
    },
    {
      of: 'statuses',
      source: courier,
      words: ['Success', 'Sent', 'Buffered', 'Rejected', 'Failed', 'Expired'],
    },
    {
      of: 'errors',
      source: page,
      words: [
        'UserIsInactive',
        'UserInBlackList',
        'UserAccountSuspended',
        'NotNetworkSubscriber',
        'UserDoesNotExist',
        'DeliveryFailure',
        'DoNotDisturbRejection',
      ],
      leftOut: {
        'of premium services': ['InsufficientCredit', 'InvalidLinkId', 'UserNotSubscribedToProduct'],
      },
    },
  ],
  lacks: {
    signature: "Africa's Talking signs nothing.",
    parts: 'No field says that there are parts.',
    media: 'Replies have no pictures.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'Opt-outs come to an address of their own, and no reason names one.',
    retries: "How long Africa's Talking retries is not documented.",
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
