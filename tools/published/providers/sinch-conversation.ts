import type { PublishedFacts, Source } from '../published-facts.ts';

const node: Source = { name: '@sinch/conversation', from: 'npm', version: '1.4.0', date: '2026-08-24' };

export const sinchConversation: PublishedFacts = {
  presets: ['sinch-conversation'],
  signature: [node],
  fields: [
    {
      of: 'report',
      source: node,
      read: {
        occurredAt: ['accepted_time', 'event_time'],
        messageId: ['message_delivery_report.message_id'],
        kind: [
          'message_delivery_report.conversation_id',
          'message_delivery_report.channel_identity.app_id',
          'message_delivery_report.contact_id',
          'message_delivery_report.reason.sub_code',
          'message_delivery_report.reason.channel_code',
          'message_delivery_report.metadata',
          'message_delivery_report.processing_mode',
        ],
        status: ['message_delivery_report.status'],
        channel: ['message_delivery_report.channel_identity.channel'],
        recipient: ['message_delivery_report.channel_identity.identity'],
        errorCode: ['message_delivery_report.reason.code'],
        errorText: ['message_delivery_report.reason.description'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': [
          'app_id',
          'project_id',
          'message_metadata',
          'correlation_id',
        ],
      },
    },
    {
      of: 'reply',
      source: node,
      read: {
        occurredAt: ['accepted_time', 'event_time'],
        replyId: ['message.id'],
        kind: [
          'message.direction',
          'message.channel_identity.app_id',
          'message.conversation_id',
          'message.contact_id',
          'message.metadata',
          'message.accept_time',
          'message.processing_mode',
        ],
        text: ['message.contact_message.text_message.text', 'message.contact_message.media_message.url'],
        channel: ['message.channel_identity.channel'],
        from: ['message.channel_identity.identity'],
        to: ['message.sender_id'],
      },
      leftOut: {
        'a name that the account gave, or a part of its set-up': ['app_id', 'project_id'],
      },
    },
  ],
  words: [
    {
      of: 'statuses',
      source: node,
      words: ['QUEUED_ON_CHANNEL', 'DELIVERED', 'READ', 'FAILED', 'SWITCHING_CHANNEL'],
    },
    {
      of: 'errors',
      source: node,
      words: [
        'UNKNOWN',
        'INTERNAL_ERROR',
        'RATE_LIMITED',
        'RECIPIENT_INVALID_CHANNEL_IDENTITY',
        'RECIPIENT_NOT_REACHABLE',
        'RECIPIENT_NOT_OPTED_IN',
        'CHANNEL_FAILURE',
        'CHANNEL_BAD_CONFIGURATION',
        'CHANNEL_CONFIGURATION_MISSING',
        'NO_CHANNELS_LEFT',
        'DELIVERY_TIMED_OUT',
        'DELIVERY_REJECTED_DUE_TO_POLICY',
        'CHANNEL_REJECT',
        'MESSAGE_EXPIRED',
        'DELIVERY_REPORT_TIME_OUT',
        'MEDIA_TYPE_UNSUPPORTED',
        'MEDIA_TOO_LARGE',
        'MEDIA_NOT_REACHABLE',
      ],
      leftOut: {
        'a fault of the request or of the set-up': [
          'OUTSIDE_ALLOWED_SENDING_WINDOW',
          'TEMPLATE_NOT_FOUND',
          'TEMPLATE_INSUFFICIENT_PARAMETERS',
          'TEMPLATE_NON_EXISTING_LANGUAGE_OR_VERSION',
          'CONTACT_NOT_FOUND',
          'BAD_REQUEST',
          'UNKNOWN_APP',
          'NO_CHANNEL_IDENTITY_FOR_CONTACT',
          'NO_PERMISSION',
          'NO_PROFILE_AVAILABLE',
          'UNSUPPORTED_OPERATION',
          'INACTIVE_CREDENTIAL',
          'MESSAGE_SPLIT_REQUIRED',
        ],
      },
    },
  ],
  lacks: {
    parts: 'That Sinch joins the parts of a long reply is not documented.',
    'final flag': 'No field says that a report is the last one.',
    'opt-out code': 'No code names an opt-out.',
    retries: 'How long Sinch retries these callbacks is not documented.',
    probe: 'No test call is documented for the time at which the address is saved.',
  },
};
