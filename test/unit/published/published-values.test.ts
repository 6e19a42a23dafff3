import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../contract/events/mapping.ts';
import { createLookupReader } from '../../../contract/lookups/lookup-answer.ts';
import { presetContract } from '../../support/preset-contracts.ts';

/*
 * Values that providers publish in their libraries and descriptions, each with its source, and what they become. The presets' own samples prove
 * how we read the documentation only.
 */

const receivedAt = '2026-01-15T12:00:10.000Z';

function mapped(preset: string, body: object) {
  const contract = presetContract(preset);
  const isForm = contract.webhook.bodyFormat === 'form';
  const bytes = isForm ? String(new URLSearchParams({ ...body })) : JSON.stringify(body);
  const [only] = createMapper(contract)(Buffer.from(bytes), 'e-1', receivedAt);
  return only?.kind === 'event' ? only.event : only;
}

describe('the error codes of a provider have reasons', () => {
  it.each<readonly [string, Readonly<Record<string, string>>]>([
    [
      'infobip',
      // Infobip, "Response status and error codes".
      {
        EC_VALIDITY_EXPIRED: 'expired',
        EC_DEACTIVATED_LIST: 'invalid_number',
        EC_BLACKLISTED_DESTINATIONADDRESS: 'blocked',
        EC_BLACKLISTED_SENDERADDRESS: 'unregistered_sender',
        EC_INVALID_SOURCE_ADDRESS: 'unregistered_sender',
        EC_TF_NUMBER_NOT_VERIFIED: 'unregistered_sender',
        EC_CONTENT_BLOCKED_BY_OPERATOR: 'carrier_rejected',
        EC_SIGNALS_BLOCKED: 'spam',
        EC_10DLC_LIMIT_REACHED: 'throttled',
        EC_DESTINATION_FLOODING: 'throttled',
        EC_SC_BLOCKED_FOR_END_USER: 'blocked',
      },
    ],
    [
      'twilio',
      // Twilio, "Error and Warning Dictionary".
      {
        '21408': 'no_route',
        '21612': 'no_route',
        '21614': 'landline',
        '30002': 'service_error',
        '30017': 'throttled',
        '30018': 'unregistered_sender',
        '30019': 'content_rejected',
        '30022': 'throttled',
        '30023': 'throttled',
        '30024': 'unregistered_sender',
        '30027': 'throttled',
        '30033': 'unregistered_sender',
        '30035': 'unregistered_sender',
        '30036': 'expired',
        '30450': 'spam',
        '30453': 'spam',
        '63038': 'throttled',
      },
    ],
    [
      'sinch-sms',
      // sinch/sinch-sdk-java d747cc30, DeliveryReceiptStatusCode.
      {
        '402': 'no_route',
        '403': 'service_error',
        '404': 'unreachable',
        '406': 'expired',
        '408': 'carrier_rejected',
        '410': 'unregistered_sender',
        '411': 'content_rejected',
        '413': 'insufficient_funds',
      },
    ],
    [
      'gatewayapi',
      // onlinecity/gatewayapi-docs da52fb94, docs/errors.rst.
      {
        '0x1024': 'carrier_rejected',
        '0x1026': 'blocked',
        '0x1032': 'carrier_rejected',
        '0x1036': 'carrier_rejected',
        '0x1039': 'carrier_rejected',
        '0x103A': 'carrier_rejected',
        '0x103C': 'blocked',
        '0x1041': 'carrier_rejected',
        '0x1052': 'invalid_number',
        '0x1061': 'invalid_number',
        '0x1066': 'unregistered_sender',
        '0x1067': 'unregistered_sender',
        '0x1078': 'content_rejected',
      },
    ],
    [
      'signalwire',
      // signalwire/docs 66837121, "Error codes".
      {
        '21620': 'content_rejected',
        '53603': 'content_rejected',
        '63011': 'service_error',
        '63019': 'content_rejected',
      },
    ],
    ...['plivo-v2', 'plivo-v3'].map(
      // Plivo, "Messaging Error Codes".
      (name) => [name, { '420': 'expired', '450': 'no_route', '900': 'insufficient_funds' }] as const,
    ),
  ])('%s', (preset, reasons) => {
    expect(presetContract(preset).errors).toMatchObject(reasons);
  });
});

