import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignatureContract } from '../../../../../contract/schema/contract-schema.ts';
import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { signature } from '../../../../../contract/schema/signature-schema.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { createTokenReader, createVerifier, headersRead } from '../../../../../contract/signature/verify.ts';
import { maskCredential } from '../../../../../contract/signature/webhook-request.ts';
import { maskCredentials } from '../../../../../functions/receive/captured-requests.ts';
import { encodeEnvelope, unverifiedRequest } from '../../../../../functions/receive/envelope.ts';
import type { ParkedDependencies } from '../../../../../functions/receive/worker/parked-requests.ts';
import type { QueueMessage } from '../../../../../functions/receive/worker/read-batch.ts';
import { createRecordVerified } from '../../../../../functions/receive/worker/record-verified.ts';
import { sortRequests } from '../../../../../functions/receive/worker/work-batch.ts';
import { createConfirmedByHand } from '../../../../../functions/registration/confirmed-by-hand.ts';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import { contracts, nestedContract, shippedContract } from '../../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';
import { queued, queueMessage, read, receivedAt } from './queue-messages.ts';

const url = 'https://example.test/webhooks/sms?a=1';
const at = Date.parse(receivedAt);
const later = (ms: number) => new Date(at + ms).toISOString();
const [oldSecret, newSecret, forger] = ['whsec_b2xk', 'whsec_bmV3', 'whsec_Zm9yZ2Vk'];
const standard = shippedContract.webhook.signature;

const documentWith = (secret: string, rest: Partial<SecretDocument> = {}): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-15T11:00:00.000Z' },
  ...rest,
});
const mark = { since: '2026-01-15T12:00:00.000Z', by: 'a test', overlapMs: 60_000 };

interface Signing {
  readonly key: string;
  readonly body?: string;
  readonly scheme?: SignatureContract;
  /** When it was signed; milliseconds since the epoch. */
  readonly signedAt?: number;
  /** Headers that the scheme does not read. */
  readonly unread?: Readonly<Record<string, string>>;
}

/** A queue message as ingest parks it. */
function parked(messageId: string, { key, body = '{}', scheme = standard, signedAt = at, unread }: Signing) {
  const bytes = Buffer.from(body);
  const request = { body: bytes, id: `evt_${messageId}`, now: signedAt, url };
  const headers = signRequest(scheme, request, key);
  const unverified = unverifiedRequest({ headers: { ...headers, ...unread }, url }, [
    ...headersRead(scheme),
    ...Object.keys(unread ?? {}),
  ]);
  return queueMessage(
    messageId,
    encodeEnvelope({ requestId: `req_${messageId}`, receivedAt, body: bytes, unverified }),
  );
}

interface Knowledge {
  readonly document?: SecretDocument;
  readonly confirmedAt?: string;
  readonly confirmedVersion?: string;
  readonly scheme?: SignatureContract;
  readonly readSecret?: () => Promise<never>;
  readonly readState?: () => Promise<never>;
}

function worker(knowledge: Knowledge = {}) {
  const {
    document,
    confirmedAt,
    confirmedVersion = 'v1',
    scheme = standard,
    readSecret,
    readState,
  } = knowledge;
  const reads: string[] = [];
  const { log, count, ...recorded } = recorder();
  const dependencies: ParkedDependencies = {
    verify: createVerifier(scheme, postedJson),
    tokenIn: createTokenReader(scheme, postedJson),
    state: {
      read: async () => {
        reads.push('state');
        if (readState !== undefined) return readState();
        return confirmedAt === undefined
          ? {}
          : { confirmed: { at: confirmedAt, versionId: confirmedVersion } };
      },
    },
    secret: {
      read: async () => {
        reads.push('secret');
        if (readSecret !== undefined) return readSecret();
        return document && { document, versionId: 'v1' };
      },
    },
    harmlessHeaders: scheme.scheme === 'hmac' ? headersRead(scheme) : [],
    visibility: { change: async () => [] },
    log,
    count,
  };
  const sort = async (messages: readonly QueueMessage[]) => {
    const { verified: admitted, waiting, quarantined } = await sortRequests(messages.map(read), dependencies);
    return {
      admitted: admitted.map(({ queueMessage: { messageId } }) => messageId),
      parked: waiting.map(({ messageId }) => messageId),
      rejected: quarantined.flatMap(({ queueMessages }) => [...queueMessages]),
      envelopes: admitted.map(({ envelope }) => envelope),
      entries: quarantined.map(({ makeEntry }) => makeEntry()),
    };
  };
  return { reads, sort, ...recorded };
}

