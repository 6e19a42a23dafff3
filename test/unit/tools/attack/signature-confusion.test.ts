import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { signByHand, webhookUrl as url } from '../../../../tools/attack/targets.ts';
import {
  formContract,
  formContractJson,
  nestedContract,
  shippedContract,
} from '../../../../tools/support/contracts.ts';
import { ingest, now, scheme, secret } from '../../functions/ingest/ingest-under-test.ts';

const body = '{"type":"sms.status"}';
const seconds = Math.floor(now / 1000);
const genuine = signByHand('shipped', secret, {
  id: 'evt_1',
  timestamp: String(seconds),
  body: Buffer.from(body),
});
const signature = genuine['webhook-signature'] ?? '';
const mac = signature.slice('v1,'.length);
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const content = `evt_1.${seconds}.${body}`;
const macWith = (algorithm: string, encoding: 'hex' | 'base64' | 'base64url', of = key) =>
  createHmac(algorithm, of).update(content).digest(encoding);

const post = (headers: Readonly<Record<string, string>>, parts: { body?: string } = {}) =>
  ingest().post({ body, headers: { ...genuine, ...headers }, ...parts });

it('the original signature of the attacks is valid', async () => {
  expect(await post({})).toMatchObject({ statusCode: 200 });
});

describe('a signature of another kind is rejected', () => {
  it.each([
    ['another algorithm', `v1,${macWith('sha512', 'base64')}`],
    ['a weaker algorithm', `v1,${macWith('sha1', 'base64')}`],
    ['another encoding', `v1,${macWith('sha256', 'hex')}`],
    ['the URL alphabet', `v1,${macWith('sha256', 'base64url')}`],
    ['capitals', `v1,${mac.toUpperCase()}`],
    ['small letters', signature.toLowerCase()],
    ['no padding', signature.replaceAll('=', '')],
    ['more padding', `${signature}=`],
    ['padding of blanks', `${signature}\t`],
    ['a line break behind it', `${signature}\n`],
    ['another version', `v1a,${mac}`],
    ['a version of capitals', `V1,${mac}`],
    ['the prefix alone', 'v1,'],
    ['the prefix twice', `v1,v1,${mac}`],
    ['no prefix', mac],
    ['the prefix in pieces', `v1 ,${mac}`],
    ['a truncated one', signature.slice(0, -1)],
    ['one byte alone', signature.slice(0, 4)],
    ['a longer one', `${signature}A`],
    ['one of nothing but separators', '   '],
    ['the key of the prefix too', `v1,${macWith('sha256', 'base64', Buffer.from(secret))}`],
    ['an empty key', `v1,${macWith('sha256', 'base64', Buffer.alloc(0))}`],
    ['the public digest of the content', `v1,${Buffer.from(content).toString('base64')}`],
    ['the text "undefined"', 'v1,undefined'],
    ['a list joined as API Gateway joins headers', `v1,AAAA,${signature}`],
    ['a list joined with a blank', `v1,AAAA, ${signature}X`],
  ])('%s', async (_, given) => {
    expect(await post({ 'webhook-signature': given })).toMatchObject({ statusCode: 401 });
  });

  it('and has no effect beside a valid one at any place of the list', async () => {
    for (const list of [`${signature} v1,AAAA`, `v1a,x v1, ${signature}`, `  ${signature}  `])
      expect(await post({ 'webhook-signature': list })).toMatchObject({ statusCode: 200 });
  });

  it('also when the list has the maximum length of a header', async () => {
    const many = `${'v1,AAAA '.repeat(1250)}`;
    expect(await post({ 'webhook-signature': many })).toMatchObject({ statusCode: 401 });
  });
});

describe('repeated headers, as API Gateway joins them', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s', async (name) => {
    const value = genuine[name] ?? '';
    expect(await post({ [name]: `${value},${value}` })).toMatchObject({ statusCode: 401 });
    expect(await post({ [name]: `${value},other` })).toMatchObject({ statusCode: 401 });
  });

  it.each(['evt_1\r\nwebhook-id: evt_2', 'evt_1\0', ' evt_1', 'evt_1 ', 'EVT_1'])(
    'an id of %j is another id',
    async (id) => {
      expect(await post({ 'webhook-id': id })).toMatchObject({ statusCode: 401 });
    },
  );

  it('a token is taken whole: neither its beginning nor a list with it', () => {
    const verify = createVerifier(nestedContract.webhook.signature);
    const given = (authorization: string) =>
      verify({ headers: { authorization }, body: Buffer.from(body), url }, ['a-static-token'], now).kind ===
      'verified';
    expect(given('Token a-static-token')).toBe(true);
    for (const token of ['Token a-static', 'Token a-static-token,x', 'x,Token a-static-token', 'Token ', ''])
      expect(given(token)).toBe(false);
  });
});

describe('a replay, seconds from now', () => {
  const at = (offset: number) => {
    const timestamp = String(seconds + offset);
    return post(signByHand('shipped', secret, { id: 'evt_1', timestamp, body: Buffer.from(body) }));
  };

  it.each([-300, -299, 0, 299, 300])('%d: is within the window', async (offset) => {
    expect(await at(offset)).toMatchObject({ statusCode: 200 });
  });

  it.each([-301, 301, -86_400, 86_400, -seconds])('%d: is outside', async (offset) => {
    expect(await at(offset)).toMatchObject({ statusCode: 401 });
  });

  it('is rejected with another spelling of its time', async () => {
    for (const spelling of [`0${seconds}`, `+${seconds}`, `${seconds}.0`, `${seconds}000`, `${seconds}e0`])
      expect(await post({ 'webhook-timestamp': spelling })).toMatchObject({ statusCode: 401 });
  });
});

