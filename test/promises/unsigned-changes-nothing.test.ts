import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOfSample } from '../../contract/document/parse.ts';
import { coversBody } from '../../contract/schema/contract-schema.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import type { RequestParts } from '../../tools/support/lambda-events.ts';
import { presetContracts } from '../support/preset-contracts.ts';
import {
  forgersSecret,
  now,
  type ReceivingHalf,
  receivingHalf,
  report,
  secret,
} from './support/receiving-half.ts';

/*
 * The promise: an event that the service did not sign changes nothing.
 *
 * Given is a message that is on its way. What is broken: a forger posts reports about it, with whatever she has, also during a rotation,
 * while requests that match no secret are parked. What must hold: the history is unchanged, and what was parked is in quarantine.
 */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());

/** Changes a character in the middle of a text. */
const altered = (text: string) => {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === '0' ? '1' : '0'}${text.slice(middle + 1)}`;
};

describe('a report about a stored message', () => {
  let pipeline: ReceivingHalf;
  let before: unknown;
  beforeEach(async () => {
    pipeline = receivingHalf(tables);
    await pipeline.forget();
    expect(await pipeline.post(report('m', 'sent'))).toBe(200);
    await pipeline.work();
    before = await pipeline.history();
    expect(before).toMatchObject([{ messageId: 'm', status: 'sent' }]);
  });
  afterEach(async () => {
    // Not vacuous: the same report with a genuine signature changes the message.
    expect(await pipeline.post(report('m', 'delivered'))).toBe(200);
    await pipeline.work();
    expect(await pipeline.history()).toMatchObject([{ messageId: 'm', status: 'delivered' }]);
  });

  const genuine = report('m', 'delivered');
  it.each<[string, RequestParts]>([
    ['no signature', { body: genuine.body }],
    ['the signature of a forger', report('m', 'delivered', 5, forgersSecret)],
    ['the signature of another report', { ...report('m', 'sent'), body: genuine.body }],
    ['another event id than the signed one', withHeader(genuine, 'webhook-id', 'evt-new')],
    ['a later time than the signed one', withHeader(genuine, 'webhook-timestamp', String(now / 1000 + 1))],
  ])('with %s is rejected and changes nothing', async (_, forged) => {
    expect(await pipeline.post(forged)).toBe(401);
    await pipeline.work();
    expect(await pipeline.history()).toEqual(before);
    expect(await pipeline.quarantine()).toEqual([]);
  });

  it('with the signature of a forger is parked during a rotation, then goes to quarantine and changes nothing', async () => {
    const { secret: known } = pipeline;
    const { document } = known;
    known.document = {
      ...document,
      rotating: { since: '2026-01-15T12:00:00.000Z', by: 'a test', overlapMs: 60_000 },
    };
    expect(await pipeline.post(report('m', 'delivered', 5, forgersSecret))).toBe(200);
    await pipeline.invokeWorker();
    expect(pipeline.waiting()).toBe(1);
    expect(await pipeline.history()).toEqual(before);

    // The rotation ends, and the service confirms a minute later which secret it uses.
    known.document = document;
    known.confirmedAt = new Date(now + 60_000).toISOString();
    await pipeline.work();
    expect(await pipeline.history()).toEqual(before);
    expect(await pipeline.quarantine()).toMatchObject([{ reason: 'signature-mismatch' }]);
  });
});

function withHeader(request: RequestParts, name: string, value: string): RequestParts {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

/** The signed requests of presets. A token signs no content, and neither does a scheme that does not cover the body (`cdk synth` warns of it). */
const samples = presetContracts.flatMap(({ name, contract }) => {
  const { signature, method = 'POST' } = contract.webhook;
  if (signature.scheme === 'none' || signature.scheme === 'token' || !coversBody(signature, method))
    return [];
  return contract.samples.flatMap(({ request, ...sample }) =>
    request === undefined ? [] : [{ name: `${name}: ${sample.name}`, contract, sample, request }],
  );
});

describe('the signed requests of presets', () => {
  it('are those of fifteen presets', () => {
    expect([...new Set(samples.map(({ name }) => name.replace(/\.json: .*/, '')))]).toEqual([
      'bird',
      'bird-channels',
      'messagebird-sms',
      'messagebird-sms-hmac',
      'plivo-v3',
      'seven',
      'signalwire',
      'sinch-conversation',
      'sinch-sms',
      'telnyx',
      'termii',
      'twilio',
      'twilio-event-streams',
      'vonage-messages',
      'vonage-sms',
    ]);
  });

  it.each(samples)(
    'are accepted as they are, and rejected if a character of the body is altered: $name',
    async (given) => {
      const { contract, sample, request } = given;
      const { bodyFormat, method = 'POST' } = contract.webhook;
      const [url = '', query = ''] = request.url.split('?');
      const receivedAt = Date.parse(request.receivedAt);
      const pipeline = receivingHalf(tables, { contract, secret: request.secret, url, now: receivedAt });
      const body = Buffer.from(bodyOfSample(sample, { bodyFormat })).toString();
      const requestOf = (text: string): RequestParts =>
        method === 'GET'
          ? { method, headers: request.headers, rawQueryString: text }
          : { method, headers: request.headers, body: text, rawQueryString: query };

      expect(await pipeline.post(requestOf(altered(body)))).toBe(401);
      expect(pipeline.waiting()).toBe(0);
      expect(await pipeline.post(requestOf(body))).toBe(200);
      expect(pipeline.waiting()).toBe(1);
    },
  );
});

it('a forger who knows an older secret than the accepted ones changes nothing', async () => {
  const pipeline = receivingHalf(tables);
  await pipeline.forget();
  pipeline.secret.document = {
    ...pipeline.secret.document,
    current: { secret, since: new Date(now).toISOString() },
    previous: { secret: forgersSecret, validUntil: new Date(now).toISOString() },
  };
  expect(await pipeline.post(report('m', 'delivered', 5, forgersSecret))).toBe(401);
  expect(pipeline.waiting()).toBe(0);
});