const failing = async (): Promise<never> => {
  throw Object.assign(new Error('whsec_detail'), { name: 'TimeoutError' });
};

describe('a batch without parked requests', () => {
  it('is admitted unchanged, without reading the secret', async () => {
    const { sort, reads, counts } = worker({ readSecret: failing, readState: failing });
    const { admitted, envelopes } = await sort([queued('1', {}), queueMessage('2', 'no envelope')]);
    expect(admitted).toEqual(['1', '2']);
    expect(envelopes).toMatchObject([{ signedId: 'evt_1' }, undefined]);
    expect([reads, [...counts]]).toEqual([[], []]);
  });
});

describe('a parked request', () => {
  it('is admitted if it matches the newest secret, with the id that its signature covers', async () => {
    const { sort, counts } = worker({ document: documentWith(newSecret) });
    const { envelopes } = await sort([parked('1', { key: newSecret, body: '{"a":1}' })]);
    expect(envelopes).toEqual([
      { requestId: 'req_1', receivedAt, signedId: 'evt_1', body: Buffer.from('{"a":1}') },
    ]);
    expect([...counts]).toEqual([
      ['parkedVerified', 1],
      ['accepted', 1],
    ]);
  });

  it('is verified as of its receipt: replay window and previous secret', async () => {
    const previous = { secret: oldSecret, validUntil: later(1) };
    const { sort } = worker({ document: documentWith(newSecret, { previous }), confirmedAt: later(60_000) });
    expect(
      await sort([
        parked('in', { key: newSecret, signedAt: at - 300_000 }),
        parked('old', { key: oldSecret }),
        parked('out', { key: newSecret, signedAt: at - 301_000 }),
      ]),
    ).toMatchObject({ admitted: ['in', 'old'], rejected: ['out'] });
    const over = { secret: oldSecret, validUntil: receivedAt };
    const { sort: sortLater } = worker({
      document: documentWith(newSecret, { previous: over }),
      confirmedAt: later(60_000),
    });
    expect(await sortLater([parked('old', { key: oldSecret })])).toMatchObject({ rejected: ['old'] });
  });

  it.each([
    ['nothing was', undefined, 'parked'],
    ['before it came', later(-60_000), 'parked'],
    ['as it came', later(0), 'parked'],
    ['within the margin', later(5_000), 'parked'],
    ['past the margin', later(5_001), 'rejected'],
    ['what is no time', 'soon', 'parked'],
  ] as const)('that matches no secret, confirmed %s', async (_, confirmedAt, outcome) => {
    const { sort } = worker({
      document: documentWith(newSecret),
      ...(confirmedAt !== undefined && { confirmedAt }),
    });
    const { [outcome]: ids, admitted } = await sort([parked('forged', { key: forger })]);
    expect([ids, admitted]).toEqual([['forged'], []]);
  });

  it('remains parked if the stored secret is not the confirmed one', async () => {
    const { sort, counts } = worker({
      document: documentWith(oldSecret),
      confirmedAt: later(600_000),
      confirmedVersion: 'v2',
    });
    expect(
      await sort([
        parked('new', { key: newSecret }),
        parked('forged', { key: forger }),
        parked('old', { key: oldSecret }),
      ]),
    ).toMatchObject({ admitted: ['old'], parked: ['new', 'forged'], rejected: [] });
    expect([...counts]).toEqual([
      ['parkedVerified', 1],
      ['accepted', 1],
    ]);
  });

  it('that is forged does not stop the other requests of its batch, whatever URLs its body has within each other', async () => {
    const scheme = signature.parse({ scheme: 'token', query: 'token' });
    const { sort } = worker({ document: documentWith(newSecret), scheme, confirmedAt: later(60_000) });
    const withToken = (id: string, token: string, body: string) =>
      queueMessage(
        id,
        encodeEnvelope({
          requestId: `req_${id}`,
          receivedAt,
          body: Buffer.from(body),
          unverified: { headers: {}, url: `https://example.test/webhooks/sms?token=${token}` },
        }),
      );
    const sorted = await sort([
      withToken('genuine', newSecret, '{}'),
      withToken('forged', 'any', `a=${'http:?a='.repeat(1000)}`),
    ]);
    expect(sorted).toMatchObject({ admitted: ['genuine'], rejected: ['forged'] });
  });

  it('is quarantined on rejection with the evidence for an operator: whole body, URL and signature', async () => {
    const { sort, text } = worker({ document: documentWith(newSecret), confirmedAt: later(60_000) });
    const message = parked('1', { key: forger, body: '{"a":1}' });
    expect((await sort([message])).entries).toEqual([
      {
        reason: 'signature-mismatch',
        receivedAt,
        requestId: 'req_1',
        raw: Buffer.from('{"a":1}'),
        headers: read(message).envelope?.unverified?.headers,
        url,
      },
    ]);
    expect(text()).not.toMatch(/whsec|v1,/);
  });

  it('is quarantined without the header that carries the secret itself, even after the contract has changed', async () => {
    const token = nestedContract.webhook.signature;
    const confirmed = { document: documentWith(newSecret), confirmedAt: later(60_000) };
    const message = parked('1', { key: 'a-leaked-token', scheme: token });
    for (const scheme of [token, standard]) {
      const { entries } = await worker({ ...confirmed, scheme }).sort([message]);
      expect(entries).toMatchObject([{ reason: 'signature-mismatch', headers: {}, url }]);
      expect(JSON.stringify(entries)).not.toContain('leaked');
    }
  });

  it('needs no secret if the contract no longer requires a signature', async () => {
    const { sort, reads } = worker({ scheme: { scheme: 'none', anyoneMayPost: true } });
    expect(await sort([parked('1', { key: forger })])).toMatchObject({ admitted: ['1'] });
    expect(reads).toEqual([]);
  });
});

