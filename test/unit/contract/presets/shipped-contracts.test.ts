import { describe, expect, it } from 'vitest';
import { contractFiles } from '../../../../contract/document/contract-file-store.ts';
import {
  describesEvents,
  extendContract,
  presetNames,
  presetPath,
  readExtended,
} from '../../../../contract/document/extend.ts';
import { bodyOfSample, parseContract, parseRules } from '../../../../contract/document/parse.ts';
import { contentTypeOf } from '../../../../contract/events/render.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../../contract/schema/request-form.ts';
import { signedRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { findSignature } from '../../../../discovery/signature/find-signature.ts';
import { generateSecret } from '../../../../local/sms-service/webhook.ts';
import { shippedContract, shippedContractJson } from '../../../../tools/support/contracts.ts';

type Sample = Contract['samples'][number];
type SignedSample = Sample & { readonly request: NonNullable<Sample['request']> };

const presets = presetNames(contractFiles).map((name) => {
  const { document } = readExtended(presetPath(name, contractFiles), contractFiles);
  // Others only say how requests are signed: where things are in a body the contract that extends them says.
  const isWhole = describesEvents(document);
  const base = isWhole ? { service: shippedContract.service } : shippedContractJson;
  const json = extendContract(base, document);
  return { name, document, isWhole, json, contract: parseRules(json) };
});
const services = presets.filter(({ isWhole }) => isWhole);

describe.each(services)('the preset $name', ({ contract }) => {
  it('shows a delivery report and a reply, and one of them as documented and signed', () => {
    expect(kindsOf(contract.samples)).toEqual(expect.arrayContaining(['sms.status', 'sms.reply']));
    const documented = contract.samples.filter(({ source }) => source !== undefined);
    expect(kindsOf(documented.filter(isSigned))).not.toEqual([]);
  });
});

/** Times in these formats always name their zone, or are in UTC. */
const withZone: ReadonlySet<string> = new Set(['rfc2822', 'unix-seconds', 'unix-milliseconds']);

it.each(services)('the preset $name says how numbers are written, and in which zone times are', (preset) => {
  const { name, document, contract } = preset;
  expect(document).toHaveProperty('events.numbers');
  if ([contract.events.timeFormat].flat().every((format) => withZone.has(format))) return;
  expect(document).toHaveProperty('events.timeZone');
  const { unverified = [] } = contract.about ?? {};
  if (contract.events.timeZone === null)
    expect(unverified, name).toContainEqual(expect.stringMatching(/time zone .+ not documented/));
});

describe.each(presets)('the preset $name', ({ json, contract }) => {
  const form = requestForm(contract.webhook, undefined);
  const { signature, method } = form;
  const verify = createVerifier(signature, form);
  const signed = contract.samples.filter(isSigned);

  function isVerified({ request, ...sample }: SignedSample, change: Partial<Change> = {}): boolean {
    const { body, headers } = {
      body: bodyOfSample(sample, contract.webhook),
      headers: request.headers,
      ...change,
    };
    // The query of a GET is its body.
    const url = method === 'GET' ? request.url.replace(/\?.*/, `?${Buffer.from(body)}`) : request.url;
    const received = { ...request, url, body, headers };
    return verify(received, [request.secret], Date.parse(request.receivedAt)).kind === 'verified';
  }

  // `sms webhook test` and the sandbox sign so.
  it('accepts a request that is signed by its scheme, whatever headers the service would add', () => {
    const { shown, signing } = generateSecret(signature);
    const [sample] = contract.samples;
    const body = sample === undefined ? Buffer.of() : bodyOfSample(sample, contract.webhook);
    const now = Date.UTC(2026, 0, 15);
    const headers = { 'content-type': contentTypeOf(contract) };
    const url = 'https://sms.test/webhooks/sms';
    const request = signedRequest(signature, { body, id: 'msg-1', now, url, headers }, signing, form);
    const received = { ...request, headers: { ...headers, ...request.headers } };
    expect(verify(received, [shown], now).kind).toBe('verified');
  });

  it('is valid: every sample becomes the expected events', () => {
    expect(parseContract(json).samples).not.toEqual([]);
  });

  const sourced = signed.flatMap((sample) =>
    sample.source === undefined ? [] : [[sample.name, sample.source, sample.request.signed, sample] as const],
  );
  it.each(sourced)('accepts %s (%s, signature %s)', (_name, _source, _signed, sample) => {
    expect(isVerified(sample)).toBe(true);
  });

  it.each(signed.map((sample) => [sample.name, sample] as const))(
    'rejects %s once one of its bytes is changed',
    (_name, sample) => {
      if (signature.scheme === 'token') {
        const another = { ...sample, request: { ...sample.request, secret: `${sample.request.secret}x` } };
        expect(isVerified(another)).toBe(false);
        return;
      }
      if ('unsignedBody' in signature && 'header' in (signature.id ?? {})) {
        const { header = '' } = { header: '', ...signature.id };
        const headers = { ...sample.request.headers, [header]: 'another' };
        expect(isVerified(sample, { headers })).toBe(false);
        return;
      }
      const body = bodyOfSample(sample, contract.webhook);
      for (const position of [0, Math.floor(body.length / 2), body.length - 1])
        expect(isVerified(sample, { body: withOtherByte(body, position) })).toBe(false);
    },
  );

  it('names the sources of its facts, and what no documentation shows', () => {
    expect(sourced).not.toEqual([]);
    expect(contract.about?.documentation).not.toEqual([]);
    const isDocumented = signed.some(({ request }) => request.signed === 'documented');
    if (!isDocumented) expect(contract.about?.unverified).not.toEqual([]);
  });

  it.each(signed)('has a signature that findSignature finds in the request of "$name"', (sample) => {
    const { headers, url, secret, receivedAt } = sample.request;
    const body = bodyOfSample(sample, contract.webhook);
    const sent = method === 'GET' ? Buffer.of() : body;
    const capture = { name: sample.name, method, url, headers, body: sent, receivedAt };
    // One request does not show how a list of signatures or an unsigned id would be written.
    // Nor does it show which other algorithms and issuers there are.
    const { signedContent } = { signedContent: undefined, ...signature };
    const hidden = [
      'otherAlgorithms',
      'issuer',
      ...(signedContent === undefined ? [] : ['id', 'timestamp', 'separator', 'secret']),
    ];
    const isShown = ([key]: [string, unknown]) => !hidden.includes(key);
    const expected: Record<string, unknown> = Object.fromEntries(Object.entries(signature).filter(isShown));
    // Nor does it show what becomes of a field that is sent twice.
    if (signedContent === '{url}{form:unique:namevalue}') expected.signedContent = '{url}{form}';
    // Nor does it show what becomes of separators in values, unless there are some.
    if (signedContent?.includes('underscored:') && !/%26|%3D/.test(body.toString()))
      expected.signedContent = signedContent.replace('underscored:', '');
    expect(findSignature([capture], [secret])).toMatchObject({ kind: 'found', fits: 1, scheme: expected });
  });
});

interface Change {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

function kindsOf(samples: readonly Sample[]): unknown[] {
  return samples.flatMap(({ becomes = [] }) => becomes.map(({ kind }) => kind));
}

function isSigned(sample: Sample): sample is SignedSample {
  return sample.request !== undefined;
}

function withOtherByte(body: Uint8Array, position: number): Uint8Array {
  return body.map((byte, index) => (index === position ? byte ^ 1 : byte));
}
