import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { presetContract } from '../../../support/preset-contracts.ts';

/*
 * Requests with which public gateways and libraries are tested, or which the services describe in files for machines, each with its source.
 * Their form, field names and words are those of the source. Phone numbers are fictitious ones, and texts are short.
 */

const receivedAt = '2026-01-15T12:00:10.000Z';
const now = Date.parse(receivedAt);

/** Reads the events of a body: JSON, or the text of a form. */
function eventsOf(preset: string, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const outcomes = createMapper(presetContract(preset))(Buffer.from(text), undefined, receivedAt);
  return outcomes.map((outcome) => (outcome.kind === 'event' ? outcome.event : outcome));
}

interface SignedRequest {
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function isAccepted(
  preset: string,
  secret: string,
  { url = 'https://sms.test/webhooks/sms', headers, body }: SignedRequest,
): boolean {
  const { signature } = presetContract(preset).webhook;
  const request = { url, headers, body: Buffer.from(body) };
  return createVerifier(signature)(request, [secret], now).kind === 'verified';
}

describe('seven.io', () => {
  // seven-io/js-client adaf0c6b (2026-05-02), src/resources/hooks/types.ts: SmsStatusChangePayload and InboundSmsPayload.
  const report = (status: string, timestamp: string) => ({
    data: { msg_id: '77149843739', status, timestamp },
    webhook_event: 'dlr',
    webhook_timestamp: '2021-08-24T08:08:00+02:00',
  });
  const reply = {
    data: {
      ...{ id: '681590', sender: '12025550143', system: '12025550100', text: 'Hello World' },
      ...{ time: '1605878104', message_type: 'SMS' },
    },
    webhook_event: 'sms_mo',
    webhook_timestamp: '2020-12-02 11:55:44',
  };

  it('a status, whose time equals that of its envelope', () => {
    expect(eventsOf('seven', report('NOTDELIVERED', '2021-08-24 08:08:00.000000'))).toEqual([
      {
        kind: 'sms.status',
        eventId: '77149843739:NOTDELIVERED',
        messageId: '77149843739',
        status: 'undelivered',
        word: 'NOTDELIVERED',
        rank: 100,
        occurredAt: new Date('2021-08-24T08:08:00+02:00').toISOString(),
      },
    ]);
  });

  it('a reply', () => {
    expect(eventsOf('seven', reply)).toEqual([
      {
        kind: 'sms.reply',
        eventId: '681590',
        replyId: '681590',
        from: '+12025550143',
        to: '+12025550100',
        text: 'Hello World',
        occurredAt: '2020-11-20T13:15:04.000Z',
      },
    ]);
  });

  it('all words of the OpenAPI description', () => {
    // seven-io/api-schemes 3baa724d (2026-02-11), yml/openapi.yml: SmsStatus.
    expect(Object.keys(presetContract('seven').statuses).sort()).toEqual([
      ...['ACCEPTED', 'BUFFERED', 'DELIVERED', 'EXPIRED', 'FAILED'],
      ...['NOTDELIVERED', 'REJECTED', 'TRANSMITTED', 'UNKNOWN'],
    ]);
  });

  it('the signature that the library verifies', () => {
    // seven-io/js-client adaf0c6b, src/lib/WebhookVerifier.ts: time, nonce, method, URL and the MD5 of the body, each on a line.
    const [url, body, time, nonce] = [
      'https://sms.test/webhooks/sms',
      JSON.stringify(reply),
      `${now / 1000}`,
      'n'.repeat(32),
    ];
    const digest = createHash('md5').update(body).digest('hex');
    const text = [time, nonce, 'POST', url, digest].join('\n');
    const signature = createHmac('sha256', 'key').update(text).digest('hex');
    const headers = { 'x-timestamp': time, 'x-nonce': nonce, 'x-signature': signature };
    expect(isAccepted('seven', 'key', { url, headers, body })).toBe(true);
    expect(isAccepted('seven', 'key', { url, headers: { ...headers, 'x-nonce': 'o' }, body })).toBe(false);
  });
});
