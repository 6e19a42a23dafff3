import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ContractError, parseRules } from '../../../../contract/document/parse.ts';
import { identityHash } from '../../../../contract/events/body.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { encodeEnvelope } from '../../../../functions/receive/envelope.ts';
import { staticTokenJson } from '../../../support/contract-json.ts';
import { contractPipeline, webhookUrl } from '../../../support/contract-pipeline.ts';

const secret = 'invented-secret-0001';
const now = Date.UTC(2026, 0, 15, 12, 0, 5);

/** A signature over the URL and the body. */
const overUrl = {
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  signedContent: '{url}\n{body}',
  secret: { encoding: 'utf8' },
};
const overBody = { ...overUrl, signedContent: '{body}' };
const sign = (content: string) => ({
  'x-signature': createHmac('sha256', secret).update(content).digest('hex'),
});

/** Reports have all their values in the query. */
const fromQuery = {
  kind: "requestQuery.state && 'sms.status' || requestQuery.text && 'sms.reply'",
  status: {
    messageId: 'requestQuery.id',
    recipient: 'requestQuery.to',
    status: 'requestQuery.state',
    occurredAt: null,
  },
  reply: {
    replyId: 'requestQuery.id',
    from: 'requestQuery.from',
    text: 'requestQuery.text',
    occurredAt: null,
  },
};
/** The status and the id of the message are in the path. */
const fromPath = {
  kind: "requestPath[0] && 'sms.status'",
  status: { messageId: 'requestPath[1]', recipient: 'to', status: 'requestPath[0]', occurredAt: null },
};

const eventIds = ({ messages }: ReturnType<typeof contractPipeline>) =>
  new Set(messages.flatMap(({ events }) => [...events.keys()]));

const contractWith = (webhook: object, events: object): Contract =>
  parseRules(staticTokenJson(webhook, events));

function problemsOf(webhook: object, events: object): readonly string[] {
  try {
    contractWith(webhook, events);
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}

describe('a POST with its values in the query and an empty body', () => {
  const contract = contractWith(
    { signature: overUrl, bodyFormat: 'form', reads: { query: 'signed' } },
    fromQuery,
  );
  const query = 'id=m1&to=%2B12025550143&state=DELIVRD';

  it('is read, and two of them are two events', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    for (const rawQueryString of [query, query.replace('m1', 'm2')])
      expect(
        await pipeline.post({ rawQueryString, headers: sign(`${webhookUrl}?${rawQueryString}\n`) }),
      ).toMatchObject({ statusCode: 200 });
    await pipeline.deliver();
    expect(pipeline.quarantined).toEqual([]);
    expect(pipeline.messages).toMatchObject([{ messageId: 'm1' }, { messageId: 'm2' }]);
    expect(eventIds(pipeline).size).toBe(2);
  });

  it('is rejected if the query is another one', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    const headers = sign(`${webhookUrl}?${query}\n`);
    expect(await pipeline.post({ rawQueryString: `${query}x`, headers })).toMatchObject({ statusCode: 401 });
  });

  it('goes to quarantine with its query if that is not text in UTF-8, and so does an event without a kind', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    for (const rawQueryString of ['id=%ff&state=DELIVRD', 'id=m3'])
      await pipeline.post({ rawQueryString, headers: sign(`${webhookUrl}?${rawQueryString}\n`) });
    await pipeline.deliver();
    expect(pipeline.quarantined).toMatchObject([
      { reason: 'not-utf8', query: 'id=%ff&state=DELIVRD' },
      { reason: 'unknown-kind', query: 'id=m3' },
    ]);
    expect(pipeline.messages).toEqual([]);
  });

  it('is replayed from quarantine with its query', async () => {
    const strict = contractWith(
      { signature: overUrl, bodyFormat: 'form', reads: { query: 'signed' } },
      { ...fromQuery, status: { ...fromQuery.status, occurredAt: 'at' } },
    );
    const unread = contractPipeline(
      { ...strict, events: { ...strict.events, kind: 'nothing' } },
      { secret, now },
    );
    await unread.post({ rawQueryString: query, headers: sign(`${webhookUrl}?${query}\n`) });
    await unread.deliver();
    const [entry] = unread.quarantined;
    const repaired = contractPipeline(contract, { secret, now });
    expect(entry && repaired.replay({ ...entry, identity: identityHash(contract) })).toBeUndefined();
    await repaired.deliver();
    expect(repaired.messages).toMatchObject([{ messageId: 'm1' }]);
  });

  it('that is parked is read with its query once it is verified', async () => {
    const pipeline = contractPipeline(contract, { secret: 'the-old-secret', now, parks: true });
    await pipeline.post({ rawQueryString: query, headers: sign(`${webhookUrl}?${query}\n`) });
    pipeline.storeSecret(secret);
    await pipeline.deliver();
    expect(pipeline.messages).toMatchObject([{ messageId: 'm1' }]);
  });
});

