import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsignedParts } from '../../../../contract/checks/unsigned-parts.ts';
import { bodyOfSample } from '../../../../contract/document/parse.ts';
import { parseBody } from '../../../../contract/events/body.ts';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import { signedRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { presetContracts } from '../../../support/preset-contracts.ts';
import { assertProperty } from '../../../support/property.ts';

/** Characters and texts with a meaning in a URL, a form or JSON. */
const pieces = [
  '#',
  '#&',
  '&',
  '=',
  '?',
  ';',
  '+',
  ' ',
  '%',
  '%23',
  '%26',
  '\0',
  '"',
  ',',
  '{',
  '}',
  'x',
  '0',
];

/** A change of a text: something is put in at a place, and some characters behind it are removed. */
const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    put: fc.oneof(fc.constantFrom(...pieces, '#&body=STOP', '&body=STOP', '#body=STOP'), fc.string()),
    removed: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 2 },
);

const changed = (text: string, changes: readonly { at: number; put: string; removed: number }[]) =>
  changes.reduce((result, { at, put, removed }) => {
    const place = Math.floor(at * (result.length + 1));
    return result.slice(0, place) + put + result.slice(place + removed);
  }, text);

const signedSamples = presetContracts
  .filter(
    ({ contract }) => contract.webhook.signature.scheme !== 'none' && unsignedParts(contract).length === 0,
  )
  .flatMap(({ name, contract }) =>
    contract.samples.flatMap(({ request, ...sample }) =>
      request === undefined || contract.webhook.signature.scheme === 'token'
        ? []
        : [{ name: `${name}: ${sample.name}`, contract, sample, request }],
    ),
  );

it('what it tries: every preset that signs all that is read, and has a signed sample of its own', () => {
  expect([...new Set(signedSamples.map(({ name }) => name.replace(/\.json: .*/, '')))]).toEqual([
    'bird',
    'bird-channels',
    'messagebird-sms',
    'messagebird-sms-hmac',
    'seven',
    'sinch-conversation',
    'sinch-sms',
    'telnyx',
    'termii',
    'twilio-event-streams',
    'vonage-messages',
    'vonage-sms',
  ]);
});

describe('a changed request that is still verified is read as the signed one', () => {
  it.each(signedSamples)('$name', ({ contract, sample, request }) => {
    const { signature, method = 'POST', bodyFormat } = contract.webhook;
    const verify = createVerifier(signature, { method, bodyFormat });
    const genuine = Buffer.from(bodyOfSample(sample, { bodyFormat })).toString();
    const verdictOf = (text: string) => {
      // The query of a GET is its body, as ingest receives it.
      const url = method === 'GET' ? request.url.replace(/\?.*/s, () => `?${text}`) : request.url;
      const body = Buffer.from(text);
      return verify({ ...request, url, body }, [request.secret], Date.parse(request.receivedAt)).kind;
    };
    const read = (text: string) => parseBody({ bodyFormat }, Buffer.from(text));
    expect(verdictOf(genuine)).toBe('verified');
    assertProperty(
      fc.property(edits, (changes) => {
        const text = changed(genuine, changes);
        if (verdictOf(text) === 'verified') expect(read(text)).toEqual(read(genuine));
        else expect(text).not.toBe(genuine);
      }),
    );
    if (bodyFormat === 'form') {
      // Several parameters, passed as the name of one.
      const [first = '', second = '', ...rest] = genuine.split('&');
      const [name = '', value = ''] = second.split('=');
      const joined = [`${encodeURIComponent(`${first}&${name}`)}=${value}`, ...rest].join('&');
      if (verdictOf(joined) === 'verified') expect(read(joined)).toEqual(read(genuine));
    }
    const appended = `${genuine}#&originator=31600000000&body=STOP`;
    if (verdictOf(appended) === 'verified') expect(read(appended)).toEqual(read(genuine));
  });
});

it('a number of many digits is signed as it is read', () => {
  const scheme = signature.parse({
    scheme: 'hmac',
    header: 'x-signature',
    prefix: '',
    separator: null,
    algorithm: 'sha256',
    encoding: 'hex',
    signedContent: '{fields:name=value&}',
    id: null,
    timestamp: null,
    secret: { prefix: '', encoding: 'utf8' },
  });
  const url = 'https://example.test/';
  const body = (id: string) => Buffer.from(`{"id":${id}}`);
  const { headers } = signedRequest(
    scheme,
    { body: body('12345678901234567'), id: 'e', now: 0, url },
    'secret',
    postedJson,
  );
  const verdictOf = (id: string) =>
    createVerifier(scheme, postedJson)({ headers, url, body: body(id) }, ['secret'], 0).kind;
  expect([verdictOf('12345678901234567'), verdictOf('12345678901234568')]).toEqual(['verified', 'rejected']);
});

it('a deeply nested body is rejected without an error, and without recursion', () => {
  const depth = 5_000;
  const text = `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const scheme = signature.parse({
    scheme: 'hmac',
    header: 'x-signature',
    prefix: '',
    separator: null,
    algorithm: 'sha256',
    encoding: 'hex',
    signedContent: '{fields:name=value&}',
    id: null,
    timestamp: null,
    secret: { prefix: '', encoding: 'utf8' },
  });
  const request = { headers: { 'x-signature': 'ab' }, url: 'https://example.test/', body: Buffer.from(text) };
  expect(createVerifier(scheme, postedJson)(request, ['secret'], 0).kind).toBe('rejected');
});
