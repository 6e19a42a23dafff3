import { createMapper } from '../events/mapping.ts';
import { encodeForm } from '../events/render.ts';
import { createVerifier } from '../signature/verify.ts';
import type { Contract } from './contract.ts';

export type Sample = Contract['samples'][number];

/** When samples that do not say so came. */
const someTime = '2026-01-15T12:00:00.000Z';

/** Verifies and maps each sample and compares: one line for each that does not become what it says. */
export function checkSamples(contract: Contract): string[] {
  const check = createSampleCheck(contract);
  return contract.samples.flatMap((sample, index) =>
    check(sample).map((problem) => `samples.${index} (${sample.name}): ${problem}`),
  );
}

/** Checks one sample of a contract: one line for each thing that is not as the sample says. */
export function createSampleCheck(contract: Contract): (sample: Sample) => string[] {
  const map = createMapper(contract);
  const verify = createVerifier(contract.webhook.signature);
  return (sample) => {
    const body = bodyOfSample(sample, contract.webhook.bodyFormat);
    const { request, becomes } = sample;
    const receivedAt = sampleReceivedAt(sample);
    const verdict = request && verify({ ...request, body }, [request.secret], Date.parse(receivedAt));
    const unverified = verdict?.verified === false ? [`its signature is refused: ${verdict.reason}`] : [];
    if (becomes === undefined) return unverified;
    const signedId = verdict?.verified === true ? verdict.signedId : 'sample';
    return [...unverified, ...compare(map(body, signedId, receivedAt), becomes)];
  };
}

/** When a sample came; ISO 8601 in UTC. Those that do not say so all came at the same time. */
export function sampleReceivedAt({ request }: Sample): string {
  return request === undefined ? someTime : new Date(request.receivedAt).toISOString();
}

/** The bytes of a sample's body, as the service would send it. */
export function bodyOfSample(
  { body, bodyText }: Sample,
  format: Contract['webhook']['bodyFormat'],
): Uint8Array {
  if (bodyText !== undefined) return Buffer.from(bodyText);
  return format === 'json' ? Buffer.from(JSON.stringify(body)) : encodeForm(body);
}

function compare(
  mapped: ReturnType<ReturnType<typeof createMapper>>,
  becomes: NonNullable<Sample['becomes']>,
): string[] {
  if (mapped.length !== becomes.length)
    return [`expected ${becomes.length} events, the mapping finds ${mapped.length}`];
  return mapped.flatMap((outcome, position) => {
    const where = `event ${position + 1}`;
    if (!outcome.readable)
      return [`${where} cannot be read: ${outcome.reason}${'field' in outcome ? ` (${outcome.field})` : ''}`];
    const actual = new Map<string, unknown>(Object.entries(outcome.event));
    return Object.entries(becomes[position] ?? {})
      .filter(([field, expected]) => actual.get(field) !== expected)
      .map(
        ([field, expected]) =>
          `${where}: expected ${field} "${expected}", the mapping gives ${JSON.stringify(actual.get(field) ?? null)}`,
      );
  });
}
