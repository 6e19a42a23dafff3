import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../../../contract/document/parse.ts';
import { webhook as webhookSchema } from '../../../../../contract/schema/webhook-schema.ts';
import { staticTokenJson } from '../../../../support/contract-json.ts';
import { contractPipeline } from '../../../../support/contract-pipeline.ts';
import { presetContract } from '../../../../support/preset-contracts.ts';

const secret = 'invented-token-of-hooks-0001';
const now = Date.UTC(2026, 0, 15, 12, 0, 5);

/** A pipeline whose requests carry a token in a header, or in the query. */
function pipelineWith(webhook: object, place: 'header' | 'query' = 'header') {
  const signature = { scheme: 'token', [place]: 'x-token' };
  return contractPipeline(parseRules(staticTokenJson({ signature, ...webhook })), { secret, now });
}

const genuine = { headers: { 'x-token': secret }, body: '{"id":"m1"}' };

describe('the answer to a request that was queued', () => {
  it.each([204, 205])('with the status %i has no body, no content type and no length', async (status) => {
    const answer = await pipelineWith({ acknowledge: { status } }).post(genuine);
    expect(answer).toEqual({ statusCode: status });
  });

  it.each<[{ status?: number; contentType?: string; body: string }, string, string]>([
    [{ status: 200, body: 'ACK/Jasmin' }, 'text/plain; charset=utf-8', 'ACK/Jasmin'],
    [{ body: '000' }, 'text/plain; charset=utf-8', '000'],
    [{ status: 202, body: '-1' }, 'text/plain; charset=utf-8', '-1'],
    [{ body: '' }, 'text/plain; charset=utf-8', ''],
    [{ contentType: 'text/xml', body: '<Response/>' }, 'text/xml', '<Response/>'],
  ])('of a contract with %j is exactly that', async (acknowledge, contentType, body) => {
    const { post, queued } = pipelineWith({ acknowledge });
    expect(await post(genuine)).toEqual({
      statusCode: acknowledge.status ?? 200,
      headers: { 'content-type': contentType },
      body,
    });
    expect(queued()).toHaveLength(1);
  });

  it('is JSON with the id by default, and only that', async () => {
    expect(await pipelineWith({ acknowledge: {} }).post(genuine)).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"id":"req-1"}',
    });
  });

  it('is not given to a request that was rejected', async () => {
    const { post, queued } = pipelineWith({ acknowledge: { body: 'ACK/Jasmin' } });
    const answer = await post({ ...genuine, headers: { 'x-token': 'another' } });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).not.toContain('ACK');
    expect(queued()).toEqual([]);
  });

  it('of Twilio is an empty TwiML response', () => {
    expect(presetContract('twilio').webhook.acknowledge).toEqual({
      status: 200,
      contentType: 'text/xml',
      body: '<Response/>',
    });
  });
});

describe('a request that only tests the URL', () => {
  it('by HEAD gets the status of the contract without a signature, and is not queued', async () => {
    const { post, queued, lines } = pipelineWith({ probe: { method: 'HEAD' } }, 'query');
    expect(await post({ method: 'HEAD', rawQueryString: `x-token=${secret}` })).toEqual({ statusCode: 200 });
    expect([queued(), lines]).toEqual([[], []]);
  });

  it.each(['GET', 'POST'])('by %s has no values but the token of the URL', async (method) => {
    const { post, queued } = pipelineWith({ probe: { method, body: 'OK' } }, 'query');
    for (const rawQueryString of ['', `x-token=${secret}`])
      expect(await post({ method, rawQueryString })).toMatchObject({ statusCode: 200, body: 'OK' });
    expect(queued()).toEqual([]);
    const withValues = await post({ method, rawQueryString: `x-token=${secret}&id=m1`, body: '{"id":"m1"}' });
    expect(withValues.body).not.toBe('OK');
    expect(queued()).toHaveLength(method === 'POST' ? 1 : 0);
  });

  it('is rejected by a contract that names none', async () => {
    const { post } = pipelineWith({});
    expect(await post({ method: 'HEAD' })).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
    expect(await post({})).toMatchObject({ statusCode: 401 });
  });

  it('of Textmagic is answered with 200', async () => {
    const { post } = contractPipeline(presetContract('textmagic'), { secret, now });
    expect(await post({ method: 'HEAD', rawQueryString: `token=${secret}` })).toEqual({ statusCode: 200 });
  });
});

describe('the schema', () => {
  const problems = (webhook: object) =>
    webhookSchema
      .safeParse({
        signature: { scheme: 'none', anyoneMayPost: true },
        bodyFormat: 'json',
        acknowledge: {},
        ...webhook,
      })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  it.each([
    [
      { acknowledge: { status: 204, body: 'x' } },
      ['acknowledge.body: expected nothing: an answer with the status 204 has no body. Remove it'],
    ],
    [
      { acknowledge: { status: 205, contentType: 'text/xml' } },
      ['acknowledge.contentType: expected nothing: an answer with the status 205 has no body. Remove it'],
    ],
    [
      { acknowledge: { contentType: 'text/xml' } },
      ['acknowledge.contentType: expected "body" beside it: the default body is JSON'],
    ],
    [
      { acknowledge: { contentType: 'text/xml\r\nx: y', body: '' } },
      ['acknowledge.contentType: expected a media type, such as "text/xml"'],
    ],
    [
      { probe: { method: 'HEAD', body: 'x' } },
      ['probe.body: expected nothing: the answer to HEAD has no body. Remove it'],
    ],
    [{ reads: {} }, ['reads: expected "query" or "path"']],
    [{ probe: { method: 'GET', status: 204 } }, []],
  ])('says of %j: %j', (webhook, expected) => {
    expect(problems(webhook)).toEqual(expected);
  });
});