it('an id of one’s own in the callback URL is read beside a JSON body', async () => {
  const contract = contractWith(
    { signature: overBody, reads: { query: 'unsigned' } },
    {
      id: { from: 'body', path: 'event' },
      status: { ...fromQuery.status, messageId: 'requestQuery.own', status: 'state' },
      kind: "'sms.status'",
    },
  );
  const pipeline = contractPipeline(contract, { secret, now });
  const body = '{"event":"e1","state":"DELIVRD"}';
  for (const rawQueryString of ['own=order-1', 'own=order-2'])
    expect(await pipeline.post({ rawQueryString, body, headers: sign(body) })).toMatchObject({
      statusCode: 200,
    });
  await pipeline.deliver();
  expect(pipeline.messages.map(({ messageId }) => messageId)).toEqual(['order-1', 'order-2']);
  // What is not signed changes no id.
  expect([...eventIds(pipeline)]).toEqual(['e1']);
});

describe('the path behind that of the webhook', () => {
  const contract = contractWith({ signature: overUrl, reads: { path: 'signed' } }, fromPath);

  it('is read, and is part of the URL that is verified', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    const url = `${webhookUrl}/DELIVRD/m%201`;
    const request = { path: 'DELIVRD/m 1', body: '{}', headers: sign(`${url}\n{}`) };
    expect(await pipeline.post(request)).toMatchObject({ statusCode: 200 });
    expect(await pipeline.post({ ...request, path: 'DELIVRD/m2' })).toMatchObject({ statusCode: 401 });
    await pipeline.deliver();
    expect(pipeline.messages).toMatchObject([{ messageId: 'm 1' }]);
  });

  it('is kept in quarantine', async () => {
    const pipeline = contractPipeline(contract, { secret, now });
    await pipeline.post({ path: '/m1', body: '{}', headers: sign(`${webhookUrl}//m1\n{}`) });
    await pipeline.deliver();
    expect(pipeline.quarantined).toMatchObject([{ reason: 'unknown-kind', path: '/m1' }]);
  });
});

it('a token in the query is in nothing that is queued or kept', async () => {
  const contract = contractWith(
    { signature: { scheme: 'token', query: 'token' }, bodyFormat: 'form', reads: { query: 'signed' } },
    fromQuery,
  );
  const pipeline = contractPipeline(contract, { secret, now });
  await pipeline.post({ rawQueryString: `id=m1&state=DELIVRD&token=${secret}` });
  await pipeline.post({ rawQueryString: `id=m2&token=${secret}` });
  const [first] = pipeline.queued();
  expect(first?.query).toBe('id=m1&state=DELIVRD&token=');
  expect(pipeline.queued().map(encodeEnvelope).join()).not.toContain(secret);
  await pipeline.deliver();
  expect(pipeline.messages).toMatchObject([{ messageId: 'm1' }]);
  expect(pipeline.quarantined).toMatchObject([{ reason: 'unknown-kind', query: 'id=m2&token=' }]);
});

it('nothing beside the body is queued by a contract that does not read it', async () => {
  const pipeline = contractPipeline(contractWith({ signature: overBody }, {}), { secret, now });
  await pipeline.post({ rawQueryString: 'a=1', body: '{}', headers: sign('{}') });
  expect(pipeline.queued().map((envelope) => Object.keys(JSON.parse(encodeEnvelope(envelope))))).toEqual([
    ['version', 'requestId', 'receivedAt', 'contract', 'bodyBase64'],
  ]);
});

