import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../contract/document/parse.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { systemPorts } from '../../../../functions/base/http-client.ts';
import { createAccountWebhook } from '../../../../functions/registration/services/account-webhook.ts';
import {
  contracts,
  formContract,
  formContractJson,
  nestedContract,
  shippedContract,
} from '../../../../tools/support/contracts.ts';
import { apiKey, type Delivered, startReceiver, startSandbox } from './sandbox-under-test.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

const status = (messageId: string, word = 'delivered') => ({
  kind: 'sms.status',
  fields: { messageId, recipient: '+12025550143', status: word, occurredAt: '2026-01-15T12:00:05.000Z' },
});

/** A sandbox, at a time that stands still, whose webhook is a receiver; it never waits. */
async function startBoth(
  decide?: Parameters<typeof startReceiver>[0],
  contract = shippedContract,
  sleep: (ms: number) => Promise<unknown> = async () => undefined,
) {
  const receiver = await startReceiver(decide);
  const sandbox = await startSandbox({ clock: () => now, sleep }, contract);
  const { token } = contract.service;
  const client = createAccountWebhook({ baseUrl: sandbox.url, token, apiKey, ports: systemPorts });
  const set = await client.set(receiver.url);
  const secret = set.kind === 'ok' ? (set.value.secret ?? '') : '';
  return {
    receiver,
    sandbox,
    client,
    secret,
    send: (body: unknown, query = '') => sandbox.call('POST', `/sandbox/events${query}`, body),
  };
}

const single = (headers: Delivered['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe.each(contracts)('signed events of the $name contract', ({ contract }) => {
  it('are verified with the secret of the webhook, and are parsed to the requested events', async () => {
    const { receiver, secret, send } = await startBoth(undefined, contract);
    const reply = {
      kind: 'sms.reply',
      fields: { from: '+12025550143', text: 'héllo & bye 👋', occurredAt: '2026-01-15T12:00:05.000Z' },
    };
    const fields = {
      messageId: 'm1',
      recipient: '+12025550143',
      status: 'delivered',
      occurredAt: '2026-01-15T12:00:05.000Z',
    };
    expect(await send([{ kind: 'sms.status', fields }, reply], '?concurrency=1')).toMatchObject({
      status: 200,
      json: { sent: 2, accepted: 2, attempts: 2, failed: [] },
    });

    const verify = createVerifier(contract.webhook.signature, postedJson);
    const map = createMapper(contract);
    const events = receiver.deliveries.map(({ headers, body }) => {
      const verdict = verify({ headers: single(headers), body, url: receiver.url }, [secret], now);
      expect(verdict).toMatchObject({ kind: 'verified' });
      return map(body, verdict.kind === 'verified' ? verdict.signedId : '', new Date(now).toISOString()).map(
        (mapped) => mapped.kind === 'event' && mapped.event,
      );
    });
    expect(events).toMatchObject([
      [{ kind: 'sms.status', messageId: 'm1', status: 'delivered', phone: '+12025550143' }],
      [{ kind: 'sms.reply', from: '+12025550143', text: 'héllo & bye 👋' }],
    ]);
  });
});

