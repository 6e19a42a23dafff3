import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findSignature } from '../../../../../contract/discovery/signature/find-signature.ts';
import { extendContract } from '../../../../../contract/document/extend.ts';
import { bodyOfSample, parseRules } from '../../../../../contract/document/parse.ts';
import { shippedContract, shippedContractJson } from '../../../../../tools/support/contracts.ts';

const folder = new URL('../../../../../contract/presets/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));

describe.each(names)('findSignature, on the preset %s', (name) => {
  const preset: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
  // Some presets describe only how requests are signed.
  const isWhole = typeof preset === 'object' && preset !== null && 'statuses' in preset;
  const base = isWhole ? { service: shippedContract.service } : shippedContractJson;
  const { webhook, samples } = parseRules(extendContract(base, preset));
  const signed = samples.flatMap((sample) =>
    sample.request === undefined ? [] : [{ ...sample, request: sample.request }],
  );

  it.each(signed)('finds the scheme from the request of "$name"', (sample) => {
    const { headers, url, secret, receivedAt } = sample.request;
    const body = bodyOfSample(sample, webhook.bodyFormat);
    const outcome = findSignature(
      [{ name: sample.name, method: 'POST', url, headers, body, receivedAt }],
      [secret],
    );
    const { scheme } = webhook.signature;
    const expected =
      scheme === 'hmac' || scheme === 'public-key'
        ? {
            scheme,
            algorithm: webhook.signature.algorithm,
            encoding: webhook.signature.encoding,
            header: webhook.signature.header,
            prefix: webhook.signature.prefix,
            signedContent: webhook.signature.signedContent,
          }
        : { ...webhook.signature };
    expect(outcome).toMatchObject({ kind: 'found', fits: 1, scheme: expected });
  });
});
