import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { unsignedParts } from '../../../../contract/checks/unsigned-parts.ts';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import type { Contract, SignatureContract } from '../../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../../contract/schema/request-form.ts';
import { signedRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { formContractJson } from '../../../../tools/support/contracts.ts';

/** A contract that reads replies and reports with the same names of fields in each format, also from the query. */
const contractWith = (signedContent: string, webhook: object) =>
  parseContract({
    ...formContractJson,
    samples: [],
    webhook: {
      signature: {
        scheme: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        header: 'x-signature',
        signedContent,
        secret: { encoding: 'utf8' },
      },
      acknowledge: { status: 200 },
      ...webhook,
    },
    events: {
      ...formContractJson.events,
      list: '[@]',
      kind: "text && 'sms.reply' || 'sms.status'",
      id: { from: 'body', path: 'id' },
      timeFormat: 'iso8601',
      status: {
        messageId: 'id',
        status: 'status',
        recipient: 'to',
        occurredAt: null,
        sendId: null,
        errorCode: null,
        errorText: null,
      },
      reply: {
        replyId: 'id',
        from: 'from',
        text: 'text',
        occurredAt: null,
        messageId: null,
        to: 'requestQuery.to || to',
      },
    },
  });

const secret = 'a secret';
const base = 'https://example.test/webhooks/sms';
it.each(['windows-1252', { field: 'charset', of: ['text'] }])(
  'letters of a form in the charset %j are signed as received, or the contract is refused',
  (charset) => {
    const webhook = { bodyFormat: 'form', charset };
    expect(() => contractWith('{form:name=value&}', webhook)).toThrow(/expected "encoded:" in each list/);
    expect(() => contractWith('{form:encoded:name=value&}', webhook)).not.toThrow();
    expect(() => contractWith('{body}', webhook)).not.toThrow();
  },
);

const fields = { from: '+12025550143', id: 'r1', text: 'yes & no = 1', to: '+12025550100' };
const formText = Object.entries(fields)
  .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  .join('&');

/** Returns how a contract reads requests with the signature of one genuine request. */
function onlooker(contract: Contract, genuineBody: string, genuineQuery: string) {
  const form = requestForm(contract.webhook, undefined);
  const { signature, method } = form;
  const url = method === 'GET' || genuineQuery === '' ? base : `${base}?${genuineQuery}`;
  const genuine = signedRequest(
    signature,
    { body: Buffer.from(genuineBody), id: 'i', now: 0, url },
    secret,
    form,
  );
  const verify = createVerifier(signature, form);
  const map = createMapper(contract);
  return (body: string, query: string) => {
    const sent = method === 'GET' ? body : query;
    const request = {
      headers: genuine.headers,
      body: Buffer.from(body),
      url: sent === '' ? base : `${base}?${sent}`,
    };
    if (verify(request, [secret], 0).kind !== 'verified') return undefined;
    return map(request.body, undefined, '2026-01-15T12:00:00.000Z', { method, query });
  };
}

it('a body in JSON with repeated keys has not the signature of a form', () => {
  const contract = contractWith('{params:encoded:query}', { bodyFormat: 'form' });
  const read = onlooker(contract, 'from=%2B12025550143&id=r1&text=hello', '');
  expect(read('from=%2B12025550143&id=r1&text=hello', '')).toMatchObject([{ event: { text: 'hello' } }]);
  const forged =
    '{"from":"&from=%2B12025550199&id=r2&text=START&z=","from":"%2B12025550143","id":"r1","text":"hello"}';
  expect(read(forged, '')).toBeUndefined();
});

it('a question mark in front of a query changes what is signed, as it changes the first name that is read', () => {
  const form = { method: 'GET', bodyFormat: 'form' } as const;
  const scheme = {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    query: 'sig',
    signedContent: '{query:sorted}',
    secret: { encoding: 'utf8', prefix: '' },
    prefix: '',
    separator: null,
    id: null,
    timestamp: null,
  } as SignatureContract;
  const { url, headers } = signedRequest(
    scheme,
    { body: Buffer.from('text=STOP&id=r1'), id: 'i', now: 0, url: base },
    secret,
    form,
  );
  const verdictOf = (sent: string) =>
    createVerifier(scheme, form)(
      { headers, body: Buffer.from(sent.split('?').slice(1).join('?')), url: sent },
      [secret],
      0,
    ).kind;
  expect(verdictOf(url)).toBe('verified');
  for (const marks of ['??', '???']) expect(verdictOf(url.replace('?', marks))).toBe('rejected');
});

it('a form has not the signature of a body in JSON', () => {
  const contract = contractWith('{params:name=value&}', { bodyFormat: 'json' });
  const read = onlooker(contract, '{"from":"+12025550143","id":"r1","text":"hello"}', '');
  expect(read('{"text":"hello","id":"r1","from":"+12025550143"}', '')).toHaveLength(1);
  expect(read('from=+12025550143&id=r1&text=hello', '')).toBeUndefined();
});

it('of a body in JSON with repeated keys, the value that is signed is the value that is read', () => {
  const contract = contractWith('{fields:name=value&}', { bodyFormat: 'json' });
  const read = onlooker(contract, '{"from":"+12025550143","id":"r1","text":"hello"}', '');
  const repeated = '{"text":"STOP","from":"+12025550143","id":"r1","text":"hello"}';
  expect(read(repeated, '')).toMatchObject([{ event: { text: 'hello' } }]);
});

it('a list in JSON has no fields, so that it has no signature over fields', () => {
  const contract = contractWith('{fields:name=value&}', { bodyFormat: 'json' });
  const { signature } = contract.webhook;
  const signatureOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  for (const body of ['[{"id":"r1"}]', '"id=r1"', 'id=r1', '7'])
    for (const signed of ['', 'id=r1'])
      expect(
        createVerifier(signature, { method: 'POST', bodyFormat: 'json' })(
          { headers: { 'x-signature': signatureOf(signed) }, url: base, body: Buffer.from(body) },
          [secret],
          0,
        ),
      ).toEqual({ kind: 'rejected', reason: 'signature-missing' });
});

describe('a contract of which the pipeline warns of nothing', () => {
  const lists = ['form', 'fields', 'query', 'params'].flatMap((source) =>
    ['', 'encoded:', 'underscored:', 'unsorted:encoded:', 'unique:encoded:'].flatMap((flags) =>
      ['query', 'value|'].map((pattern) => `{${source}:${flags}${pattern}}`),
    ),
  );
  const templates = [
    ...[
      '{body}',
      '{body:sha256:hex}',
      '{url}{body}',
      '{url}\n{body:sha256}',
      '{url}.{body}',
      '{query}.{body}',
    ],
    ...['{query}{body}', '{path:query}{body}', '{url:base}{body}', '{method}{url}{body}', '{body}{query}'],
    ...lists.flatMap((list) => [
      list,
      `{url}${list}`,
      `{url:base}.${list}`,
      `{query}.${list}`,
      `${list}{query}`,
    ]),
  ];
  const formats = [
    { bodyFormat: 'form' },
    { bodyFormat: 'form', reads: { query: 'signed' } },
    { bodyFormat: 'form', method: 'GET' },
    { bodyFormat: 'json' },
  ];
  const contracts = formats.flatMap((webhook) =>
    templates.flatMap((template) => {
      try {
        const contract = contractWith(template, webhook);
        return unsignedParts(contract).length === 0 ? [{ template, contract }] : [];
      } catch (error) {
        if (error instanceof ContractError) return [];
        throw error;
      }
    }),
  );

  it('is one of many', () => {
    expect(contracts.length).toBeGreaterThan(60);
    expect(new Set(contracts.map(({ contract }) => contract.webhook.bodyFormat)).size).toBe(2);
  });

  it('reads a changed request that is still verified as the genuine one', () => {
    const changed = contracts.flatMap(({ template, contract }) => {
      const { bodyFormat, method } = contract.webhook;
      const body = bodyFormat === 'form' ? formText : JSON.stringify(fields);
      const query = method === 'GET' ? '' : 'acct=7&to=%2B12025550111';
      const read = onlooker(contract, body, query);
      const genuine = read(body, query);
      expect(genuine, template).toBeDefined();
      return changesOf(body, query).flatMap(([otherBody, otherQuery]) => {
        const other = read(otherBody, otherQuery);
        const isSame = other === undefined || isDeepStrictEqual(other, genuine);
        return isSame ? [] : [{ template, webhook: contract.webhook.bodyFormat, otherBody, otherQuery }];
      });
    });
    expect(changed).toEqual([]);
  });

  /** What a sender makes of one request: the other format, parameters in other places, repeated, cut, and in another order. */
  function changesOf(body: string, query: string): readonly (readonly [string, string])[] {
    const json = JSON.stringify(fields);
    const inJson = [
      json,
      JSON.stringify(Object.fromEntries(formText.split('&').map((pair) => pair.split('=')))),
    ];
    const injected = '{"from":"&from=%2B12025550199&id=r2&text=START&z=",';
    const pairs = formText.split('&');
    const bodies = [
      body,
      formText,
      ...inJson.flatMap((text) => [text, text.replace('{', injected)]),
      json.replace('"id"', '"\\u0069d"').replace('{', '{"id":"r2",'),
      `${body}&${pairs[0]}`,
      `${body}&text=START`,
      `text=START&${body}`,
      `${query}&${body}`,
      pairs.toReversed().join('&'),
      pairs.slice(1).join('&'),
      pairs.slice(2).join('&'),
      `[${json}]`,
      query,
      '',
    ];
    const queries = [query, '', formText, ...pairs.flatMap((pair) => [`${query}&${pair}`, query + pair])];
    queries.push(`${query}${pairs[0]}&`, `${query}&${pairs.slice(0, 2).join('&')}`, encodeURIComponent(json));
    return bodies.flatMap((one) => queries.map((other) => [one, other] as const));
  }
});

describe('a template is no contract', () => {
  it.each([
    ['of fields, for a form', '{fields:name=value&}', 'form', 'expected {form:...}'],
    ['of encoded fields, for JSON', '{fields:encoded:query}', 'json', 'JSON has no percent-encoding'],
    ['of encoded parameters, for JSON', '{params:sorted}', 'json', 'JSON has no percent-encoding'],
    ['of a form, for JSON', '{form}', 'json', 'expected {body}'],
    ['with a query beside the body', '{url}{body}', 'json', '{url:base} needs no such text'],
    ['with a query beside the body', '{query}{body}', 'form', 'between {query} and its neighbour'],
    ['with a query beside the body', '{path:query}{body}', 'form', 'between {path:query} and its neighbour'],
    ['with a query behind the body', '{body}{query}', 'form', 'between {query} and its neighbour'],
    ['with a query beside parameters', '{url}{form:encoded:query}', 'form', 'between {url} and'],
  ])('%s: %s', (_, template, bodyFormat, problem) => {
    expect(() => contractWith(template, { bodyFormat })).toThrow(problem);
  });

  it.each(['{path}.{body}', '{url:base}{body}', '{url}.{body}'])(
    'with a path that a sender chooses and that may hold what is behind it: %s',
    (template) => {
      const chosen = { bodyFormat: 'form', reads: { path: 'signed' } };
      expect(() => contractWith(template, chosen)).toThrow('between the path and its neighbour');
      expect(() => contractWith('{url}\n{body}', chosen)).not.toThrow();
    },
  );

  it.each(['{url}{form}', '{url}{form:unique:namevalue}', '{url}{body:sha256:hex}', '{url:base}{body}'])(
    'unless the ends are signed, or are warned of: %s',
    (template) => {
      expect(() => contractWith(template, { bodyFormat: 'form' })).not.toThrow();
    },
  );
});