describe('repeats, order and retries', () => {
  it('the sandbox sends the same copies in the same order for the same seed, and in the given order without shuffling', async () => {
    const orders: string[] = [];
    for (const query of ['?seed=1&shuffle=true', '?seed=1&shuffle=true', '?seed=2&shuffle=true', '?seed=1']) {
      const { receiver, send } = await startBoth();
      await send(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => status(`m${n}`)),
        `${query}&concurrency=1&repeats=1`,
      );
      orders.push(receiver.deliveries.map(({ body }) => /m\d/.exec(body.toString())?.[0]).join(' '));
    }
    const [first, again, otherSeed, inOrder = ''] = orders;
    expect(again).toBe(first);
    expect(otherSeed).not.toBe(first);
    expect([...new Set(inOrder.split(' '))].join('')).toBe('m1m2m3m4m5m6m7m8');
    expect(inOrder.split(' ')).toEqual(inOrder.split(' ').sort());
  });

  it('the sandbox signs each attempt with the current secret, and sends nothing after the webhook is deactivated', async () => {
    const late: { deactivate?: () => Promise<unknown> } = {};
    const { receiver, client, send } = await startBoth(
      () => 503,
      shippedContract,
      async () => late.deactivate?.(),
    );
    late.deactivate = () => client.deactivate();
    expect((await send([status('m1')])).json).toMatchObject({
      accepted: 0,
      failed: [{ event: 0, status: 'network', at: 0 }],
    });
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('an event with a time, an id, a body or a forged signature', () => {
  const verify = createVerifier(shippedContract.webhook.signature, postedJson);
  const at = '2025-12-16T09:30:00.000Z';

  it('is signed at its time with its id, and names the time for the HTTP API of a local run', async () => {
    const { receiver, secret, send } = await startBoth();
    await send([{ ...status('m1'), at, id: 'evt_1' }]);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = receiver.deliveries;
    const request = { headers: single(headers), body, url: receiver.url };
    expect(verify(request, [secret], Date.parse(at))).toEqual({ kind: 'verified', signedId: 'evt_1' });
    expect(verify(request, [secret], now)).toMatchObject({ reason: 'timestamp-outside-window' });
    expect(headers['local-clock']).toBe(at);
  });

  it('is sent as its body says, and with a signature that matches no secret where it is forged', async () => {
    const { receiver, secret, send } = await startBoth();
    await send(
      [
        { kind: 'body', body: '{"type":"sms.other"}' },
        { ...status('m1'), isForged: true },
      ],
      '?concurrency=1',
    );
    const verdicts = receiver.deliveries.map(({ headers, body }) =>
      verify({ headers: single(headers), body, url: receiver.url }, [secret], now),
    );
    expect(receiver.deliveries[0]?.body.toString()).toBe('{"type":"sms.other"}');
    expect(verdicts).toMatchObject([{ kind: 'verified' }, { reason: 'signature-mismatch' }]);
  });
});

const withSignature = (signature: object): Contract =>
  parseContract({ ...formContractJson, webhook: { ...formContract.webhook, signature } });
const ed25519 = withSignature({
  scheme: 'public-key',
  algorithm: 'ed25519',
  encoding: 'base64',
  header: 'X-Signature',
  signedContent: '{body}',
});
const jwt = withSignature({
  scheme: 'jwt',
  algorithm: 'HS256',
  header: 'Authorization',
  prefix: 'Bearer ',
  secret: { encoding: 'hex' },
  payloadHash: { claim: 'payload_hash', algorithm: 'sha256', encoding: 'hex' },
});

it.each([
  ['hmac', 'public-key', shippedContract, ed25519],
  ['public-key', 'jwt', ed25519, jwt],
  ['jwt', 'token', jwt, nestedContract],
])(
  'after a change of the contract from %s to %s, events are signed with the secret that "read webhook" returns',
  async (_from, _to, before, after) => {
    const { service } = shippedContract;
    const { receiver, sandbox, client, secret, send } = await startBoth(undefined, { ...before, service });
    const isRenewed = sandbox.useContract({ ...after, service });
    expect(await send([status('m1')])).toMatchObject({ status: 200, json: { accepted: 1 } });
    const read = await client.read();
    const newest = read.kind === 'ok' ? (read.value.secret ?? '') : '';
    expect(newest !== secret).toBe(isRenewed);
    const verify = createVerifier(after.webhook.signature, postedJson);
    const [delivered] = receiver.deliveries;
    if (delivered === undefined) throw new Error('nothing was delivered');
    const { headers, body } = delivered;
    const verdict = verify({ headers: single(headers), body, url: receiver.url }, [newest], now);
    expect(verdict).toMatchObject({ kind: 'verified' });
  },
);

it('events that are dropped are never posted, and lookups know their messages', async () => {
  const { receiver, sandbox, send } = await startBoth();
  await sandbox.call('PUT', '/sandbox/faults', { dropEvents: 1 });
  expect((await send([status('m1')])).json).toMatchObject({ sent: 0, failed: [] });
  expect(receiver.deliveries).toEqual([]);
  expect((await sandbox.call('GET', '/sandbox/messages')).json).toMatchObject({
    data: [{ id: 'm1', status: 'delivered' }],
  });
});

describe.each(contracts)('a message to the sandbox of the $name contract', ({ contract }) => {
  it('is reported as sent, and then with the asked status', async () => {
    const { receiver, sandbox } = await startBoth(undefined, contract);
    const body = { to: '+12025550143', status: 'undelivered' };
    const { status, json } = await sandbox.call('POST', '/sandbox/messages', body);
    expect([status, json]).toEqual([200, expect.objectContaining({ accepted: 2, failed: [] })]);
    const map = createMapper(contract);
    const events = receiver.deliveries.flatMap(({ body }) => map(body, '', new Date(now).toISOString()));
    const { messageId } = json as { messageId: string };
    const report = { messageId, phone: '+12025550143' };
    expect(events.map((mapped) => mapped.kind === 'event' && mapped.event)).toMatchObject([
      { ...report, status: 'sent' },
      { ...report, status: 'undelivered' },
    ]);
  });
});

it.each(['queued', 'sent', 'no-listed-word'])('a message that stays %s is reported once', async (word) => {
  const { receiver, sandbox } = await startBoth();
  const body = { to: '+12025550143', status: word };
  expect((await sandbox.call('POST', '/sandbox/messages', body)).json).toMatchObject({
    sent: 1,
    accepted: 1,
  });
  const map = createMapper(shippedContract);
  const events = receiver.deliveries.flatMap(({ body }) => map(body, '', new Date(now).toISOString()));
  expect(events).toMatchObject([{ event: { status: word } }]);
});

it.each([
  ['without a number', {}, 'to'],
  ['to a text that is no number in E.164', { to: '2025550143' }, 'to'],
  ['with a field that does not exist', { to: '+12025550143', text: 'Hello' }, 'text'],
])('a message %s is refused, and the field is named', async (_, body, path) => {
  const { receiver, sandbox } = await startBoth();
  const { status, json } = await sandbox.call('POST', '/sandbox/messages', body);
  expect([status, json]).toMatchObject([422, { error: { problems: [{ path }] } }]);
  expect(receiver.deliveries).toEqual([]);
});

it('a message that fails is reported with its error and its send', async () => {
  const { receiver, sandbox } = await startBoth();
  const error = { errorCode: '30003', errorText: 'handset unreachable' };
  const body = { to: '+12025550143', status: 'undelivered', sendId: 'send-1', ...error };
  await sandbox.call('POST', '/sandbox/messages', body);
  const map = createMapper(shippedContract);
  const last = receiver.deliveries.flatMap(({ body }) => map(body, '', new Date(now).toISOString())).at(-1);
  expect(last).toMatchObject({ event: { status: 'undelivered', sendId: 'send-1', ...error } });
});
