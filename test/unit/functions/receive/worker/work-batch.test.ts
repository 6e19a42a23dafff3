import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { createVerifier, headersRead } from '../../../../../contract/signature/verify.ts';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import type { VisibilityChange } from '../../../../../functions/base/sqs-queue.ts';
import { probeMessagePrefix } from '../../../../../functions/history/index.ts';
import { encodeEnvelope, unverifiedRequest } from '../../../../../functions/receive/envelope.ts';
import type { QueueMessage } from '../../../../../functions/receive/worker/read-batch.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { queued, queueMessage, receivedAt } from './queue-messages.ts';
import { failing, status, type WorkerParts, workerUnderTest } from './worker-under-test.ts';

const scheme = shippedContract.webhook.signature;
const url = 'https://example.test/webhooks/sms';
const [secret, newSecret] = ['whsec_b2xk', 'whsec_bmV3'];

function parked(messageId: string, key: string, receiveCount = 1): QueueMessage {
  const body = Buffer.from(JSON.stringify(status(`m-${messageId}`)));
  const now = Date.parse(receivedAt);
  const headers = signRequest(scheme, { body, id: `evt_${messageId}`, now, url }, key);
  const unverified = unverifiedRequest({ headers, url }, headersRead(scheme));
  const envelope = { requestId: `req_${messageId}`, receivedAt, body, unverified };
  return { ...queueMessage(messageId, encodeEnvelope(envelope)), receiveCount };
}

interface Parts extends WorkerParts {
  readonly current?: string;
  readonly isRotating?: boolean;
  readonly confirmedAt?: string;
  readonly visibilityFailures?: readonly string[];
}

/** The worker with the real admission of parked requests. */
function worker(parts: Parts = {}) {
  const { current = secret, isRotating = false, confirmedAt, visibilityFailures = [], ...replaced } = parts;
  const changes: VisibilityChange[] = [];
  const verified: (string | undefined)[] = [];
  const { messages, ...rest } = workerUnderTest({
    parked: (recorded) => ({
      verify: createVerifier(scheme, postedJson),
      state: {
        read: async () =>
          confirmedAt === undefined ? {} : { confirmed: { at: confirmedAt, versionId: 'v1' } },
      },
      secret: {
        read: async () => ({
          versionId: 'v1',
          document: {
            version: 1,
            current: { secret: current, since: receivedAt },
            ...(isRotating && { rotating: { since: receivedAt, by: 'a test', overlapMs: 0 } }),
          },
        }),
      },
      harmlessHeaders: [],
      visibility: {
        change: async (wanted, deadline) => {
          if (!deadline?.isOver()) changes.push(...wanted);
          return visibilityFailures;
        },
      },
      ...recorded,
    }),
    recordVerified: async (received) =>
      void verified.push(...received.map(({ envelope }) => envelope?.requestId)),
    ...replaced,
  });
  return { stored: () => messages.map(({ messageId }) => messageId), changes, verified, ...rest };
}

it('the worker keeps captured requests in quarantine, and counts and logs them apart from events that cannot be read', async () => {
  const { work, stored, quarantined, verified, counts, lines } = worker();
  const body = Buffer.from(JSON.stringify(status('m-1')));
  const captured = { method: 'POST', url, headers: { 'x-signature': 'abc' } };
  const envelope = { requestId: 'req_1', receivedAt, body, captured };
  expect(await work([queueMessage('1', encodeEnvelope(envelope))])).toEqual([]);
  expect([stored(), verified]).toEqual([[], []]);
  expect(quarantined).toMatchObject([{ reason: 'captured', requestId: 'req_1', raw: body, ...captured }]);
  expect(counts.get('capturedKept')).toBe(1);
  for (const metric of ['accepted', 'quarantined', 'parkedRefused', 'parkedVerified'] as const)
    expect(counts.has(metric)).toBe(false);
  expect(lines).toContainEqual({ name: 'CAPTURED_KEPT', fields: { requestId: 'req_1' } });
});

it('the worker keeps the hash of the contract with a body that cannot be read', async () => {
  const { work, quarantined } = worker();
  const body = Buffer.from(JSON.stringify([{ type: 'else' }]));
  const envelope = { requestId: 'req_1', receivedAt, body, contract: '0123456789ab' };
  await work([queueMessage('1', encodeEnvelope(envelope))]);
  expect(quarantined).toMatchObject([{ reason: 'unknown-kind', contract: '0123456789ab' }]);
});