describe('a contract is refused', () => {
  const body = { from: 'body', path: 'event' };
  it.each([
    [
      'a signed query that the signature does not cover',
      { signature: overBody, reads: { query: 'signed' } },
      { id: body },
      /^webhook\.reads\.query: expected "unsigned"/,
    ],
    [
      'a signed path that the signature does not cover',
      { signature: overBody, reads: { path: 'signed' } },
      { id: body },
      /^webhook\.reads\.path: expected "unsigned"/,
    ],
    [
      'a content with unsigned values as the id',
      { signature: overBody, reads: { query: 'unsigned' } },
      {},
      /^events\.id\.from: expected "body" or "signed-id": "webhook\.reads" has an unsigned query/,
    ],
    [
      'an unsigned value as the id',
      { signature: overBody, reads: { path: 'unsigned' } },
      { id: { from: 'body', path: 'requestPath[0]' } },
      /^events\.id\.path: expected a field of the body/,
    ],
    [
      'a content with the signature as the id',
      { signature: { ...overUrl, header: undefined, query: 'sig' }, reads: { query: 'signed' } },
      {},
      /^events\.id\.from: .*holds parts of the signature/,
    ],
    [
      'the query of a GET',
      {
        method: 'GET',
        bodyFormat: 'form',
        signature: { scheme: 'token', header: 'x-token' },
        reads: { query: 'signed' },
      },
      {},
      /^webhook\.reads\.query: expected nothing/,
    ],
  ])('for %s', (_, webhook, events, expected) => {
    expect(problemsOf(JSON.parse(JSON.stringify(webhook)), events)).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  it.each([
    [
      'the same method twice',
      { also: { method: 'POST', bodyFormat: 'form' } },
      /^webhook\.also\.method: expected the other method than POST/,
    ],
    [
      'JSON by GET',
      { also: { method: 'GET', bodyFormat: 'json' } },
      /^webhook\.also\.bodyFormat: expected "form"/,
    ],
    [
      'requests that anyone may send, beside signed ones',
      { also: { method: 'GET', bodyFormat: 'form', signature: { scheme: 'none', anyoneMayPost: true } } },
      /^webhook\.also\.signature: expected a scheme that uses the secret/,
    ],
    [
      'a second signature that covers no query',
      { also: { method: 'GET', bodyFormat: 'form', signature: { ...overBody, signedContent: '{host}' } } },
      /^webhook\.also\.signature\.signedContent: expected the query to be signed/,
    ],
  ])('for %s', (_, webhook, expected) => {
    expect(problemsOf(webhook, {})[0]).toMatch(expected);
  });
});

it('a source with two schemes verifies each method by its own', async () => {
  const contract = contractWith(
    {
      signature: { scheme: 'token', query: 'token' },
      method: 'GET',
      bodyFormat: 'form',
      also: { method: 'POST', bodyFormat: 'json', signature: overBody },
    },
    { status: { messageId: 'id', recipient: 'to', status: 'state', occurredAt: null } },
  );
  const pipeline = contractPipeline(contract, { secret, now });
  const query = `id=m1&state=DELIVRD&token=${secret}`;
  const body = '{"id":"r1","from":"+12025550143","text":"hello"}';
  expect(await pipeline.post({ method: 'GET', rawQueryString: query })).toMatchObject({ statusCode: 200 });
  expect(await pipeline.post({ body, headers: sign(body) })).toMatchObject({ statusCode: 200 });
  expect(await pipeline.post({ body, rawQueryString: `token=${secret}` })).toMatchObject({ statusCode: 401 });
  expect(await pipeline.post({ method: 'PUT', body })).toMatchObject({
    statusCode: 405,
    headers: { allow: 'GET, POST' },
  });
  expect(JSON.stringify(pipeline.queued())).not.toContain(secret);
  await pipeline.deliver();
  expect(pipeline.messages).toMatchObject([{ messageId: 'm1' }]);
  expect(pipeline.replies).toMatchObject([{ replyId: 'r1' }]);
});
