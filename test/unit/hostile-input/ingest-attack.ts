import assert from 'node:assert/strict';
import { contractHash } from '../../../contract/events/body.ts';
import { postedJson } from '../../../contract/schema/request-form.ts';
import { createVerifier, headersRead } from '../../../contract/signature/verify.ts';
import { createCapture } from '../../../functions/receive/captured-requests.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from '../../../functions/receive/envelope.ts';
import {
  maxBodyBytes,
  type ReceiveDependencies,
  receive,
} from '../../../functions/receive/ingest/receive.ts';
import { createRejectionPolicy } from '../../../functions/receive/ingest/rejection-policy.ts';
import type { SecretDocument } from '../../../functions/registration/secret/secret-document.ts';
import { createSecretCache } from '../../../functions/registration/secret/webhook-secret-store.ts';
import { httpApiEvent } from '../../../tools/support/lambda-events.ts';
import { type ForgedRequest, type IngestAttempt, ingestAttempts, requestOf } from './ingest-requests.ts';
import { type Attack, attackedBy, expiredSecret, startedAt, type Target, webhookUrl } from './targets.ts';
import { assertHoldsNothingPrivate, createWatch } from './watch.ts';

const toleranceMs = 300_000;
/** The largest message SQS takes, in bytes. */
const largestQueueMessage = 1_048_576;

/** Instances of ingest, one a contract, that live as long as the attack and outside a rotation. */
export function ingestAttack(): Attack<IngestAttempt> {
  return { attempts: ingestAttempts, attempt: attackedBy(instance) };
}

function instance(target: Target) {
  const time = { now: startedAt };
  const clock = () => time.now;
  const made = { reads: 0, signals: 0 };
  const given: { sent: Envelope[]; queueFails: boolean } = { sent: [], queueFails: false };
  const watch = createWatch();
  const { log, count } = watch;
  const document: SecretDocument = {
    version: 1,
    current: { secret: target.secret, since: '2026-01-15T11:00:00.000Z' },
    previous: { secret: expiredSecret, validUntil: new Date(startedAt).toISOString() },
    retired: [{ secret: expiredSecret, until: new Date(startedAt).toISOString() }],
  };
  const readStore = async () => {
    made.reads += 1;
    return { document };
  };
  const signals = {
    send: async () => {
      made.signals += 1;
    },
  };
  const { signature, acknowledge } = target.contract.webhook;
  const cache = createSecretCache(readStore, { wall: clock, monotonic: clock }, log);
  const verify = createVerifier(signature, postedJson);
  const read = headersRead(signature);
  const policy = createRejectionPolicy({
    cache,
    verify,
    park: 'rotating',
    headersRead: read,
    capture: createCapture({ until: '', credentials: [], signatures: read }),
    signals,
    clock,
    log,
    count,
  });
  const dependencies: ReceiveDependencies = {
    verify,
    secrets: { cache, policy },
    queue: {
      send: async (body) => {
        if (given.queueFails) throw new Error('the queue of the attack fails');
        const envelope = decodeEnvelope(body);
        assert(envelope !== undefined, 'ingest queued what is no envelope');
        given.sent.push(envelope);
      },
    },
    clock,
    log,
    count,
    webhookUrl,
    acknowledge,
    contract: contractHash(target.contract),
  };

  return async (attempt: IngestAttempt): Promise<string> => {
    time.now += attempt.gapMs;
    given.sent = [];
    given.queueFails = attempt.queueFails;
    watch.open();
    const forged = requestOf(attempt, time.now);
    const event = { ...httpApiEvent(forged.parts), rawPath: forged.path };
    if (forged.parts.headers === undefined) Reflect.deleteProperty(event, 'headers');
    const { statusCode = 200, headers = {}, body = '' } = await receive(event, dependencies);

    const isAnswered = statusCode === 503 ? attempt.queueFails : statusCode < 500;
    assert(isAnswered, `answered ${statusCode} with a queue that works: ${watch.lines}`);
    assert([acknowledge.status, 401, 405, 413, 503].includes(statusCode), `answered ${statusCode}`);
    assertHoldsNothingPrivate('the answer', JSON.stringify([headers, body]));
    assert(
      Object.values(headers).every((value) => /^[\w/-]+$/.test(String(value))),
      'a header of the answer came from outside',
    );
    assert.equal(given.sent.length, statusCode === acknowledge.status ? 1 : 0, 'queued and answer differ');
    for (const envelope of given.sent) assertIsSigned(envelope, forged, target, time.now);
    assertAccepts(attempt, statusCode, forged);
    const seconds = (time.now - startedAt) / 1000;
    assert(made.reads <= 1 + seconds * 2, `${made.reads} readings of the secret in ${seconds} s`);
    assert(made.signals <= 2 + seconds / 5 + seconds / 60, `${made.signals} signals in ${seconds} s`);
    watch.close();
    return String(statusCode);
  };
}

/** Fails where a request was queued that the service did not send: word for word, within the window, with its secret. */
function assertIsSigned(
  envelope: Envelope,
  { signed, parts }: ForgedRequest,
  target: Target,
  now: number,
): void {
  assert.equal(envelope.unverified, undefined, 'parked outside a rotation');
  assert(signed !== undefined, 'queued, and not signed with the secret');
  assert(encodeEnvelope(envelope).length <= largestQueueMessage, 'larger than SQS takes');
  if (target.name === 'nested') {
    const given = Object.entries(parts.headers ?? {}).filter(([name]) => /^authorization$/i.test(name));
    assert.equal(given.at(-1)?.[1], `Token ${target.secret}`, 'queued with another token');
    return;
  }
  assert(signed.body.equals(envelope.body), 'queued with a body that was not signed');
  if (target.name === 'form') return;
  assert.equal(envelope.signedId, signed.id, 'queued with an id that was not signed');
  assert(Math.abs(now - Number(signed.timestamp) * 1000) <= toleranceMs, 'queued outside the window');
}

/** Fails where an untouched request of the service is not taken: an attack that everything fails proves nothing. */
function assertAccepts(attempt: IngestAttempt, statusCode: number, { arrives }: ForgedRequest): void {
  const isUntouched =
    attempt.mutations.length === 0 &&
    attempt.signer === 'current' &&
    attempt.method === 'POST' &&
    attempt.noise.length === 0 &&
    Math.abs(attempt.ageSeconds) < toleranceMs / 1000 &&
    /^[\w-]+$/.test(attempt.id);
  if (!isUntouched) return;
  if (arrives.length > maxBodyBytes) assert.equal(statusCode, 413, 'too large a body was taken');
  else if (attempt.queueFails) assert.equal(statusCode, 503, 'acknowledged without the queue');
  else assert(statusCode < 300, `a genuine request was answered ${statusCode}`);
}
