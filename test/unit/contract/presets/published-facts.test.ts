import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { createLookupReader } from '../../../../contract/lookups/lookup-answer.ts';
import { presetContract } from '../../../support/preset-contracts.ts';

/*
 * Facts that providers publish in their libraries and descriptions, each with its source. The presets' own samples prove how we read the
 * documentation only.
 */

const receivedAt = '2026-01-15T12:00:10.000Z';

function mapped(preset: string, body: object) {
  const [only] = createMapper(presetContract(preset))(Buffer.from(JSON.stringify(body)), 'e-1', receivedAt);
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
  ...{ bulkId: 'b-1', messageId: 'm-1', sender: 'ACME', messageCount: 1, mccMnc: '22801' },
  ...{ sentAt: '2026-01-15T12:00:00.000+0000', doneAt: '2026-01-15T12:00:05.000+0000' },
  price: { pricePerMessage: 0.01, currency: 'EUR' },
  status: { groupId: 3, groupName: 'DELIVERED', id: 5, name: 'DELIVERED_TO_HANDSET' },
  error: { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', permanent: false },
};
const paid = { price: '0.01', currency: 'EUR', segments: 1 };

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
      ...{ sms_id: 'sms_1', to: '+12025550143', from: '+12025550100', carrier: 'Verizon', mcc_mnc: '311480' },
      ...{ cost: { amount: '0.00990', currency_code: 'EUR' }, segments: { count: 2 } },
    };
    expect(mapped('bird', { type: 'sms.delivered', timestamp: receivedAt, data })).toMatchObject({
      ...{ price: '0.0099', currency: 'EUR', segments: 2, network: '311480', carrier: 'Verizon' },
    });
  });

  it('zenvia: the id and the recipient of a message, in both forms', () => {
    // zenvia/zenvia-openapi-spec 56b6f78: `message` since September 2024, `messageId` is deprecated.
    const event = {
      ...{ id: 'e-1', timestamp: receivedAt, type: 'MESSAGE_STATUS', channel: 'sms' },
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

describe('the answers of a look-up are read', () => {
  function lookedUp(preset: string, operation: 'message' | 'list', body: object) {
    const contract = presetContract(preset);
    if (contract.lookups === null) throw new Error(`${preset} has no look-ups`);
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
      ...{ record_type: 'message_detail_record', uuid: 'u-1', status: 'failed', parts: 1 },
      ...{ cld: '+12025550143', cli: '+12025550100', direction: 'outbound', mcc: '310', mnc: '260' },
      ...{ created_at: receivedAt, completed_at: receivedAt, errors: ['40002'] },
      ...{ cost: '0.003', rate: '0.003', currency: 'USD' },
    };
    expect(lookedUp('telnyx', 'list', { data: [record], meta: { total_pages: 1 } })).toMatchObject([
      { price: '0.003', currency: 'USD', network: '310260' },
    ]);
  });
});
