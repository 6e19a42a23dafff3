import { createSecretKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { stringify } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import type { RequestFormat } from '../../contract/schema/request-form.ts';
import { postedJson, requestForms } from '../../contract/schema/request-form.ts';
import { type SignedRequest, signedRequest } from '../../contract/signature/sign.ts';
import { createVerifier } from '../../contract/signature/verify.ts';
import { allFacts } from '../../tools/published/all-facts.ts';
import { presetContract } from '../support/preset-contracts.ts';
import { assertProperty } from '../support/property.ts';
import packages from './package.json' with { type: 'json' };

/*
 * The libraries of providers against our signatures: each library signs and our verifier accepts, and our signer signs and the library accepts,
 * if the library can do both. Parameters are difficult on purpose. The libraries are packages of this folder, so they have no types here.
 */

const require = createRequire(import.meta.url);

const now = Date.UTC(2026, 0, 15, 12);
const secret = 'a shared secret';

function signatureOf(preset: string, method: 'POST' | 'GET' = 'POST'): SignatureContract {
  const form = requestForms(presetContract(preset).webhook).find((one) => one.method === method);
  if (form === undefined) throw new Error(`${preset} has no form of ${method}`);
  return form.signature;
}

function formatOf(method: 'POST' | 'GET', body: string | Uint8Array): RequestFormat {
  return { method, bodyFormat: Buffer.from(body).toString().startsWith('{') ? 'json' : 'form' };
}

function isAccepted(
  scheme: SignatureContract,
  { headers, url, body }: SignedRequest,
  method: 'POST' | 'GET' = 'POST',
): boolean {
  return (
    createVerifier(scheme, formatOf(method, body))({ headers, url, body }, [secret], now).kind === 'verified'
  );
}

function signed(
  scheme: SignatureContract,
  body: string,
  url: string,
  method: 'POST' | 'GET' = 'POST',
): SignedRequest {
  return signedRequest(
    scheme,
    { body: Buffer.from(body), id: 'msg-1', now, url },
    secret,
    formatOf(method, body),
  );
}

/** Names and values as people and services write them. */
const difficult = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '+',
    '+12025550143',
    'a=b&c=d',
    '%',
    '%2B',
    'Grüße',
    '👋🏽',
    "it's",
    '"',
    '/',
    '[0]',
    'A',
    'a',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
/** Names that are letters, as those of forms. A service chooses them, and no sender. */
const formName = fc.constantFrom(
  'Body',
  'body',
  'From',
  'To',
  'MessageSid',
  'MediaUrl0',
  'a',
  'B',
  'b1',
  'z_z',
);
const form = fc.uniqueArray(fc.tuple(formName, difficult), { selector: ([name]) => name, maxLength: 8 });
const path = fc.constantFrom('', '/', '/webhooks/sms', '/Webhooks/SMS', `/${'long/'.repeat(80)}`);
const query = fc.constantFrom('', '?a=1', '?a=1&b=2', '?token=%2B+x', `?q=${'x'.repeat(500)}`);
const url = fc
  .tuple(path, query)
  .map(([route, parameters]) => `https://sms.example.com${route}${parameters}`);
/** A URL as the pipeline has one: with a path, and without a query. */
const webhookUrl = fc.constantFrom(
  'https://sms.example.com/webhooks/sms',
  'https://a.example.com/webhooks/SMS/main',
);

const encodeForm = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => String(new URLSearchParams([[name, value]]))).join('&');

it('the libraries have the versions that the facts name', () => {
  const named = allFacts.flatMap(({ signature = [] }) => signature).filter(({ from }) => from === 'npm');
  const installed: Readonly<Record<string, string>> = {
    ...packages.devDependencies,
    standardwebhooks: '1.1.1',
  };
  expect(named.filter(({ name, version }) => installed[name] !== version)).toEqual([]);
});

