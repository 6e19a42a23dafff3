import type { PublishedFacts, Source } from '../published-facts.ts';

const python: Source = {
  name: 'infobip-api-python-client',
  from: 'PyPI',
  version: '6.0.0',
  date: '2026-01-22',
};
const page: Source = { name: 'Response status and error codes', from: 'documentation', date: '2026-11-28' };

export const infobip: PublishedFacts = {
  presets: ['infobip'],
  fields: [
    {
      of: 'report',
      source: python,
      models: ['infobip_api_client.models.sms_delivery_result:SmsDeliveryResult'],
      at: 'results[0]',
      read: {
        sendId: ['bulkId'],
        occurredAt: ['doneAt'],
        errorText: ['error.description', 'status.description'],
        errorCode: ['error.name'],
        network: ['mccMnc'],
        price: ['messageCount', 'price.currency', 'price.pricePerMessage'],
        messageId: ['messageId'],
        status: ['status.groupName', 'status.name'],
        recipient: ['to'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': [
          'callbackData',
          'campaignReferenceId',
          'platform.applicationId',
          'platform.entityId',
        ],
        'the same in other words as a value that is read': [
          'error.groupId',
          'error.groupName',
          'error.id',
          'error.permanent',
          'status.groupId',
          'status.id',
        ],
        'advice to the sender': ['status.action'],
        'the sender, which a report of a message does not need': ['sender'],
        'another time than that of the status': ['sentAt'],
      },
    },
    {
      of: 'reply',
      source: python,
      models: ['infobip_api_client.models.sms_inbound_message_result:SmsInboundMessageResult'],
      at: 'results[0]',
      read: {
        from: ['from'],
        replyId: ['messageId'],
        occurredAt: ['receivedAt'],
        text: ['text'],
        to: ['to'],
      },
      leftOut: {
        'around the events': ['messageCount', 'pendingMessageCount'],
        'a name that the account gave, or a part of its set-up': [
          'applicationId',
          'callbackData',
          'campaignReferenceId',
          'entityId',
        ],
        'what was sent or how, and not what became of it': ['cleanText', 'keyword', 'smsCount'],
        'the price of a reply, which the history does not have': ['price.currency', 'price.pricePerMessage'],
      },
    },
    {
      of: 'lookup',
      source: python,
      models: ['infobip_api_client.models.sms_log:SmsLog'],
      read: {
        sendId: ['bulkId'],
        recipient: ['destination'],
        occurredAt: ['doneAt', 'sentAt'],
        errorText: ['error.description', 'status.description'],
        errorCode: ['error.name'],
        network: ['mccMnc'],
        price: ['messageCount', 'price.currency', 'price.pricePerMessage'],
        messageId: ['messageId'],
        status: ['status.groupName', 'status.name'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': [
          'campaignReferenceId',
          'platform.applicationId',
          'platform.entityId',
        ],
        'what was sent or how, and not what became of it': [
          'content.dataCoding',
          'content.esmClass',
          'content.hex',
          'content.language.languageCode',
          'content.language.lockingShift',
          'content.language.singleShift',
          'content.text',
          'content.transliteration',
        ],
        'the same in other words as a value that is read': [
          'error.groupId',
          'error.groupName',
          'error.id',
          'error.permanent',
          'status.action',
          'status.groupId',
          'status.id',
        ],
        'the sender, which a report of a message does not need': ['sender'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: python,
      model: [
        'infobip_api_client.models.sms_delivery_result:SmsDeliveryResult',
        'results[0].status.groupName',
      ],
      words: ['ACCEPTED', 'PENDING', 'UNDELIVERABLE', 'DELIVERED', 'EXPIRED', 'REJECTED'],
    },
    {
      of: 'errors',
      source: page,
      words: [
        'EC_VALIDITY_EXPIRED',
        'EC_DEACTIVATED_LIST',
        'EC_BLACKLISTED_DESTINATIONADDRESS',
        'EC_BLACKLISTED_SENDERADDRESS',
        'EC_INVALID_SOURCE_ADDRESS',
        'EC_TF_NUMBER_NOT_VERIFIED',
        'EC_CONTENT_BLOCKED_BY_OPERATOR',
        'EC_SIGNALS_BLOCKED',
        'EC_10DLC_LIMIT_REACHED',
        'EC_DESTINATION_FLOODING',
        'EC_SC_BLOCKED_FOR_END_USER',
        'EC_UNKNOWN_SUBSCRIBER',
        'EC_ABSENT_SUBSCRIBER',
      ],
    },
  ],
  lacks: {
    signature: 'Nothing is signed.',
    'final flag': 'No field says that a report is the last one.',
    retries: 'How long the service retries is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
