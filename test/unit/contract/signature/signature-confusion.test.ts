import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { formContractJson, nestedContract, shippedContract } from '../../../../tools/support/contracts.ts';
import { signByHand, webhookUrl as url } from '../../hostile-input/targets.ts';

const scheme = shippedContract.webhook.signature;
if (scheme.scheme !== 'hmac') throw new Error('the shipped contract is hmac');
const hmac = scheme;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = Date.UTC(2026, 0, 15, 12, 0, 5);
const seconds = Math.floor(now / 1000);
const body = Buffer.from('{"type":"sms.status"}');
const genuine = signByHand('shipped', secret, { id: 'evt_1', timestamp: String(seconds), body });
const signature = genuine['webhook-signature'] ?? '';
const mac = signature.slice('v1,'.length);
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const content = `evt_1.${seconds}.${body}`;
const macWith = (algorithm: string, encoding: 'hex' | 'base64' | 'base64url', of = key) =>
  createHmac(algorithm, of).update(content).digest(encoding);

const verify = createVerifier(scheme, postedJson);
const verdict = (headers: Readonly<Record<string, string>>) =>
  verify({ headers: { ...genuine, ...headers }, body, url }, [secret], now).kind;

describe('a signature of another kind is rejected', () => {
  it.each([
    ['another algorithm', `v1,${macWith('sha512', 'base64')}`],
    ['a weaker algorithm', `v1,${macWith('sha1', 'base64')}`],
    ['another encoding', `v1,${macWith('sha256', 'hex')}`],
    ['the URL alphabet', `v1,${macWith('sha256', 'base64url')}`],
    ['no padding', signature.replaceAll('=', '')],
    ['more padding', `${signature}=`],
    ['a line break behind it', `${signature}\n`],
    ['a version of capitals', `V1,${mac}`],
    ['the prefix alone', 'v1,'],
    ['the prefix twice', `v1,v1,${mac}`],
    ['no prefix', mac],
    ['a truncated one', signature.slice(0, -1)],
    ['the key of the prefix too', `v1,${macWith('sha256', 'base64', Buffer.from(secret))}`],
    ['an empty key', `v1,${macWith('sha256', 'base64', Buffer.alloc(0))}`],
    ['the public digest of the content', `v1,${Buffer.from(content).toString('base64')}`],
    ['a list joined as API Gateway joins headers', `v1,AAAA,${signature}`],
    ['a list of the maximum length of a header', 'v1,AAAA '.repeat(1250)],
    ['lone surrogates', '\ud800'.repeat(16)],
    ['letters of two bytes each', 'é'.repeat(23)],
  ])('%s', (_, given) => {
    expect(verdict({ 'webhook-signature': given })).toBe('rejected');
  });

  it('and has no effect beside a valid one at any place of the list', () => {
    for (const list of [signature, `${signature} v1,AAAA`, `v1a,x v1, ${signature}`, `  ${signature}  `])
      expect(verdict({ 'webhook-signature': list })).toBe('verified');
  });
});

it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'the header %s, sent twice and joined by API Gateway, is rejected',
  (name) => {
    const value = genuine[name] ?? '';
    for (const other of [value, 'other']) expect(verdict({ [name]: `${value},${other}` })).toBe('rejected');
  },
);

it.each(['evt_1\r\nwebhook-id: evt_2', 'evt_1\0', ' evt_1', 'evt_1 ', 'EVT_1'])(
  'an id of %j is another id',
  (id) => {
    expect(verdict({ 'webhook-id': id })).toBe('rejected');
  },
);

it.each([`0${seconds}`, `+${seconds}`, `${seconds}.0`, `${seconds}000`, `${seconds}e0`])(
  'a replay is rejected with the time spelled %s',
  (spelling) => {
    expect(verdict({ 'webhook-timestamp': spelling })).toBe('rejected');
  },
);

it('a token is taken whole: neither its beginning nor a list with it', () => {
  const verifyToken = createVerifier(nestedContract.webhook.signature, postedJson);
  const given = (authorization: string) =>
    verifyToken({ headers: { authorization }, body, url }, ['a-static-token'], now).kind;
  expect(given('Token a-static-token')).toBe('verified');
  for (const token of ['Token a-static', 'Token a-static-token,x', 'x,Token a-static-token', 'Token ', ''])
    expect(given(token)).toBe('rejected');
});

describe('bytes do not move between a header and the body', () => {
  it.each([
    ['{body}.{id}', { timestamp: null }, 'webhook-id', 'evt_1', 'Text=Bye. Now', ' Now.evt_1'],
    ['{body}.{header:X-Nonce}.{timestamp}', { id: null }, 'x-nonce', 'n', 'Text=Bye. Now', ' Now.n'],
  ])('where the header stands behind the body: %s', (signedContent, parts, header, value, whole, moved) => {
    const behind = { ...hmac, ...parts, signedContent };
    const request = { body: Buffer.from(whole), id: 'evt_1', now, url, headers: { 'X-Nonce': 'n' } };
    const headers = { ...signRequest(behind, request, secret), [header]: value };
    const outcome = (sent: string, inHeader: string) =>
      createVerifier(behind, postedJson)(
        { headers: { ...headers, [header]: inHeader }, body: Buffer.from(sent), url },
        [secret],
        now,
      ).kind;
    expect(outcome(whole, value)).toBe('verified');
    expect(outcome('Text=Bye', moved)).toBe('rejected');
  });

  /** A contract that signs this content. */
  const contractSigning = (signedContent: string) => ({
    ...formContractJson,
    webhook: {
      ...formContractJson.webhook,
      signature: {
        ...hmac,
        signedContent,
        id: signedContent.includes('{id}') ? hmac.id : null,
        timestamp: signedContent.includes('{timestamp}') ? hmac.timestamp : null,
      },
    },
  });

  it.each([
    ['{id}{body}', 'id'],
    ['{body}{id}', 'id'],
    ['{id}{timestamp}{body}', 'id'],
    ['v0:{header:X-Nonce}{body}', 'header:X-Nonce'],
  ])('%s is no contract: nothing would part them', (signedContent, name) => {
    const parse = () => parseContract(contractSigning(signedContent));
    expect(parse).toThrow(ContractError);
    expect(parse).toThrow(`expected a text between {${name}} and its neighbour`);
  });

  it.each(['{timestamp}{body}', '{url:base}{body}', '{id}.{timestamp}.{body}', '{body}'])(
    '%s is one: times are digits within the window, the URL is ours',
    (signedContent) => {
      const { webhook } = parseContract(contractSigning(signedContent));
      expect(webhook.signature).toMatchObject({ signedContent });
    },
  );
});
