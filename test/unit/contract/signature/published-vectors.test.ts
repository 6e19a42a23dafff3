import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import type { WebhookMethod } from '../../../../contract/schema/signed-template.ts';
import { queryOf } from '../../../../contract/signature/request-reader.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { findSignature } from '../../../../discovery/signature/find-signature.ts';

/** The kinds of signatures that a contract can describe beyond a header over the body. Each has a vector that verifies and is discovered. */
const kinds = [
  'signature in the query',
  'signature in the body',
  'sorted parameters',
  'parameters without separators',
  'values alone',
  'sorted query',
  'raw query',
  'method',
  'path',
  'MD5 of the body in the text',
  'SHA-1 of the body in the text',
  'line breaks between',
  'two line breaks between',
  'hash of a JSON body in the URL',
  'JWT over an empty body',
  'GET',
  'URL in another spelling',
  'repeated field counts once',
  'base64 secret without whsec_',
  'key without line breaks',
  'commas between signatures',
  'body alone',
  'fixed text before the time',
  'body unsigned',
  'plain hash with the secret inside',
  'secret in the query',
  'secret in the body',
] as const;

interface Vector {
  readonly name: string;
  readonly kinds: readonly (typeof kinds)[number][];
  /** Where the signature is published. Without one, this file makes it by the documented rule. */
  readonly source?: string;
  readonly scheme: z.input<typeof signature>;
  readonly secret: string;
  readonly method?: WebhookMethod;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time of receipt, in milliseconds. */
  readonly at?: number;
}

