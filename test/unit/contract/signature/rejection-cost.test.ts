import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOfSample } from '../../../../contract/document/parse.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signedRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { parseExactly } from '../../../../contract/text/json.ts';
import { maxBodyBytes } from '../../../../functions/receive/ingest/receive.ts';
import { generateSecret } from '../../../../local/sms-service/webhook.ts';
import { presetContracts } from '../../../support/preset-contracts.ts';

const now = Date.UTC(2026, 0, 15);

/** Counts the calls of functions, however fast the machine is: comparisons of a sort are calls as well. */
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

async function callsDuring(work: () => void): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counts = result.flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole?.count ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

const filled = (piece: string, before = '', after = '') =>
  before + piece.repeat((maxBodyBytes - before.length - after.length) / piece.length) + after;

const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${count - index}`, '1'])));

/** Bodies of up to 256 KiB that cost much to read. */
const hostileBodies: readonly (readonly [string, string])[] = [
  ['a form of empty parameters', filled('a&')],
  ['a form of escaped parameters', filled('%41=%41&')],
  ['a form of nothing', filled('&')],
  ['a form of as many parameters as are read', 'b=%41&a=1&'.repeat(495)],
  ['an object of many fields', fields(20_000)],
  ['an object of as many fields as are read', fields(990)],
  ['an object of a deep value', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['a text of blanks', filled(' ', '[1,', '2]')],
];

/** The query is a part of the line of the request, for which API Gateway has 10,240 bytes. */
const hostileQueries = ['', '?', `?${'a&'.repeat(4000)}`, `?${'b=%41&a=1&'.repeat(480)}`];

/** A request that a service of the contract signed, with another secret. */
function forged({ webhook, samples }: Contract) {
  const { signature, method = 'POST', bodyFormat } = webhook;
  const [sample] = samples;
  const body = sample === undefined ? Buffer.from('{}') : Buffer.from(bodyOfSample(sample, { bodyFormat }));
  const url = 'https://example.test/webhooks/sms';
  const { signing } = generateSecret(signature);
  return signedRequest(signature, { body, id: 'event-1', now, url }, signing, { method, bodyFormat });
}

/** For all requests of a preset, so that the counts are read once. One list that was joined for each secret and spelling, and had no limit, took 18 million. */
const maxCalls = 3_000_000;

describe('a request that is rejected costs little, whatever it brings', () => {
  it.each(presetContracts.filter(({ contract }) => contract.webhook.signature.scheme !== 'none'))(
    '$name',
    async ({ contract }) => {
      const { signature, method = 'POST', bodyFormat } = contract.webhook;
      const verify = createVerifier(signature, { method, bodyFormat });
      const secrets = [generateSecret(signature).shown, generateSecret(signature).shown];
      const genuine = forged(contract);
      const requests = hostileBodies.flatMap(([name, hostile]) =>
        hostileQueries.flatMap((query) =>
          [hostile, `${Buffer.from(genuine.body)}&${hostile}`].map((body) => {
            const url = method === 'GET' ? `${genuine.url}&${query.slice(1)}` : `${genuine.url}${query}`;
            return { name, headers: genuine.headers, body: Buffer.from(body).subarray(0, maxBodyBytes), url };
          }),
        ),
      );
      const accepted: string[] = [];
      const calls = await callsDuring(() => {
        for (const { name, ...request } of requests)
          if (verify(request, secrets, now).kind !== 'rejected') accepted.push(name);
      });
      expect(accepted).toEqual([]);
      expect(calls).toBeLessThan(maxCalls);
    },
  );
});

it('one number with an exponent costs no call for each of the others', async () => {
  const calls = await callsDuring(() => void parseExactly(filled('1,', '[1e9,', '1]')));
  expect(calls).toBeLessThan(1000);
});

it('a batch of JSON is no list of parameters, however many signs that separate some its texts hold', () => {
  const { contract } = presetContracts.find(({ name }) => name === 'static-token-body.json') ?? {};
  if (contract === undefined) throw new Error('there is no such preset');
  const { signature } = contract.webhook;
  const batch = JSON.stringify([{ text: '&'.repeat(5000) }, { token: 'secret' }]);
  const [first] = signature.scheme === 'token' && signature.body !== undefined ? [signature.body] : [];
  const object = JSON.stringify({ text: '&'.repeat(5000), [first ?? '']: 'secret' });
  const verdictOf = (text: string) =>
    createVerifier(signature, postedJson)(
      { headers: {}, body: Buffer.from(text), url: 'https://example.test/' },
      ['secret'],
      now,
    );
  expect(verdictOf(object)).toMatchObject({ kind: 'verified' });
  expect(verdictOf(batch)).toMatchObject({ reason: 'signature-missing' });
});