// infobip/infobip-api-java-client 5e880b1, SmsDeliveryReport and SmsLog: version 3 writes messageCount.
const ofInfobip = {
  bulkId: 'b-1',
  messageId: 'm-1',
  sender: 'ACME',
  messageCount: 1,
  mccMnc: '22801',
  sentAt: '2026-01-15T12:00:00.000+0000',
  doneAt: '2026-01-15T12:00:05.000+0000',
  price: { pricePerMessage: 0.01, currency: 'EUR' },
  status: { groupId: 3, groupName: 'DELIVERED', id: 5, name: 'DELIVERED_TO_HANDSET' },
  error: { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', permanent: false },
};
const paid = { price: '0.01', currency: 'EUR', segments: 1 };

describe('every word of a status has the meaning that the provider gives it', () => {
  const of8x8 = (state: string) => ({
    namespace: 'SMS',
    eventType: 'outbound_message_status_changed',
    payload: { umid: 'm-1', destination: '+12025550143', status: { state, timestamp: receivedAt } },
  });
  const ofAfricasTalking = (status: string) => ({ id: 'm-1', phoneNumber: '+12025550143', status });
  const ofBandwidth = (errorCode: number) => [
    {
      type: 'message-failed',
      time: receivedAt,
      description: 'x',
      to: '+12025550143',
      errorCode,
      message: { id: 'm-1', segmentCount: 1, to: ['+12025550143'], from: '+12025550100' },
    },
  ];
  const ofPlivo = (Status: string) => ({ MessageUUID: 'm-1', To: '12025550143', Status });
  const ofSinch = (status: string) => ({
    type: 'recipient_delivery_report_sms',
    batch_id: 'b-1',
    recipient: '12025550143',
    code: 0,
    status,
    at: receivedAt,
  });
  const ofTextmagic = (status: string) => ({ id: 1, receiver: '12025550143', status });
  const ofTwilio = (MessageStatus: string) => ({ MessageSid: 'SM1', To: '+12025550143', MessageStatus });
  const ofZenvia = (code: string) => ({
    id: 'e-1',
    timestamp: receivedAt,
    type: 'MESSAGE_STATUS',
    messageId: 'm-1',
    messageStatus: { timestamp: receivedAt, code },
  });
  const ofAws = (eventType: string) => ({
    id: 'e-1',
    'detail-type': 'RCS Message Delivery Status Updated',
    detail: { eventType, messageId: 'm-1', eventTimestamp: Date.parse(receivedAt) },
  });

  it.each<readonly [preset: string, body: object, status: string]>([
    // 8x8Cloud/public-developer-docs 859e59a, "Delivery receipts for outbound SMS".
    ['8x8', of8x8('Failed'), 'failed'],
    ['8x8', of8x8('unknown'), 'unknown'],
    // nyaruka/courier 350e9350, handlers/africastalking.
    ['africas-talking', ofAfricasTalking('Expired'), 'expired'],
    ['africas-talking', ofAfricasTalking('AbsentSubscriber'), 'undelivered'],
    // Bandwidth, "Why did I get a 9902 or 902 error for SMS?": no failure.
    ['bandwidth', ofBandwidth(9902), 'unknown'],
    ['bandwidth', ofBandwidth(4702), 'failed'],
    // nyaruka/courier 350e9350, handlers/plivo: a callback without a time, and the word "rejected".
    ['plivo-v3', ofPlivo('rejected'), 'rejected'],
    ['plivo-v2', ofPlivo('delivered'), 'delivered'],
    // sinch 2.3.0 (PyPI) writes statuses in capitals, and @sinch/sms 1.4.0 (npm) with one.
    ['sinch-sms', ofSinch('DELIVERED'), 'delivered'],
    ['sinch-sms', ofSinch('Delivered'), 'delivered'],
    // textmagic-client 3.0.50062 (npm) has these letters without a meaning.
    ...['i', 'p', 'h'].map((letter) => ['textmagic', ofTextmagic(letter), 'unknown'] as const),
    // twilio 6.3.1 (npm), MessageStatus: a part of the message did not arrive.
    ['twilio', ofTwilio('partially_delivered'), 'undelivered'],
    // zenvia/zenvia-openapi-spec 56b6f78, the codes of a message status.
    ['zenvia', ofZenvia('DELETED'), 'unknown'],
    ['zenvia', ofZenvia('CLICKED'), 'read'],
    // @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm), EventType.
    ['aws-end-user-messaging-eventbridge', ofAws('RCS_DELIVERED'), 'delivered'],
    ['aws-end-user-messaging-eventbridge', ofAws('RCS_FALLEN_BACK_TO_SMS'), 'sent'],
  ])('%s: %j is %s', (preset, body, status) => {
    expect(mapped(preset, body)).toMatchObject({ kind: 'sms.status', status });
  });
});

describe('a reply is read', () => {
  it('bird: an opt-out that Bird recorded has no words, and counts as STOP', () => {
    // messagebird-sdk 0.106.0 (PyPI), EventSMSSuppressionCreated.
    const data = {
      suppression_id: 'ssu_1',
      destination: '+12025550143',
      originator: '+12025550100',
      reason: 'keyword_stop',
    };
    const event = mapped('bird', { type: 'sms_suppression.created', timestamp: receivedAt, data });
    expect(event).toMatchObject({ kind: 'sms.reply', from: '+12025550143', text: '', optOut: true });
    expect(event).not.toHaveProperty('unread');
    const tooLong = { ...data, suppression_id: 's'.repeat(2000) };
    const lost = mapped('bird', { type: 'sms_suppression.created', timestamp: receivedAt, data: tooLong });
    expect(lost).toMatchObject({ kind: 'unreadable', replyText: { from: '+12025550143', optOut: true } });
  });

  it('telnyx: the words of another channel, and what Telnyx answered by itself', () => {
    // telnyx 4.189.0 (PyPI), InboundMessageWebhookEvent.
    const reply = (payload: object) =>
      mapped('telnyx', {
        data: {
          id: 'e-1',
          event_type: 'message.received',
          occurred_at: receivedAt,
          payload: { id: 'm-1', from: { phone_number: '+12025550143' }, ...payload },
        },
      });
    expect(reply({ text: 'Basta', autoresponse_type: 'STOP' })).toMatchObject({
      text: 'Basta',
      optOut: true,
    });
    expect(reply({ type: 'WHATSAPP', body: { text: { body: 'Hello' } } })).toMatchObject({ text: 'Hello' });
    expect(reply({ type: 'RCS', body: { text: 'Hello' } })).toMatchObject({ text: 'Hello', channel: 'rcs' });
    const file = { user_file: { payload: { file_uri: 'https://example.com/a.jpg' } } };
    expect(reply({ type: 'RCS', body: file })).toMatchObject({ media: ['https://example.com/a.jpg'] });
  });

  it('bandwidth: a suggestion that the person chose', () => {
    // bandwidth-sdk 23.3.1 (PyPI), InboundCallback.
    const message = {
      id: 'm-1',
      from: '+12025550143',
      channel: 'RBM',
      suggestionResponse: { text: 'Yes', postbackData: 'eQ==' },
    };
    expect(
      mapped('bandwidth', [{ type: 'suggestion-response', time: receivedAt, to: '+12025550100', message }]),
    ).toMatchObject({ text: 'Yes', channel: 'rbm' });
  });
});

describe('the fields of a report are read', () => {
  it('infobip: the number of parts of version 3, and the price with it', () => {
    expect(mapped('infobip', { results: [{ ...ofInfobip, to: '12025550143' }] })).toMatchObject(paid);
    const two = { ...ofInfobip, to: '12025550143', messageCount: 2 };
    expect(mapped('infobip', { results: [two] })).not.toHaveProperty('price');
    const accepted = { ...ofInfobip, to: '12025550143', status: { groupName: 'ACCEPTED' } };
    expect(mapped('infobip', { results: [accepted] })).toMatchObject({ status: 'accepted' });
  });

  it('bird: cost, parts, network and carrier', () => {
    // messagebird-sdk 0.106.0 (PyPI), the models of events.
    const data = {
      sms_id: 'sms_1',
      to: '+12025550143',
      from: '+12025550100',
      carrier: 'Verizon',
      mcc_mnc: '311480',
      cost: { amount: '0.00990', currency_code: 'EUR' },
      segments: { count: 2 },
    };
    expect(mapped('bird', { type: 'sms.delivered', timestamp: receivedAt, data })).toMatchObject({
      price: '0.0099',
      currency: 'EUR',
      segments: 2,
      network: '311480',
      carrier: 'Verizon',
    });
  });

  it('zenvia: the id and the recipient of a message, in both forms', () => {
    // zenvia/zenvia-openapi-spec 56b6f78: `message` since September 2024, `messageId` is deprecated.
    const event = {
      id: 'e-1',
      timestamp: receivedAt,
      type: 'MESSAGE_STATUS',
      channel: 'sms',
      messageStatus: { timestamp: receivedAt, code: 'DELIVERED' },
    };
    const message = { id: 'm-1', direction: 'OUT', from: '12025550100', to: '12025550143' };
    expect(mapped('zenvia', { ...event, message })).toMatchObject({
      messageId: 'm-1',
      phone: '+12025550143',
    });
    expect(mapped('zenvia', { ...event, messageId: 'm-1' })).toMatchObject({ messageId: 'm-1' });
    expect(
      mapped('zenvia', { ...event, message, messageStatus: { timestamp: receivedAt, code: 'ACCEPTED' } }),
    ).toMatchObject({ status: 'accepted' });
  });
});

describe('the answers of a lookup are read', () => {
  function lookedUp(preset: string, operation: 'message' | 'list', body: object) {
    const contract = presetContract(preset);
    if (contract.lookups === null) throw new Error(`${preset} has no lookups`);
    const read = createLookupReader(contract, contract.lookups);
    const answer = read({ operation, text: JSON.stringify(body), answeredAt: receivedAt, page: undefined });
    return answer.kind === 'page' ? answer.reports : answer;
  }

  it('infobip: the number of parts, and the price', () => {
    const log = { ...ofInfobip, destination: '12025550143' };
    expect(lookedUp('infobip', 'message', { results: [log] })).toMatchObject([paid]);
  });

  it('telnyx: the price of a detail record, whose currency is beside it', () => {
    // telnyx 7.24.0 (npm), MessageDetailRecord.
    const record = {
      record_type: 'message_detail_record',
      uuid: 'u-1',
      status: 'failed',
      parts: 1,
      cld: '+12025550143',
      cli: '+12025550100',
      direction: 'outbound',
      mcc: '310',
      mnc: '260',
      created_at: receivedAt,
      completed_at: receivedAt,
      errors: ['40002'],
      cost: '0.003',
      rate: '0.003',
      currency: 'USD',
    };
    expect(lookedUp('telnyx', 'list', { data: [record], meta: { total_pages: 1 } })).toMatchObject([
      { price: '0.003', currency: 'USD', network: '310260' },
    ]);
  });
});