describe('a captured request', () => {
  const body = Buffer.from('{"a":1}');
  const signedWith = (key: string) => signRequest(standard, { body, id: 'evt_1', now: at, url }, key);
  const rest = { requestId: 'req_1', receivedAt, body, contract: '0123456789ab' };
  const confirmed = { document: documentWith(newSecret), confirmedAt: later(60_000) };

  it('is quarantined whole and never stored in history, even if its signature matches', async () => {
    const headers = { ...signedWith(newSecret), cookie: maskCredential('a', 'salt') };
    const captured = { method: 'POST', url, headers };
    const { sort, reads, counts } = worker(confirmed);
    expect(await sort([queueMessage('1', encodeEnvelope({ ...rest, captured })), queued('2', {})])).toEqual({
      admitted: ['2'],
      parked: [],
      rejected: ['1'],
      envelopes: [expect.anything()],
      entries: [
        {
          reason: 'captured',
          receivedAt,
          requestId: 'req_1',
          raw: body,
          method: 'POST',
          url,
          headers,
          contract: '0123456789ab',
        },
      ],
    });
    expect([reads, [...counts]]).toEqual([[], []]);
  });

  it('is admitted when it is redriven from quarantine and its signature matches as of its receipt', async () => {
    const unverified = { method: 'POST', url, headers: signedWith(newSecret), masked: true as const };
    const { sort } = worker(confirmed);
    const { envelopes } = await sort([queueMessage('1', encodeEnvelope({ ...rest, unverified }))]);
    expect(envelopes).toEqual([{ ...rest, signedId: 'evt_1', method: 'POST' }]);
  });

  it('is rejected with everything kept if its signature does not match: the contract may still be wrong', async () => {
    const headers = { ...signedWith(forger), 'x-other-signature': 'abc' };
    const unverified = { method: 'POST', url, headers, masked: true as const };
    const message = queueMessage('1', encodeEnvelope({ ...rest, unverified }));
    // Nothing is lost, so the worker does not wait until the service's secret is confirmed.
    const { sort } = worker({ document: documentWith(newSecret) });
    const { entries } = await sort([message]);
    expect(entries).toMatchObject([
      { reason: 'signature-mismatch', method: 'POST', url, headers, masked: true },
    ]);
    for (const known of [{ document: documentWith(oldSecret, { rotating: mark }) }, { readSecret: failing }])
      expect(await worker(known).sort([message])).toMatchObject({ parked: ['1'], rejected: [] });
  });

  it('is verified by a masked token, and a request that sends the masked form itself is rejected', async () => {
    const token = nestedContract.webhook.signature;
    const sent = signRequest(token, { body, id: '', now: at, url }, 'a-token');
    const headers = maskCredentials(
      { headers: sent, url, body, requestId: 'salt', receivedAt: at },
      { credentials: [], signatures: [], secrets: [] },
    );
    expect(JSON.stringify(headers)).not.toContain('a-token');
    const { sort } = worker({ ...confirmed, document: documentWith('a-token'), scheme: token });
    const replayed = {
      requestId: 'replayed',
      receivedAt,
      body,
      unverified: { url, headers, masked: true as const },
    };
    const plain = {
      ...replayed,
      requestId: 'plain',
      unverified: { url, headers: sent, masked: true as const },
    };
    const posted = { requestId: 'posted', receivedAt, body, unverified: { url, headers } };
    expect(
      await sort(
        [replayed, plain, posted].map((envelope) =>
          queueMessage(envelope.requestId, encodeEnvelope(envelope)),
        ),
      ),
    ).toMatchObject({ admitted: ['replayed', 'plain'], rejected: ['posted'] });
  });
});

