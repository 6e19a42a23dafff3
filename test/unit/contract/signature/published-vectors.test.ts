import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { findSignature } from '../../../../contract/discovery/signature/find-signature.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import type { WebhookMethod } from '../../../../contract/schema/signed-template.ts';
import { queryOf } from '../../../../contract/signature/request-reader.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';

interface Vector {
  readonly name: string;
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
    source: 'github.com/twilio/twilio-php, tests/Twilio/Unit/Security/RequestValidatorTest.php',
    scheme: { ...twilio, signedContent: '{url}{form:unique:namevalue}' },
    secret: '12345',
    url: twilioUrl,
    headers: { 'X-Twilio-Signature': 'IK+Dwps556ElfBT0I3Rgjkr1wJU=' },
    body: 'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
  },
  {
    name: 'Twilio: the hash of a JSON body is a parameter of the URL',
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
    source: hubspotSource,
    scheme: { ...hubspot, signedContent: '{secret}{body}' },
    secret: hubspotSecret,
    headers: { 'X-HubSpot-Signature': '232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de' },
    body: '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
  },
  {
    name: 'HubSpot V2: a plain hash with method and URL',
    source: hubspotSource,
    scheme: { ...hubspot, signedContent: '{secret}{method}{url}{body}' },
    secret: hubspotSecret,
    url: hubspotUrl,
    headers: { 'X-HubSpot-Signature': '9569219f8ba981ffa6f6f16aa0f48637d35d728c7e4d93d0d52efaa512af7900' },
    body: '{"example_field":"example_value"}',
  },
  {
    name: 'HubSpot V3: method, URL, body and time without separators',
    source: 'github.com/HubSpot/hubspot-api-python, tests/spec/utils/test_signature.py',
    scheme: {
      ...plain,
      encoding: 'base64',
      header: 'X-HubSpot-Signature-v3',
      signedContent: '{method}{url}{body}{timestamp}',
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
    scheme: { ...plain, header: 'X-Signature', signedContent: '{form:value|}' },
    secret: 'a shared secret',
    headers: { 'X-Signature': hmac('12025550143|delivered|m1', 'hex') },
    body: 'to=m1&from=12025550143&status=delivered',
  },
  {
    name: 'top-level fields of a JSON body, sorted',
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
  ...[
    'https://example.test:443/sms?t=%27a%27',
    "https://example.test/sms?t='a'",
    'https://example.test/sms/?t=%27a%27',
    'http://example.test/sms?t=%27a%27',
  ].map(
    (signed): Vector => ({
      name: `a URL that was signed as ${signed}`,
      scheme: { ...plain, header: 'X-Signature', signedContent: '{url}{body}' },
      secret: 'a shared secret',
      url: 'https://example.test/sms?t=%27a%27',
      headers: { 'X-Signature': hmac(signed + json, 'hex') },
      body: json,
    }),
  ),
];

describe.each(vectors)('$name', ({ scheme: given, secret, method = 'POST', at = now, ...request }) => {
  const { url = 'https://example.test/sms', headers = {}, body = '' } = request;
  const scheme = signature.parse(given);
  const bytes = Buffer.from(method === 'GET' ? queryOf(url) : body);
  const received = { headers, url, body: bytes };
  const verdict = (by: typeof scheme, changed: Partial<typeof received>, key = secret) =>
    createVerifier(by, method)({ ...received, ...changed }, [key], at).kind;

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
    if (!('unsignedBody' in scheme)) expect(verdict(scheme, other)).toBe('rejected');
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