const now = Date.UTC(2026, 0, 15, 12);
const seconds = String(now / 1000);
const shared = { encoding: 'utf8' } as const;
const window = { unit: 'seconds', toleranceSeconds: 300 } as const;
const hmac = (
  text: string | Buffer,
  encoding: 'hex' | 'base64',
  algorithm = 'sha256',
  key = 'a shared secret',
) => createHmac(algorithm, key).update(text).digest(encoding);
const json = '{"id":"m1","status":"delivered"}';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwt = (claims: object) => {
  const content = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${createHmac('sha256', 'a shared secret').update(content).digest('base64url')}`;
};

const twilio = {
  scheme: 'hmac',
  algorithm: 'sha1',
  encoding: 'base64',
  header: 'X-Twilio-Signature',
  secret: shared,
} as const;
const twilioUrl = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const hubspot = {
  scheme: 'hash',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'X-HubSpot-Signature',
} as const;
const hubspotSecret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
const hubspotUrl = 'https://www.example.com/webhook_uri';
const hubspotSource = 'github.com/HubSpot/hubspot-api-php, tests/unit/Utils/SignatureTest.php';
const plain = { scheme: 'hmac', algorithm: 'sha256', encoding: 'hex', secret: shared } as const;

const vectors: readonly Vector[] = [
  {
    name: 'Twilio: a repeated field counts once',
    kinds: ['repeated field counts once', 'sorted parameters', 'parameters without separators'],
    source: 'github.com/twilio/twilio-php, tests/Twilio/Unit/Security/RequestValidatorTest.php',
    scheme: { ...twilio, signedContent: '{url}{form:unique:namevalue}' },
    secret: '12345',
    url: twilioUrl,
    headers: { 'X-Twilio-Signature': 'IK+Dwps556ElfBT0I3Rgjkr1wJU=' },
    body: 'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
  },
  {
    name: 'Twilio: the hash of a JSON body is a parameter of the URL',
    kinds: ['hash of a JSON body in the URL', 'raw query'],
    source: 'github.com/twilio/twilio-php, tests/Twilio/Unit/Security/RequestValidatorTest.php',
    scheme: {
      ...twilio,
      signedContent: '{url}',
      payloadHash: { query: 'bodySHA256', algorithm: 'sha256', encoding: 'hex' },
    },
    secret: '12345',
    url: `${twilioUrl}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`,
    headers: { 'X-Twilio-Signature': 'a9nBmqA0ju/hNViExpshrM61xv4=' },
    body: '{"property": "value", "boolean": true}',
  },
  {
    name: 'Plivo V2: the URL and a nonce, and no part of the body',
    kinds: ['body unsigned'],
    source: 'github.com/plivo/plivo-ruby, spec/signature_spec.rb',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'X-Plivo-Signature-V2',
      signedContent: '{url:base}{id}',
      unsignedBody: true,
      id: { header: 'X-Plivo-Signature-V2-Nonce' },
    },
    secret: 'my_auth_token',
    url: 'https://answer.url',
    headers: {
      'X-Plivo-Signature-V2': 'ehV3IKhLysWBxC1sy8INm0qGoQYdYsHwuoKjsX7FsXc=',
      'X-Plivo-Signature-V2-Nonce': '12345',
    },
    body: 'From=12025550143&Text=Hi',
  },
  {
    name: 'Sinch Voice: a canonical request with method, MD5 of the body, headers and path',
    kinds: ['MD5 of the body in the text', 'line breaks between', 'method', 'path'],
    source: 'developers.sinch.com/docs/voice/api-reference/authentication/callback-signed-request',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'Authorization',
      prefix: 'application 669E367E-6BBA-48AB-AF15-266871C28135:',
      signedContent: '{method}\n{body:md5:base64}\n{header:content-type}\nx-timestamp:{timestamp}\n{path}',
      secret: { encoding: 'base64' },
      timestamp: { header: 'x-timestamp', unit: 'iso8601', toleranceSeconds: 300 },
    },
    secret: 'BeIukql3pTKJ8RGL5zo0DA==',
    url: 'https://callbacks.yourdomain.com/sinch/callback/ace',
    headers: {
      'content-type': 'application/json',
      'x-timestamp': '2014-09-24T10:59:41Z',
      authorization:
        'application 669E367E-6BBA-48AB-AF15-266871C28135:Tg6fMyo8mj9pYfWQ9ssbx3Tc1BNC87IEygAfLbJqZb4=',
    },
    body: '{"event":"ace","callid":"822aa4b7-05b4-4d83-87c7-1f835ee0b6f6_257","timestamp":"2014-09-24T10:59:41Z","version":1}',
    at: Date.UTC(2014, 8, 24, 10, 59, 42),
  },
  {
    name: 'HubSpot V1: a plain hash of secret and body',
    kinds: ['plain hash with the secret inside'],
    source: hubspotSource,
    scheme: { ...hubspot, signedContent: '{secret}{body}' },
    secret: hubspotSecret,
    headers: { 'X-HubSpot-Signature': '232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de' },
    body: '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
  },
  {
    name: 'HubSpot V2: a plain hash with method and URL',
    kinds: ['plain hash with the secret inside', 'method'],
    source: hubspotSource,
    scheme: { ...hubspot, signedContent: '{secret}{method}{url:base}{body}' },
    secret: hubspotSecret,
    url: hubspotUrl,
    headers: { 'X-HubSpot-Signature': '9569219f8ba981ffa6f6f16aa0f48637d35d728c7e4d93d0d52efaa512af7900' },
    body: '{"example_field":"example_value"}',
  },
  {
    name: 'HubSpot V3: method, URL, body and time without separators',
    kinds: ['method'],
    source: 'github.com/HubSpot/hubspot-api-python, tests/spec/utils/test_signature.py',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'X-HubSpot-Signature-v3',
      signedContent: '{method}{url:base}{body}{timestamp}',
      timestamp: { header: 'X-HubSpot-Request-Timestamp', unit: 'milliseconds', toleranceSeconds: 300 },
    },
    secret: hubspotSecret,
    url: hubspotUrl,
    headers: {
      'X-HubSpot-Signature-v3': 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y=',
      'X-HubSpot-Request-Timestamp': '1693657560000',
    },
    body: "{'example_field':'example_value'}",
    at: 1_693_657_560_000,
  },
  {
    name: 'Vonage SMS: a GET with an MD5 of its sorted parameters and the secret among them',
    kinds: ['GET', 'signature in the query', 'sorted parameters', 'plain hash with the secret inside'],
    source: 'github.com/Vonage/vonage-python-sdk, tests/test_signature.py',
    scheme: {
      scheme: 'hash',
      algorithm: 'md5',
      encoding: 'hex',
      query: 'sig',
      signedContent: '&{form:underscored:name=value&}{secret}',
      timestamp: { query: 'timestamp', ...window },
    },
    secret: 'secret',
    method: 'GET',
    url: 'https://example.test/sms?b=2&a=1&timestamp=1461605396&sig=6af838ef94998832dbfc29020b564830',
    at: 1_461_605_400_000,
  },
  {
    name: 'MessageBird: a GET with its sorted query between line breaks',
    kinds: ['GET', 'sorted query', 'line breaks between'],
    source: 'github.com/messagebird/php-rest-api, tests/Unit/RequestValidatorTest.php',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'MessageBird-Signature',
      signedContent: '{timestamp}\n{query:sorted}\n{body:sha256}',
      timestamp: { header: 'MessageBird-Request-Timestamp', ...window },
    },
    secret: 'PlLrKaqvZNRR5zAjm42ZT6q1SQxgbbGd',
    method: 'GET',
    url: 'https://example.test/sms?recipient=31612345678&reference=FOO&statusDatetime=2019-01-11T09%3A17%3A11%2B00%3A00&id=eef0ab57a9e049be946f3821568c2b2e&status=delivered&mccmnc=20408&ported=1',
    headers: {
      'MessageBird-Signature': 'KVBdcVdz2lYMwcBLZCRITgxUfA/WkwSi+T3Wxl2HL6w=',
      'MessageBird-Request-Timestamp': '1547198231',
    },
    at: 1_547_198_240_000,
  },
  {
    name: 'Vonage SMS: capital hex of an HMAC in a field of the form',
    kinds: ['signature in the body', 'sorted parameters'],
    scheme: {
      ...plain,
      algorithm: 'md5',
      encoding: 'hex-upper',
      body: 'sig',
      signedContent: '&{form:underscored:name=value&}',
      timestamp: { body: 'timestamp', ...window },
    },
    secret: 'a shared secret',
    body: `text=a%26b%3Dc&msisdn=12025550143&timestamp=${seconds}&sig=${hmac(`&msisdn=12025550143&text=a_b_c&timestamp=${seconds}`, 'hex', 'md5').toUpperCase()}`,
  },
  {
    name: 'Mailgun: a signature in a JSON body over a time and a token beside it',
    kinds: ['signature in the body', 'body unsigned'],
    scheme: {
      ...plain,
      body: 'signature.signature',
      signedContent: '{timestamp}{id}',
      unsignedBody: true,
      id: { body: 'signature.token' },
      timestamp: { body: 'signature.timestamp', ...window },
    },
    secret: 'a shared secret',
    body: JSON.stringify({
      signature: { timestamp: seconds, token: 'x7d1f0c2', signature: hmac(`${seconds}x7d1f0c2`, 'hex') },
      'event-data': { event: 'delivered' },
    }),
  },
  {
    name: 'values alone, sorted by name, with lines between',
    kinds: ['values alone'],
    scheme: { ...plain, header: 'X-Signature', signedContent: '{form:value|}' },
    secret: 'a shared secret',
    headers: { 'X-Signature': hmac('12025550143|delivered|m1', 'hex') },
    body: 'to=m1&from=12025550143&status=delivered',
  },
  {
    name: 'top-level fields of a JSON body, sorted',
    kinds: ['signature in the body', 'sorted parameters'],
    scheme: {
      ...plain,
      scheme: 'hmac',
      body: 'sign',
      signedContent: '{fields:name=value&}',
    },
    secret: 'a shared secret',
    body: `{"status":"delivered","id":"m1","sign":"${hmac('id=m1&status=delivered', 'hex')}"}`,
  },
  {
    name: 'several signatures with commas, and two line breaks between time and body',
    kinds: ['two line breaks between', 'commas between signatures'],
    scheme: {
      ...plain,
      header: 'X-Signature',
      separator: ',',
      signedContent: '{timestamp}\n\n{body}',
      timestamp: { header: 'X-Timestamp', ...window },
    },
    secret: 'a shared secret',
    headers: {
      'X-Timestamp': seconds,
      'X-Signature': `${'0'.repeat(64)},${hmac(`${seconds}\n\n${json}`, 'hex')}`,
    },
    body: json,
  },
  {
    name: 'a version, then time, method, URL and body with lines between',
    kinds: ['method'],
    source: 'rule: docs.smsportal.com/docs/webhook-signatures',
    scheme: {
      ...plain,
      header: 'X-Signature',
      signedContent: 'v1:{timestamp}|{method}|{url}|{body}',
      timestamp: { header: 'X-Timestamp', ...window },
    },
    secret: 'a shared secret',
    headers: {
      'X-Timestamp': seconds,
      'X-Signature': hmac(`v1:${seconds}|POST|https://example.test/sms|${json}`, 'hex'),
    },
    body: json,
  },
  {
    name: 'a public key whose line breaks were lost',
    kinds: ['key without line breaks'],
    scheme: {
      scheme: 'public-key',
      algorithm: 'rsa-sha256',
      encoding: 'base64',
      header: 'X-Signature',
      signedContent: '{body}',
    },
    secret: pem.replaceAll('\n', ' '),
    headers: { 'X-Signature': sign('sha256', Buffer.from(json), privateKey).toString('base64') },
    body: json,
  },
  {
    name: 'Standard Webhooks with a secret without "whsec_"',
    kinds: ['base64 secret without whsec_'],
    source: 'made by the npm package standardwebhooks',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'webhook-signature',
      prefix: 'v1,',
      separator: ' ',
      signedContent: '{id}.{timestamp}.{body}',
      id: { header: 'webhook-id' },
      timestamp: { header: 'webhook-timestamp', ...window },
      secret: { encoding: 'base64', prefix: 'whsec_', prefixOptional: true },
    },
    secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': seconds,
      'webhook-signature': new Webhook('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').sign('evt_1', new Date(now), json),
    },
    body: json,
  },
  {
    name: 'a JWT with the hash of the URL and none of the body, which is empty',
    kinds: ['GET', 'JWT over an empty body'],
    scheme: {
      scheme: 'jwt',
      algorithm: 'HS256',
      header: 'Authorization',
      prefix: 'Bearer ',
      payloadHash: { claim: 'payload_hash' },
      urlHash: { claim: 'url_hash' },
    },
    secret: 'a shared secret',
    method: 'GET',
    url: 'https://example.test/sms?id=m1',
    headers: {
      Authorization: `Bearer ${jwt({ url_hash: createHash('sha256').update('https://example.test/sms?id=m1').digest('hex') })}`,
    },
  },
  ...(
    [
      ['https://example.test:443/sms?t=%27a%27', 'wUJLNVev8dmUJqq7m9UwW/vFg3A='],
      ["https://example.test/sms?t='a'", 'L4mWfLCi7OqUcVpyqN4XASt+4Lw='],
      ['https://example.test/sms/?t=%27a%27', 'bMHJWTk+Chs1/SGHkNlfvRHz1q8='],
      ['http://example.test/sms?t=%27a%27', 'vN/MMwrscCoq0PCrznYQ6E6S4Wg='],
    ] as const
  ).map(
    ([signed, signature]): Vector => ({
      name: `Twilio: a URL that was signed as ${signed}`,
      kinds: ['URL in another spelling', 'raw query'],
      source: "computed by getExpectedTwilioSignature of Twilio's library (npm: twilio 5.13.1)",
      scheme: { ...twilio, signedContent: '{url}{form}' },
      secret: '12345',
      url: 'https://example.test/sms?t=%27a%27',
      headers: { 'X-Twilio-Signature': signature },
      body: 'From=%2B12025550143&Body=Hi',
    }),
  ),
  {
    name: 'Vonage SMS: a form with an HMAC of its sorted parameters among them',
    kinds: ['signature in the body', 'sorted parameters'],
    source: 'github.com/Vonage/vonage-python-sdk, tests/test_signature.py',
    scheme: {
      ...plain,
      body: 'sig',
      signedContent: '&{form:name=value&}',
      timestamp: { body: 'timestamp', ...window },
    },
    secret: 'secret',
    body: 'b=2&a=1&timestamp=1461605396&sig=a321e824b9b816be7c3f28859a31749a098713d39f613c80d455bbaffae1cd24',
    at: 1_461_605_400_000,
  },
  {
    name: 'SendGrid: a public key in one line, over time and body',
    kinds: ['key without line breaks'],
    source: 'github.com/sendgrid/sendgrid-nodejs, packages/eventwebhook/src/eventwebhook.spec.js',
    scheme: {
      scheme: 'public-key',
      algorithm: 'ecdsa-sha256',
      encoding: 'base64',
      header: 'X-Twilio-Email-Event-Webhook-Signature',
      signedContent: '{timestamp}{body}',
      timestamp: { header: 'X-Twilio-Email-Event-Webhook-Timestamp', ...window },
    },
    secret:
      '-----BEGIN PUBLIC KEY-----MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==-----END PUBLIC KEY-----',
    headers: {
      'X-Twilio-Email-Event-Webhook-Signature':
        'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
      'X-Twilio-Email-Event-Webhook-Timestamp': '1588788367',
    },
    body: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
    at: 1_588_788_368_000,
  },
  {
    name: 'MessageBird: a JWT over a URL with parameters and an empty body',
    kinds: ['GET', 'JWT over an empty body'],
    source: 'github.com/messagebird/messagebird-nodejs, lib/testdata/webhook-signature-jwt-reference.json',
    scheme: {
      scheme: 'jwt',
      algorithm: 'HS256',
      header: 'MessageBird-Signature-JWT',
      payloadHash: { claim: 'payload_hash' },
      urlHash: { claim: 'url_hash' },
      timestamp: { claim: 'nbf', toleranceSeconds: 300 },
    },
    secret: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
    method: 'GET',
    url: 'https://example.com/path?bar=1&foo=2',
    headers: {
      'MessageBird-Signature-JWT':
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLCJqdGkiOiJjOTQ2YWY3Ny1lMTgyLTRlYWEtYjJmZi0xYTU0NWI1ZTk5MWEiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3YzQ1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAifQ.huo2ou6JDoDc7sV25d75UMWeYhBeavQlLsqIibSZuac',
    },
    at: 1_625_479_201_000,
  },
  {
    name: 'method, path, SHA-1 of the body and time, with two line breaks between',
    kinds: ['SHA-1 of the body in the text', 'two line breaks between', 'method', 'path'],
    scheme: {
      ...plain,
      header: 'X-Signature',
      signedContent: '{method}\n\n{path}\n\n{body:sha1:base64}\n\n{timestamp}',
      timestamp: { header: 'X-Timestamp', ...window },
    },
    secret: 'a shared secret',
    headers: {
      'X-Timestamp': seconds,
      'X-Signature': hmac(
        `POST\n\n/sms\n\n${createHash('sha1').update(json).digest('base64')}\n\n${seconds}`,
        'hex',
      ),
    },
    body: json,
  },
  {
    name: 'Stripe: a time and several signatures in one header',
    kinds: ['commas between signatures'],
    source: 'github.com/stripe/stripe-dotnet, src/StripeTests/Services/Events/EventUtilityTest.cs',
    scheme: {
      ...plain,
      header: 'stripe-signature',
      prefix: 'v1=',
      separator: ',',
      signedContent: '{timestamp}.{body}',
      timestamp: { header: 'stripe-signature', prefix: 't=', separator: ',', ...window },
    },
    secret: 'webhook_secret',
    headers: {
      'stripe-signature':
        't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    },
    body: [
      '{\n  "id": "evt_123",\n  "object": "event",\n  "account": "acct_123",\n  "api_version": "2017-05-25",\n  "created": 1533204620,',
      '  "data": {\n    "object": {\n      "id": "cus_123",\n      "object": "customer",\n      "created": 123456789,',
      '      "email": "test@stripe.com",\n      "livemode": false,\n      "metadata": {}\n    }\n  },\n  "livemode": false,',
      '  "pending_webhooks": 1,\n  "request": {\n    "id": "req_123",\n    "idempotency_key": "idempotency-key-123"\n  },',
      '  "type": "customer.created"\n}\n',
    ].join('\n'),
    at: 1_533_204_720_000,
  },
  {
    name: 'GitHub: a keyed hash of the body alone',
    kinds: ['body alone'],
    source: 'docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
    scheme: { ...plain, header: 'x-hub-signature-256', prefix: 'sha256=', signedContent: '{body}' },
    secret: "It's a Secret to Everybody",
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
  },
  {
    name: 'Shopify: a keyed hash of the body alone, in base64',
    kinds: ['body alone'],
    scheme: { ...plain, encoding: 'base64', header: 'x-shopify-hmac-sha256', signedContent: '{body}' },
    secret: 'a shared secret',
    headers: { 'x-shopify-hmac-sha256': hmac('{"id":1}', 'base64') },
    body: '{"id":1}',
  },
  {
    name: 'Slack: a version, the time and the body',
    kinds: ['fixed text before the time'],
    source: 'docs.slack.dev/authentication/verifying-requests-from-slack',
    scheme: {
      ...plain,
      header: 'x-slack-signature',
      prefix: 'v0=',
      signedContent: 'v0:{timestamp}:{body}',
      timestamp: { header: 'x-slack-request-timestamp', ...window },
    },
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: [
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar',
      'user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=',
      'response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN',
      'trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    ].join('&'),
    at: Date.UTC(2018, 6, 12, 18, 37),
  },
  {
    name: 'RFC 6750, section 2.3: a token in the query',
    kinds: ['secret in the query'],
    source: 'rfc-editor.org/rfc/rfc6750#section-2.3',
    scheme: { scheme: 'token', query: 'access_token' },
    secret: 'mF_9.B5f-4.1JqM',
    url: 'https://server.example.com/resource?access_token=mF_9.B5f-4.1JqM',
    body: json,
  },
  {
    name: 'RFC 6750, section 2.2: a token in a form',
    kinds: ['secret in the body'],
    source: 'rfc-editor.org/rfc/rfc6750#section-2.2',
    scheme: { scheme: 'token', body: 'access_token' },
    secret: 'mF_9.B5f-4.1JqM',
    body: 'access_token=mF_9.B5f-4.1JqM&id=m1',
  },
];

describe('each kind of signature', () => {
  it.each(kinds)('has a vector: %s', (kind) => {
    expect(vectors.filter((vector) => vector.kinds.includes(kind))).not.toEqual([]);
  });

  it('has a vector that is published, or made by the library of a service, except those of no known service', () => {
    const isPublished = (kind: (typeof kinds)[number]) =>
      vectors.some((vector) => vector.source !== undefined && vector.kinds.includes(kind));
    expect(kinds.filter((kind) => !isPublished(kind))).toEqual([
      'values alone',
      'SHA-1 of the body in the text',
      'two line breaks between',
    ]);
  });
});

describe.each(vectors)('$name', ({ scheme: given, secret, method = 'POST', at = now, ...request }) => {
  const { url = 'https://example.test/sms', headers = {}, body = '' } = request;
  const scheme = signature.parse(given);
  const format = { method, bodyFormat: method === 'GET' || !body.startsWith('{') ? 'form' : 'json' } as const;
  const bytes = Buffer.from(method === 'GET' ? queryOf(url) : body);
  const received = { headers, url, body: bytes };
  const verdict = (by: typeof scheme, changed: Partial<typeof received>, key = secret) =>
    createVerifier(by, format)({ ...received, ...changed }, [key], at).kind;

  it('verifies, with its own secret alone', () => {
    expect(verdict(scheme, {})).toBe('verified');
    expect(verdict(scheme, {}, 'another secret')).toBe('rejected');
    expect(verdict(scheme, {}, '')).toBe('rejected');
  });

  it('does not verify with another body, unless the contract says that none is signed', () => {
    const query = queryOf(url);
    const other =
      method === 'GET'
        ? { url: `${url}&x=1`, body: Buffer.from(`${query}&x=1`) }
        : { body: Buffer.concat([bytes, Buffer.from('&x=1')]) };
    if (scheme.scheme === 'token') expect(verdict(scheme, other)).toBe('verified');
    else if (!('unsignedBody' in scheme)) expect(verdict(scheme, other)).toBe('rejected');
    else expect(scheme.id).not.toBeNull();
  });

  it('is discovered', () => {
    const capture = {
      name: 'request',
      method,
      url,
      headers,
      body: Buffer.from(body),
      receivedAt: new Date(at).toISOString(),
    };
    const outcome = findSignature([capture], [secret]);
    expect(outcome).toMatchObject({ kind: 'found', fits: 1 });
    if (outcome.kind === 'found') expect(verdict(outcome.scheme, {})).toBe('verified');
    expect(findSignature([capture], ['another secret'], { effortMs: 100 }).kind).toBe('missed');
  });
});