describe('bytes do not move between a header and the body', () => {
  const hmac = scheme.scheme === 'hmac' ? scheme : undefined;
  if (hmac === undefined) throw new Error('the shipped contract is hmac');

  it('where the header stands behind the body', () => {
    const behind = { ...hmac, signedContent: '{body}.{id}', timestamp: null };
    const whole = Buffer.from('Text=Bye. Now&MessageStatus=failed');
    const headers = signRequest(behind, { body: whole, id: 'evt_1', now, url }, secret);
    const verify = createVerifier(behind);
    expect(verify({ headers, body: whole, url }, [secret], now).kind).toBe('verified');
    const moved = { ...headers, 'webhook-id': ' Now&MessageStatus=failed.evt_1' };
    expect(verify({ headers: moved, body: Buffer.from('Text=Bye'), url }, [secret], now).kind).toBe(
      'rejected',
    );
  });

  it('where several stand there', () => {
    const behind = { ...hmac, signedContent: '{body}.{header:X-Nonce}.{timestamp}', id: null };
    const whole = Buffer.from('Text=Bye. Now');
    const request = { body: whole, id: '', now, url, headers: { 'X-Nonce': 'n' } };
    const headers = { ...signRequest(behind, request, secret), 'x-nonce': 'n' };
    const verify = createVerifier(behind);
    expect(verify({ headers, body: whole, url }, [secret], now).kind).toBe('verified');
    const moved = { ...headers, 'x-nonce': ' Now.n' };
    expect(verify({ headers: moved, body: Buffer.from('Text=Bye'), url }, [secret], now).kind).toBe(
      'rejected',
    );
  });

  it.each([
    ['{id}{body}', 'id'],
    ['{body}{id}', 'id'],
    ['{id}{timestamp}{body}', 'id'],
    ['v0:{header:X-Nonce}{body}', 'header:X-Nonce'],
  ])('%s is no contract: nothing would part them', (signedContent, name) => {
    const signature = { ...hmac, signedContent };
    const uses = (placeholder: string) => signedContent.includes(placeholder);
    const json = {
      ...formContractJson,
      webhook: {
        ...formContractJson.webhook,
        signature: {
          ...signature,
          id: uses('{id}') ? signature.id : null,
          timestamp: uses('{timestamp}') ? signature.timestamp : null,
        },
      },
    };
    expect(() => parseContract(json)).toThrow(ContractError);
    expect(() => parseContract(json)).toThrow(`expected a text between {${name}} and its neighbour`);
  });

  it.each(['{timestamp}{body}', '{url}{body}', '{id}.{timestamp}.{body}', '{body}'])(
    '%s is one: times are digits within the window, the URL is ours',
    (signedContent) => {
      const uses = (placeholder: string) => signedContent.includes(placeholder);
      const signature = {
        ...hmac,
        signedContent,
        id: uses('{id}') ? hmac.id : null,
        timestamp: uses('{timestamp}') ? hmac.timestamp : null,
      };
      const json = { ...formContractJson, webhook: { ...formContractJson.webhook, signature } };
      expect(parseContract(json).webhook.signature).toMatchObject({ signedContent });
    },
  );
});

describe('how signatures are compared', () => {
  const folder = new URL('../../../../contract/signature/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, source: readFileSync(new URL(file, folder), 'utf8') }));

  it('is in constant time, of texts of one length, in one place', () => {
    const comparing = sources.filter(({ source }) => source.includes('timingSafeEqual('));
    expect(comparing.map(({ file }) => file)).toEqual(['webhook-request.ts']);
    expect(comparing[0]?.source).toMatch(/return a\.length === b\.length && timingSafeEqual\(a, b\);/);
    expect(comparing[0]?.source.match(/timingSafeEqual\(/g)).toHaveLength(1);
  });

  it('lets no other comparison see what is expected', () => {
    const lines = sources
      .flatMap(({ source }) => source.split('\n'))
      .map((line) => line.replace(/typeof \w+ === '\w+'/, ''))
      .filter((line) => /\bexpected\b|\+ secret\b|\.digest\(/.test(line));
    const compares = lines.filter((line) => /===|!==|==|includes|startsWith|endsWith|indexOf/.test(line));
    expect(compares).toEqual([]);
    expect(lines.filter((line) => line.includes('equal(')).length).toBeGreaterThanOrEqual(3);
  });

  it('fails and does not throw for texts of any length', () => {
    const verify = createVerifier(shippedContract.webhook.signature);
    for (const given of ['v1,', signature.slice(0, 10), `${signature}x`, '\ud800'.repeat(16), 'é'.repeat(23)])
      expect(
        verify(
          { headers: { ...genuine, 'webhook-signature': given }, body: Buffer.from(body), url },
          [secret],
          now,
        ),
      ).toEqual({ kind: 'rejected', reason: 'signature-mismatch' });
    expect(formContract.webhook.signature.scheme).toBe('hmac');
  });
});
