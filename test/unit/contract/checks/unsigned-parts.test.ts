import { describe, expect, it } from 'vitest';
import { unsignedParts } from '../../../../contract/checks/unsigned-parts.ts';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { formContractJson, shippedContract } from '../../../../tools/support/contracts.ts';

const hmac = {
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  secret: { encoding: 'utf8' },
};
const hash = { scheme: 'hash', algorithm: 'sha256', encoding: 'hex', header: 'x-signature' };
const id = { header: 'x-id' };

const contractWith = (signature: object, from: 'signed-id' | 'content' | 'body', more: object = {}) =>
  parseContract({
    ...formContractJson,
    samples: [],
    webhook: { ...formContractJson.webhook, ...more, signature },
    events: {
      ...formContractJson.events,
      id: from === 'body' ? { from, path: 'MessageSid' } : { from },
    },
  });

const sentencesOf = (contract: Contract) =>
  unsignedParts(contract)
    .map(({ sentence }) => sentence)
    .join('\n');

describe('unsignedParts', () => {
  it('names each by its meaning, whatever else is not signed', () => {
    const idsOf = (signedContent: string) =>
      unsignedParts(contractWith({ ...hmac, signedContent, id }, 'signed-id')).map((part) => part.id);
    expect(idsOf('{id}.{form:unsorted:name=value&}')).toEqual(['parameter-ends']);
    expect(idsOf('{id}.{form:value|}')).toEqual(['parameter-names']);
    expect(idsOf('{id}.{params:encoded:query}')).toEqual(['parameter-places']);
    expect(idsOf('{url}.{id}.{params:encoded:query}')).toEqual([]);
    expect(idsOf('{id}.{form:unique:encoded:query}')).toEqual(['repeated-parameters']);
  });

  it('says that a request may be sent as one of the other method, if no text names the method', () => {
    const partsOf = (post: string, get: string) =>
      unsignedParts(
        contractWith({ ...hmac, signedContent: post }, 'body', {
          also: { method: 'GET', bodyFormat: 'form', signature: { ...hmac, signedContent: get } },
        }),
      ).map((part) => part.id);
    expect(partsOf('{body}', '{form:unsorted:encoded:name=value&}')).toEqual(['forms']);
    expect(partsOf('{method}\n{body}', '{method}\n{form:unsorted:encoded:name=value&}')).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'an unsigned body',
      { ...hmac, signedContent: '{url:base}{id}', unsignedBody: true, id },
      'no part of the body',
    ],
    ['values without names', { ...hmac, signedContent: '{id}.{form:value|}', id }, 'not their names'],
    [
      'decoded values that may hold the separator',
      { ...hmac, signedContent: '{id}.{form:unsorted:name=value&}', id },
      'where a parameter begins and ends',
    ],
    [
      'decoded values that may hold another separator than those that are replaced',
      { ...hmac, signedContent: '{id}.{form:underscored:name|value;}', id },
      'where a parameter begins and ends',
    ],
    [
      'parameters that may move between URL and body',
      { ...hmac, signedContent: '{id}.{params:encoded:query}', id },
      'in the URL or in the body',
    ],
    [
      'parameters that may be repeated',
      { ...hmac, signedContent: '{id}.{form:unique:encoded:query}', id },
      'can repeat a parameter',
    ],
    [
      'a hash that begins with the secret',
      { ...hash, signedContent: '{secret}{id}.{body}', id },
      'length extension',
    ],
    [
      'a hash with the secret in the middle',
      { ...hash, signedContent: '{id}.{secret}.{body}', id },
      'length extension',
    ],
  ])('names %s', (_, signature, sentence) => {
    expect(sentencesOf(contractWith(signature, 'signed-id'))).toContain(sentence);
  });

  it('names values that may hold what separates them in JSON, where nothing is encoded', () => {
    const contract = contractWith({ ...hmac, signedContent: '{fields:underscored:query}' }, 'body', {
      bodyFormat: 'json',
    });
    expect(unsignedParts(contract).map((part) => part.id)).toEqual(['parameter-ends']);
  });

  it.each([
    [{ query: 'token' }, 'the secret itself in the URL'],
    [{ body: 'token' }, 'the secret itself in the body'],
  ])('names a token in %j', (place, sentence) => {
    expect(sentencesOf(contractWith({ scheme: 'token', ...place }, 'content'))).toContain(sentence);
  });

  it('names nothing of a scheme that signs time, id and body', () => {
    expect(unsignedParts(shippedContract)).toEqual([]);
  });

  it.each(['{id}.{form:encoded:name=value&}', '{id}.{form:underscored:name=value&}'])(
    'names nothing of %s, in which a value holds no separator',
    (signedContent) => {
      expect(unsignedParts(contractWith({ ...hmac, signedContent, id }, 'signed-id'))).toEqual([]);
    },
  );
});

describe('identity never rests on unsigned bytes', () => {
  it.each<[string, object, 'signed-id' | 'content' | 'body', string, object?]>([
    [
      'a body that is not signed',
      { ...hmac, signedContent: '{id}.{url}', id },
      'signed-id',
      '"unsignedBody": true',
    ],
    [
      'content that is not signed',
      { ...hmac, signedContent: '{id}.{url}', id, unsignedBody: true },
      'content',
      'expected "signed-id"',
    ],
    [
      'a field that is not signed',
      { ...hmac, signedContent: '{id}.{url}', id, unsignedBody: true },
      'body',
      'expected "signed-id"',
    ],
    [
      'repeats that are not signed',
      { ...hmac, signedContent: '{form:unique:name=value&}' },
      'content',
      'several ids',
    ],
    [
      'an id beside the signed ones',
      { ...hmac, signedContent: '{body}', id },
      'signed-id',
      'needs a signature',
    ],
    [
      'a query that is not signed',
      { ...hmac, signedContent: '{url:base}' },
      'content',
      'expected the query to be signed',
      { method: 'GET' },
    ],
    [
      'a hash that is not signed',
      {
        ...hmac,
        signedContent: '{timestamp}',
        timestamp: { header: 'x-time', unit: 'seconds', toleranceSeconds: 9 },
        payloadHash: { header: 'x-hash', algorithm: 'md5', encoding: 'hex' },
      },
      'content',
      'place of the hash to be signed',
    ],
    ['a hash without the secret', { ...hash, signedContent: '{body}' }, 'content', '{secret}'],
  ])('%s is no contract', (_, signature, from, problem, more) => {
    expect(() => contractWith(signature, from, more)).toThrow(ContractError);
    expect(() => contractWith(signature, from, more)).toThrow(problem);
  });

  it('a GET is a contract where its query is signed', () => {
    const signature = { ...hmac, header: undefined, query: 'sig', signedContent: '{query:sorted}' };
    expect(
      contractWith(JSON.parse(JSON.stringify(signature)), 'body', { method: 'GET' }).webhook.method,
    ).toBe('GET');
  });

  it.each([
    ['a form', { body: 'sig', signedContent: '{body}' }, {}],
    ['a form, of its parameters', { body: 'sig', signedContent: '{form:encoded:query}' }, {}],
    ['the query of a GET', { query: 'sig', signedContent: '{form:encoded:query}' }, { method: 'GET' }],
  ])(
    'a signature in %s allows no ids from the content, to which a second one could be added',
    (_, place, more) => {
      const signature = JSON.parse(JSON.stringify({ ...hmac, header: undefined, ...place }));
      expect(() => contractWith(signature, 'content', more)).toThrow(/one event could get several ids/);
      expect(() => contractWith(signature, 'body', more)).not.toThrow();
    },
  );
});