describe('the stored secret and its confirmation', () => {
  it('are read once for each batch', async () => {
    const { sort, reads } = worker({ document: documentWith(newSecret), confirmedAt: later(60_000) });
    await sort(['1', '2', '3'].map((id) => parked(id, { key: id === '2' ? forger : newSecret })));
    expect(reads.toSorted()).toEqual(['secret', 'state']);
  });

  it.each([
    ['the state', { document: documentWith(newSecret), readState: failing }, 'TimeoutError'],
    ['the secret', { confirmedAt: later(60_000), readSecret: failing }, 'TimeoutError'],
    ['a secret that is gone', { confirmedAt: later(60_000) }, 'not-registered'],
    ['what is no Error', { readState: () => Promise.reject('no') }, 'unknown'],
  ])(
    'cannot be read: %s; all parked requests remain parked, and the other messages are admitted',
    async (_, knowledge, error) => {
      const { sort, lines, text } = worker(knowledge);
      expect(
        await sort([parked('new', { key: newSecret }), queued('2', {}), parked('forged', { key: forger })]),
      ).toMatchObject({ admitted: ['2'], parked: ['new', 'forged'], rejected: [] });
      expect(lines).toEqual([{ name: 'PARKED_UNDECIDED', fields: { error } }]);
      expect(text()).not.toContain('whsec');
    },
  );
});

describe('admitting requests', () => {
  const secrets = fc.constantFrom('current', 'previous', 'forged');

  it.each(contracts)(
    '$name: never admits a forged request, and never rejects a genuine one',
    async ({ contract, secret }) => {
      const scheme = contract.webhook.signature;
      const keys = { current: secret, previous: `${secret}MTIz`, forged: `${secret}NDU2` };
      await assertProperty(
        fc.asyncProperty(
          fc.array(secrets, { maxLength: 8 }),
          fc.boolean(),
          fc.option(fc.integer({ min: -20_000, max: 20_000 }), { nil: undefined }),
          async (signers, isRotating, confirmedMs) => {
            const previous = { secret: keys.previous, validUntil: later(60_000) };
            const { sort } = worker({
              scheme,
              document: documentWith(keys.current, { previous, ...(isRotating && { rotating: mark }) }),
              ...(confirmedMs !== undefined && { confirmedAt: later(confirmedMs) }),
            });
            const messages = signers.map((signer, index) =>
              parked(`${signer}-${index}`, { key: keys[signer], scheme }),
            );
            const { admitted, parked: waiting, rejected } = await sort(messages);
            const forged = messages.map(({ messageId }) => messageId).filter((id) => id.startsWith('forged'));
            expect(admitted).toEqual(
              messages.map(({ messageId }) => messageId).filter((id) => !id.startsWith('forged')),
            );
            const isOver = !isRotating && confirmedMs !== undefined && confirmedMs > 5_000;
            expect([waiting, rejected]).toEqual(isOver ? [[], forged] : [forged, []]);
          },
        ),
      );
    },
  );
});

