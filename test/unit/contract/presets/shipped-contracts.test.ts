import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extendContract } from '../../../../contract/document/extend.ts';
import { bodyOfSample, parseContract, parseRules } from '../../../../contract/document/parse.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { shippedContract, shippedContractJson } from '../../../../tools/support/contracts.ts';

type Sample = Contract['samples'][number];
type SignedSample = Sample & { readonly request: NonNullable<Sample['request']> };

/** Services whose events are known too: only `service` is left for the contract that extends them. */
const ofServices = [
  'aws-end-user-messaging',
  'bird',
  'bird-channels',
  'infobip',
  'plivo',
  'sinch',
  'telnyx',
  'twilio',
  'vonage',
  'zenvia',
];

/** Ways to prove who posts; where things are in a body the contract that extends them says. */
const ofSignatures = [
  'basic-auth',
  'github',
  'messagebird',
  'shopify',
  'slack',
  'standard-webhooks',
  'static-token',
  'stripe',
];

const folder = new URL('../../../../contract/presets/', import.meta.url);
const names = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .sort();

it('the project ships these presets, and no others', () => {
  expect(names).toEqual([...ofServices, ...ofSignatures].sort());
});

describe.each(names.filter((name) => !ofSignatures.includes(name)))('the preset %s', (name) => {
  const json = extendContract(presetJson(name), { service: shippedContract.service });
  const contract = parseRules(json);
  holds(json, contract);

  it('shows a delivery report and a reply, and one of them as documented and signed', () => {
    expect(kindsOf(contract.samples)).toEqual(expect.arrayContaining(['sms.status', 'sms.reply']));
    const documented = contract.samples.filter(({ source }) => source !== undefined);
    expect(kindsOf(documented.filter(isSigned))).not.toEqual([]);
  });
});

describe.each(names.filter((name) => ofSignatures.includes(name)))('the preset %s', (name) => {
  const json = extendContract(shippedContractJson, presetJson(name));
  holds(json, parseRules(json));
});

function holds(json: unknown, contract: Contract): void {
  const { signature } = contract.webhook;
  const verify = createVerifier(signature);
  const signed = contract.samples.filter(isSigned);

  function isVerified({ request, ...sample }: SignedSample, change: Partial<Change> = {}): boolean {
    const { body, headers } = {
      body: bodyOfSample(sample, contract.webhook.bodyFormat),
      headers: request.headers,
      ...change,
    };
    return (
      verify({ ...request, body, headers }, [request.secret], Date.parse(request.receivedAt)).kind ===
      'verified'
    );
  }

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
        const { [signature.header]: token = '' } = sample.request.headers;
        const headers = { [signature.header]: `${token.slice(0, -1)}~` };
        expect(isVerified(sample, { headers })).toBe(false);
        return;
      }
      const body = bodyOfSample(sample, contract.webhook.bodyFormat);
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
}

interface Change {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

function presetJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}

function kindsOf(samples: readonly Sample[]): (string | undefined)[] {
  return samples.flatMap(({ becomes = [] }) => becomes.map(({ kind }) => kind));
}

function isSigned(sample: Sample): sample is SignedSample {
  return sample.request !== undefined;
}

function withOtherByte(body: Uint8Array, position: number): Uint8Array {
  return body.map((byte, index) => (index === position ? byte ^ 1 : byte));
}
