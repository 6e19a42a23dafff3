import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { identityHash } from '../../../contract/events/body.ts';
import type { RequestParts } from '../../../tools/support/lambda-events.ts';
import { contractPipeline, webhookUrl } from '../../support/contract-pipeline.ts';
import { presetContract } from '../../support/preset-contracts.ts';

/*
 * What MessageBird really sends: reports by GET, and replies by POST as a form. A form had the fields id and body twice, and short codes
 * name their fields otherwise (github.com/nyaruka/courier, pull request 841 and handlers/messagebird/handler_test.go).
 */

const secret = 'invented-signing-key-0001';
const now = Date.UTC(2026, 10, 28, 18, 2, 55);
const contract = presetContract('messagebird-sms');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a request as MessageBird does: the URL, and the body if there is one. */
function signed(method: 'GET' | 'POST', query: string, body = '', key = secret): RequestParts {
  const seconds = Math.floor(now / 1000);
  const url = query === '' ? webhookUrl : `${webhookUrl}?${query}`;
  const claims = {
    iss: 'MessageBird',
    nbf: seconds,
    exp: seconds + 60,
    jti: 'd408af4a4ba6b1ab',
    url_hash: sha256(url),
    ...(body !== '' && { payload_hash: sha256(body) }),
  };
  const content = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  const token = `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
  return {
    method,
    rawQueryString: query,
    headers: {
      'messagebird-signature-jwt': token,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    // API Gateway passes a form on as base64.
    ...(body !== '' && { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }),
  };
}

const doubled =
  'receiver=12025550100&body=old+words&date=1690386569&reference=1&id=aa04&id=bb04&recipient=12025550100&originator=12025550104&body=STOP&createdDatetime=2026-11-28T18%3A02%3A52Z';
const shortCode =
  'shortcode=51515&message=STOP&mid=cc04&originator=12025550114&receive_datetime=20261128180252';
const report =
  'id=m04&reference=1&recipient=12025550104&status=delivered&statusDatetime=2026-11-28T18%3A02%3A50%2B00%3A00';

describe('a reply of MessageBird by POST', () => {
  it.each([
    ['POST', signed('POST', 'x=1', doubled)],
    ['GET', signed('GET', doubled)],
  ])(
    'or by %s is stored with the last of two ids and texts, and its STOP reaches the register',
    async (_, request) => {
      const pipeline = contractPipeline(contract, { secret, now });
      expect(await pipeline.post(request)).toMatchObject({ statusCode: 200 });
      await pipeline.deliver();
      expect(pipeline.quarantined).toEqual([]);
      expect(pipeline.replies).toMatchObject([
        {
          replyId: 'bb04',
          current: {
            from: '+12025550104',
            to: '+12025550100',
            text: 'STOP',
            occurredAt: '2026-11-28T18:02:52.000Z',
          },
        },
      ]);
      expect(pipeline.optOuts).toMatchObject([{ phone: '+12025550104' }]);
    },
  );

  it.each([['POST'], ['GET']] as const)('of a short code is stored by %s', async (method) => {
    const pipeline = contractPipeline(contract, { secret, now });
    const request = method === 'POST' ? signed('POST', '', shortCode) : signed('GET', shortCode);
    expect(await pipeline.post(request)).toMatchObject({ statusCode: 200 });
    await pipeline.deliver();
    expect(pipeline.quarantined).toEqual([]);
    expect(pipeline.replies).toMatchObject([
      {
        replyId: 'cc04',
        current: { from: '+12025550114', to: '51515', text: 'STOP', occurredAt: '2026-11-28T18:02:52.000Z' },
      },
    ]);
    expect(pipeline.optOuts).toMatchObject([{ phone: '+12025550114' }]);
  });

  it('leaves reports by GET as they were', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    expect(await pipeline.post(signed('GET', report))).toMatchObject({ statusCode: 200 });
    await pipeline.deliver();
    expect(pipeline.messages).toMatchObject([{ messageId: 'main/m04/12025550104' }]);
  });

  it('is rejected if the token covers another body, another URL, or only the URL', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    const { headers: ofUrl } = signed('POST', 'x=1');
    for (const forged of [
      { ...signed('POST', 'x=1', doubled), body: Buffer.from(`${doubled}x`).toString('base64') },
      { ...signed('POST', 'x=1', doubled), rawQueryString: 'x=2' },
      { ...signed('POST', 'x=1', doubled), headers: ofUrl ?? {} },
      signed('POST', 'x=1', doubled, 'another-key'),
    ])
      expect(await pipeline.post(forged)).toMatchObject({ statusCode: 401 });
    expect(pipeline.queued()).toEqual([]);
  });

  it('that is parked is verified later by the rules of a POST', async () => {
    const pipeline = contractPipeline(contract, { secret: 'the-old-key', now, parks: true });
    expect(await pipeline.post(signed('POST', 'x=1', doubled))).toMatchObject({ statusCode: 200 });
    expect(await pipeline.post(signed('GET', report))).toMatchObject({ statusCode: 200 });
    expect(pipeline.queued()).toMatchObject([
      { method: 'POST', unverified: {} },
      { method: 'GET', unverified: {} },
    ]);
    pipeline.storeSecret(secret);
    await pipeline.deliver();
    expect(pipeline.replies).toMatchObject([{ replyId: 'bb04' }]);
    expect(pipeline.messages).toMatchObject([{ messageId: 'main/m04/12025550104' }]);
    expect(pipeline.quarantined).toEqual([]);
  });

  it('that is captured is verified by the rules of a POST when it is replayed', async () => {
    const pipeline = contractPipeline(contract, { secret: 'the-old-key', now, captures: true });
    expect(await pipeline.post(signed('POST', 'x=1', doubled))).toMatchObject({ statusCode: 200 });
    await pipeline.deliver();
    const [entry] = pipeline.quarantined;
    expect(entry).toMatchObject({ reason: 'captured', method: 'POST' });
    pipeline.storeSecret(secret);
    expect(entry && pipeline.replay(entry)).toBeUndefined();
    await pipeline.deliver();
    expect(pipeline.replies).toMatchObject([{ replyId: 'bb04' }]);
  });

  it('that cannot be read keeps its method in quarantine, and a replay reads it as a POST', async () => {
    const strict = { ...contract, events: { ...contract.events, timeFormat: 'unix-seconds' as const } };
    const pipeline = contractPipeline(strict, { secret, now });
    await pipeline.post(signed('POST', 'x=1', doubled));
    await pipeline.deliver();
    const [entry] = pipeline.quarantined;
    expect(entry).toMatchObject({ reason: 'bad-time', method: 'POST' });
    const repaired = contractPipeline(contract, { secret, now });
    expect(entry && repaired.replay({ ...entry, identity: identityHash(contract) })).toBeUndefined();
    expect(repaired.queued()).toMatchObject([{ method: 'POST' }]);
    await repaired.deliver();
    expect(repaired.replies).toMatchObject([{ replyId: 'bb04' }]);
  });
});