describe('without registration', () => {
  it('nothing is confirmed while no secret is stored', async () => {
    expect(await createConfirmedByHand({ read: async () => undefined }, () => at).read()).toEqual({});
  });

  it('the stored secret counts as confirmed as of the time before it was read', async () => {
    const time = { now: at };
    const read = async () => {
      time.now += 60_000;
      return { document: documentWith(newSecret), versionId: 'v1' };
    };
    const { confirmed } = await createConfirmedByHand({ read }, () => time.now).read();
    expect(confirmed).toEqual({ at: receivedAt, versionId: 'v1' });
  });
});

const receivedWith = (body: string, second: number) => {
  const envelope = { requestId: 'r', receivedAt: later(1_000 * second), body: Buffer.from(body) };
  return read(queueMessage(String(second), encodeEnvelope(envelope)));
};
const received = (...seconds: number[]) => seconds.map((second) => receivedWith('', second));

function instance(recordVerified: (newest: string) => Promise<void>) {
  const time = { now: 0 };
  const { log, lines } = recorder();
  return { time, lines, record: createRecordVerified({ recordVerified }, () => time.now, log) };
}

it('the worker records the newest verified request of a batch, at most once a minute', async () => {
  const written: string[] = [];
  const { time, record } = instance(async (newest) => void written.push(newest));
  await record(received(2, 4, 3));
  time.now = 59_999;
  await record(received(5));
  expect(written).toEqual([later(4_000)]);
  time.now = 60_000;
  await record(received(6));
  expect(written).toEqual([later(4_000), later(6_000)]);
});

it('the worker records nothing if the batch has no verified request of the service, and may still record one within the minute', async () => {
  const written: string[] = [];
  const { record } = instance(async (newest) => void written.push(newest));
  await record([]);
  await record([read(queueMessage('q', 'no envelope'))]);
  expect(written).toEqual([]);
  await record(received(1));
  expect(written).toEqual([later(1_000)]);
});

it('a failed record of the last verified request does not fail the batch, and is not retried at once', async () => {
  let tries = 0;
  const { record, lines } = instance(async () => {
    tries += 1;
    throw Object.assign(new Error('detail'), { name: 'TimeoutError' });
  });
  await record(received(1));
  await record(received(2));
  expect(tries).toBe(1);
  expect(lines).toEqual([{ name: 'VERIFIED_NOT_RECORDED', fields: { error: 'TimeoutError' } }]);
});

describe('a parked request with a token in its query or its body', () => {
  const token = 'a-token-of-hooks';
  const posted = { url: `${url}&token=${token}`, body: Buffer.from(`{"id":"m1","token":"${token}"}`) };
  const message = (unverified: object = {}) =>
    queueMessage(
      '1',
      encodeEnvelope({
        requestId: 'req_1',
        receivedAt,
        body: posted.body,
        unverified: { headers: {}, url: posted.url, ...unverified },
      }),
    );
  const written = (entry: object | undefined, body: Uint8Array | undefined) =>
    `${JSON.stringify(entry)} ${Buffer.from(body ?? []).toString()}`;

  it.each(['query', 'body'])('is admitted without the token in the body: %s', async (place) => {
    const scheme = signature.parse({ scheme: 'token', [place]: 'token' });
    const { sort } = worker({ scheme, document: documentWith(token), confirmedAt: later(120_000) });
    const { envelopes } = await sort([message()]);
    expect(written({}, envelopes[0]?.body)).toBe('{} {"id":"m1","token":""}');
  });

  it.each(['query', 'body'])('is quarantined without the token: %s', async (place) => {
    const scheme = signature.parse({ scheme: 'token', [place]: 'token' });
    const known = { scheme, document: documentWith('another-token'), confirmedAt: later(120_000) };
    const { entries } = await worker(known).sort([message()]);
    expect(entries).toMatchObject([{ reason: 'signature-mismatch', url: `${url}&token=` }]);
    expect(written(entries[0], entries[0]?.raw)).not.toContain(token);
  });
});