describe('twilio', () => {
  const twilio = require('twilio');
  const scheme = signatureOf('twilio');

  it.each(['HMAC_SHA1', 'HMAC_SHA256'])(
    'accepts each request that the library signs with %s',
    (algorithm) => {
      const doubled = fc.tuple(form, fc.array(fc.tuple(formName, difficult), { maxLength: 3 }));
      assertProperty(
        fc.property(url, doubled, (address, [fields, again]) => {
          const all = [...fields, ...again];
          const parameters: Record<string, string | string[]> = {};
          for (const [name, value] of all) {
            const before = parameters[name];
            parameters[name] = before === undefined ? value : [before, value].flat();
          }
          const signature = twilio.getExpectedTwilioSignature(secret, address, parameters, algorithm);
          const body = Buffer.from(encodeForm(all));
          expect(
            isAccepted(scheme, { headers: { 'X-Twilio-Signature': signature }, url: address, body }),
          ).toBe(true);
        }),
      );
    },
  );

  it('signs requests that the library accepts', () => {
    assertProperty(
      fc.property(url, form, (address, fields) => {
        const request = signed(scheme, encodeForm(fields), address);
        const header = request.headers['x-twilio-signature'];
        expect(twilio.validateRequest(secret, header, request.url, Object.fromEntries(fields))).toBe(true);
      }),
    );
  });

  it('accepts each event that the library signs for Event Streams, and signs events that the library accepts', () => {
    const streams = signatureOf('twilio-event-streams');
    assertProperty(
      fc.property(webhookUrl, fc.json(), (address, body) => {
        const request = signed(streams, body, address);
        const header = request.headers['x-twilio-signature'];
        expect(twilio.validateRequestWithBody(secret, header, request.url, body)).toBe(true);
        for (const algorithm of ['HMAC_SHA1', 'HMAC_SHA256']) {
          const signature = twilio.getExpectedTwilioSignature(secret, request.url, {}, algorithm);
          expect(isAccepted(streams, { ...request, headers: { 'x-twilio-signature': signature } })).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('signalwire', () => {
  // SignalWire signs as Twilio does. Its own library has 90 MB.
  const twilio = require('twilio');
  const scheme = signatureOf('signalwire');

  it('signs requests that the library of Twilio accepts', () => {
    assertProperty(
      fc.property(webhookUrl, form, (address, fields) => {
        const { headers } = signed(scheme, encodeForm(fields), address);
        const header = headers['x-signalwire-signature'];
        const isValid = (key: string) =>
          twilio.validateRequest(key, header, address, Object.fromEntries(fields));
        expect(isValid(secret)).toBe(true);
        expect(isValid('another secret')).toBe(false);
      }),
    );
  });
});

describe('seven', () => {
  // The library compares the time with that of the machine, and hashes the body as UTF-8.
  const { WebhookVerifier } = require('@seven.io/client');
  const scheme = signatureOf('seven');

  it('signs requests that the library accepts', async () => {
    const verifier = new WebhookVerifier({ signingSecret: secret });
    for (const text of ['{"webhook_event":"dlr"}', '{"data":{"text":"Grüße 👋🏽"}}', '']) {
      const url = 'https://sms.example.com/webhooks/sms';
      const request = { body: Buffer.from(text), id: 'msg-1', now: Date.now(), url };
      const { headers } = signedRequest(scheme, request, secret, postedJson);
      const verify = (body: string) => verifier.verify({ headers, body, url, method: 'POST' });
      expect(await verify(text)).toMatchObject({ valid: true });
      expect(await verify(`${text} `)).toMatchObject({ valid: false });
    }
  });
});

describe('plivo', () => {
  const plivo = require('plivo');

  it('signs requests by V3 that the library accepts', () => {
    const scheme = signatureOf('plivo-v3');
    // Plivo never posts an empty form, and the library signs one like a GET.
    const filled = form.filter((fields) => fields.length > 0);
    assertProperty(
      fc.property(webhookUrl, filled, (address, fields) => {
        const { headers } = signed(scheme, encodeForm(fields), address);
        const [nonce, signature] = [headers['x-plivo-signature-v3-nonce'], headers['x-plivo-signature-v3']];
        const parameters = Object.fromEntries(fields);
        expect(plivo.validateV3Signature('POST', address, nonce, secret, signature, parameters)).toBe(true);
      }),
    );
  });

  it('signs requests by V2 that the library accepts', () => {
    const scheme = signatureOf('plivo-v2');
    assertProperty(
      fc.property(webhookUrl, form, (address, fields) => {
        const { headers } = signed(scheme, encodeForm(fields), address);
        const [nonce, signature] = [headers['x-plivo-signature-v2-nonce'], headers['x-plivo-signature-v2']];
        expect(plivo.validateSignature(address, nonce, signature, secret)).toBe(true);
      }),
    );
  });
});

describe.each([
  ['sinch-sms', '@sinch/sms', 'SmsCallbackWebhooks'],
  ['sinch-conversation', '@sinch/conversation', 'ConversationCallbackWebhooks'],
])('%s', (preset, library, className) => {
  const Webhooks = require(library)[className];
  const scheme = signatureOf(preset);
  const bodies = fc.json();

  it('signs requests that the library accepts', () => {
    assertProperty(
      fc.property(bodies, (body) => {
        const { headers } = signed(scheme, body, 'https://sms.example.com/webhooks/sms');
        expect(new Webhooks(secret).validateAuthenticationHeader(headers, body)).toBe(true);
        expect(new Webhooks(secret).validateAuthenticationHeader(headers, `${body} `)).toBe(false);
      }),
    );
  });
});

describe('messagebird', () => {
  const { verify, VerifyOptions } = require('messagebird/lib/webhook-signature-jwt');
  const key = createSecretKey(Buffer.from(secret));
  const options = new VerifyOptions(true, true, {
    issuer: 'MessageBird',
    algorithms: ['HS256', 'HS384', 'HS512'],
    clockTolerance: 5,
    currentDate: new Date(now),
  });
  const isValid = (address: string, body: Uint8Array, token: string | undefined) =>
    verify(address, Buffer.from(body), token, key, options).then(
      () => true,
      () => false,
    );

  it('signs requests by GET and by POST that the library accepts', async () => {
    const fields = encodeForm([
      ['body', 'Grüße + 👋🏽'],
      ['originator', '+12025550143'],
      ['empty', ''],
    ]);
    for (const method of ['GET', 'POST'] as const) {
      const address = 'https://sms.example.com/webhooks/sms';
      const request = signed(signatureOf('messagebird-sms', method), fields, address, method);
      const token = request.headers['messagebird-signature-jwt'];
      const body = method === 'GET' ? Buffer.of() : request.body;
      expect(await isValid(request.url, body, token)).toBe(true);
      expect(await isValid(`${request.url}x`, body, token)).toBe(false);
    }
  });

  it.each(['HS256', 'HS384', 'HS512'])(
    'accepts a token of %s that the library accepts',
    async (algorithm) => {
      const scheme = { ...signatureOf('messagebird-jwt'), algorithm } as SignatureContract;
      const request = signed(scheme, 'Hello, World!', 'https://sms.example.com/webhooks/sms?b=2&a=1');
      const token = request.headers['messagebird-signature-jwt'];
      expect(await isValid(request.url, request.body, token)).toBe(true);
      expect(isAccepted(signatureOf('messagebird-jwt'), request)).toBe(true);
    },
  );
});

it('messagebird-sms-hmac signs requests that the library accepts', () => {
  const { generate, isValid } = require('messagebird/lib/signature');
  const scheme = signatureOf('messagebird-sms-hmac', 'GET');
  // The library encodes the query again, and writes a space and some marks in another way than a form does.
  const alike = form.filter((fields) => encodeForm(fields) === stringify(Object.fromEntries(fields)));
  assertProperty(
    fc.property(webhookUrl, alike, (address, fields) => {
      const { headers, url: signedUrl } = signed(scheme, encodeForm(fields), address, 'GET');
      const query = Object.fromEntries(new URL(signedUrl).searchParams);
      expect(isValid({ headers }, generate({ headers, query }, secret))).toBe(true);
      expect(isValid({ headers }, generate({ headers, query: { ...query, more: '' } }, secret))).toBe(false);
    }),
  );
});

it('vonage-messages signs tokens that the library accepts', () => {
  const { verifySignature } = require('@vonage/jwt');
  const request = signed(
    signatureOf('vonage-messages'),
    '{"text":"Grüße"}',
    'https://sms.example.com/webhooks/sms',
  );
  const token = request.headers.authorization?.replace('Bearer ', '');
  expect(verifySignature(token, secret)).toBe(true);
  expect(verifySignature(token, 'another secret')).toBe(false);
});

it('bird signs requests that the library accepts', async () => {
  // The library compares the time with that of the machine.
  const { BirdClient } = await import('@messagebird/sdk' as string);
  const key = `whsec_${Buffer.from('invented-for-this-test-0').toString('base64')}`;
  const client = new BirdClient({ apiKey: 'bk_us1_invented', webhooks: { secret: key } });
  const text = '{"type":"sms.sent","timestamp":"2026-01-15T12:00:00Z","data":{"sms_id":"Grüße"}}';
  const request = { body: Buffer.from(text), id: 'msg-1', now: Date.now(), url: 'https://sms.example.com/' };
  const { headers } = signedRequest(signatureOf('bird'), request, key, postedJson);
  expect(client.webhooks.unwrap(text, headers)).toMatchObject({ type: 'sms.sent' });
  expect(() => client.webhooks.unwrap(`${text} `, headers)).toThrow();
});