describe('a batch', () => {
  it('stores verified and newly verified requests alike, keeps the rest parked and requests their redelivery soon', async () => {
    const { work, stored, changes, verified, lines, counts } = worker({ isRotating: true });
    expect(await work([queued('1', status('m-1')), parked('2', newSecret, 3), parked('3', secret)])).toEqual([
      '2',
    ]);
    expect(stored()).toEqual(['m-1', 'm-3']);
    // The parked one that is verified counts, and the one that is not does not: a stranger may have sent it.
    expect([counts.get('accepted'), counts.get('failingFor')]).toEqual([2, undefined]);
    expect(changes).toEqual([{ receiptHandle: 'receipt-2', seconds: 8 }]);
    expect(verified).toEqual(['req_1', 'req_3']);
    expect(lines).toContainEqual({ name: 'PARKED_WAITING', fields: { requests: 1 } });
  });

  it('counts requests of the service, and not the test event of `sms doctor`', async () => {
    const { work, verified, counts } = worker();
    const probe = `${probeMessagePrefix}1`;
    const unreadable = { type: 'else', data: { id: probe } };
    await work([queued('1', status(probe)), queued('2', status('m-2')), queued('3', [unreadable])]);
    expect([counts.get('accepted'), verified]).toEqual([1, ['req_2']]);
  });

  it('counts a request that has the id of a test event in a text, or beside other events', async () => {
    const { work, verified, counts } = worker();
    const probe = `${probeMessagePrefix}1`;
    const data = { id: 'r', from: '+12025550143', text: probe, occurred_at: '2026-01-15T12:00:05.000Z' };
    await work([queued('1', { type: 'sms.reply', data }), queued('2', [status(probe), status('m-2')])]);
    expect([counts.get('accepted'), verified]).toEqual([2, ['req_1', 'req_2']]);
  });

  it('has its parked requests redelivered at growing intervals of at most a minute', async () => {
    const { work, changes } = worker({ isRotating: true });
    await work([1, 2, 5, 6, 20, 1000].map((count) => parked(String(count), newSecret, count)));
    expect(changes.map(({ seconds }) => seconds)).toEqual([2, 4, 32, 60, 60, 60]);
  });

  it('has its rejected requests quarantined and not redelivered', async () => {
    const { work, stored, quarantined, changes, verified, counts, lines } = worker({
      confirmedAt: '2026-01-15T12:01:00.000Z',
    });
    expect(await work([parked('1', newSecret), queued('2', status('m-2'))])).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'signature-mismatch', requestId: 'req_1', url }]);
    expect([stored(), changes, verified]).toEqual([['m-2'], [], ['req_2']]);
    expect([counts.get('parkedRefused'), counts.get('quarantined')]).toEqual([1, undefined]);
    expect(lines).toContainEqual({ name: 'PARKED_REFUSED', fields: { requestId: 'req_1' } });
  });

  it('reports failed messages together with parked ones', async () => {
    const { work } = worker({ isRotating: true, storeMessage: () => Promise.reject(new Error('down')) });
    const batch = [queued('1', status('m-1')), parked('2', newSecret), parked('3', secret)];
    expect(await work(batch)).toEqual(['1', '2', '3']);
  });

  it('measures the age of the oldest queue message that was not stored or kept', async () => {
    const { work, counts } = worker({
      storeMessage: async ({ messageId, events }) => {
        if (messageId !== 'm-good') throw new Error('down');
        return { kind: 'stored', stored: events.size, repeated: 0, refused: [] };
      },
      quarantine: { keep: failing },
      confirmedAt: '2026-01-15T12:01:00.000Z',
    });
    const since = (time: string, message: QueueMessage) => ({
      ...message,
      firstReceivedAt: Date.parse(`2026-01-15T${time}.000Z`),
    });
    await work([
      since('10:00:00', queued('1', status('m-good'))),
      since('11:59:07', queued('2', status('m-2'))),
    ]);
    expect(counts.get('failingFor')).toBe(60_000);
    await work([since('11:50:07', parked('3', newSecret)), queued('4', status('m-4'))]);
    expect(counts.get('failingFor')).toBe(600_000);
  });

  it('keeps requests parked if their visibility cannot be changed', async () => {
    const { work, lines } = worker({
      isRotating: true,
      visibilityFailures: ['AccessDenied', 'TimeoutError'],
    });
    expect(await work([parked('1', newSecret)])).toEqual(['1']);
    expect(lines).toContainEqual({
      name: 'PARKED_WAITING',
      fields: { requests: 1, visibilityErrors: 'AccessDenied, TimeoutError' },
    });
  });

  it('starts no change of visibility that may exceed the deadline', async () => {
    const { work, changes } = worker({ isRotating: true });
    expect(
      await work(
        [parked('1', newSecret)],
        deadlineAt(0, () => 0),
      ),
    ).toEqual(['1']);
    expect(changes).toEqual([]);
  });
});
