import assert from 'node:assert/strict';
import { createMapper } from '../../../contract/events/mapping.ts';
import { postedJson } from '../../../contract/schema/request-form.ts';
import { createVerifier, headersRead } from '../../../contract/signature/verify.ts';
import { deadlineAt } from '../../../functions/base/basics.ts';
import { type StoreOutcome, upsertMessage } from '../../../functions/history/history-write-store.ts';
import { replyItem } from '../../../functions/history/reply-item.ts';
import { encodeEnvelope } from '../../../functions/receive/envelope.ts';
import { bodyOfEvent } from '../../../functions/receive/quarantine/body-of-event.ts';
import { quarantineKey } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { type WorkDependencies, workBatch } from '../../../functions/receive/worker/work-batch.ts';
import type { SecretDocument } from '../../../functions/registration/secret/secret-document.ts';
import { keywordOf } from '../../../tools/support/keywords.ts';
import {
  type Attack,
  attackedBy,
  expiredSecret,
  startedAt,
  type Target,
  type TargetName,
} from './targets.ts';
import { createWatch } from './watch.ts';
import { messageOf, receivedAt, requestId, type WorkerAttempt, workerAttempts } from './worker-messages.ts';

const settings = { retentionDays: 400, listShards: 16 };
const generation = '010203040506';
/** The clock of a service may be five minutes ahead. */
const latestSaidAt = new Date(startedAt + 300_000).toISOString();

/** A genuine report of each contract, which must be stored whatever comes in the same batch. */
const witnesses: Readonly<Record<TargetName, string>> = {
  shipped:
    '{"type":"sms.status","data":{"id":"witness","status":"sent","occurred_at":"2026-01-15T12:00:05Z"}}',
  form: 'EventSid=EW&MessageSid=witness&MessageStatus=done&Time=1768478405',
  nested:
    '{"payload":{"batches":[{"items":[{"type":"DLR","ts":1768478405000,"report":{"ref":"witness","state":"DELIVRD"}}]}]}}',
};

/** The worker of each contract, given one hostile message beside a genuine one. */
export function workerAttack(): Attack<WorkerAttempt> {
  return { attempts: workerAttempts, attempt: attackedBy(worker) };
}

function worker(target: Target) {
  const { contract } = target;
  const { signature } = contract.webhook;
  const map = createMapper(contract);
  const document: SecretDocument = {
    version: 1,
    current: { secret: target.secret, since: '2026-01-15T11:00:00.000Z' },
    // Accepted until a moment before the attack.
    retired: [{ secret: expiredSecret, until: new Date(startedAt - 1).toISOString() }],
  };
  const witness = encodeEnvelope({
    requestId: 'req-witness',
    receivedAt,
    signedId: 'evt-witness',
    body: Buffer.from(witnesses[target.name]),
  });
  const watch = createWatch();
  const { log, count, check } = watch;
  let attempt: WorkerAttempt | undefined;
  let seen = { messages: new Set<string>(), history: 0, quarantined: 0 };

  function store(events: number): StoreOutcome {
    // The attack's events may be rejected among a batch's events of one message; they are redelivered alone.
    if (attempt?.isUnstorable) return { kind: 'unstorable' };
    seen.history += events;
    return { kind: 'stored', stored: events, repeated: 0, refused: [] };
  }

  const dependencies: WorkDependencies = {
    parked: {
      verify: createVerifier(signature, postedJson),
      state: {
        read: async () =>
          attempt?.isConfirmed ? { confirmed: { at: '2026-01-15T13:00:00.000Z', versionId: 'v1' } } : {},
      },
      secret: { read: async () => ({ versionId: 'v1', document }) },
      harmlessHeaders: signature.scheme === 'hmac' ? headersRead(signature) : [],
      visibility: { change: async () => [] },
      log,
      count,
    },
    recordVerified: undefined,
    map,
    bodyOf: (event, request) => bodyOfEvent(event, contract, map, request),
    source: 'main',
    history: {
      storeMessage: async (message) => {
        const { ExpressionAttributeNames: names = {}, Key } = upsertMessage(message, generation, settings);
        check(() => assertIsKey(Key?.pk?.S, 'message#'));
        check(() => assertAreNames(Object.values(names)));
        seen.messages.add(message.messageId);
        return store(message.events.size);
      },
      storeReply: async (reply) => {
        const item = replyItem(reply, generation, 0, settings);
        check(() => assertIsKey(item.pk?.S, 'reply#'));
        check(() => assertAreNames(Object.keys(item)));
        const outcome = store(1 + reply.olderVersions.size);
        return outcome.kind === 'stored' ? { ...outcome, reply } : outcome;
      },
    },
    optOuts: {
      record: async (...statements) => {
        for (const { at } of statements)
          check(() => assert(at <= latestSaidAt, 'an opt-out of a time ahead'));
      },
    },
    keywordOf,
    quarantine: {
      keep: async (entry) => {
        const { pk } = quarantineKey(entry, settings);
        check(() => assert.match(pk, /^[+\d-]{10,13}(?:#\d+)?$/));
        check(() =>
          assert(!JSON.stringify(entry.headers ?? {}).includes(target.secret), 'a secret in quarantine'),
        );
        if (entry.requestId !== 'req-witness') seen.quarantined += 1;
      },
    },
    observeDrift: async () => {},
    clock: () => startedAt,
    log,
    count,
  };

  return async (next: WorkerAttempt): Promise<string> => {
    attempt = next;
    seen = { messages: new Set(), history: 0, quarantined: 0 };
    const { text, mayCount } = messageOf(next);
    const queueMessage = (messageId: string, body: string, receiveCount: number) => ({
      messageId,
      receiptHandle: messageId,
      receiveCount,
      body,
      sentAt: startedAt,
      firstReceivedAt: startedAt,
    });
    const batch = [queueMessage(requestId, text, next.receiveCount), queueMessage('witness', witness, 1)];
    watch.open();
    const failed = await workBatch(batch, dependencies, deadlineAt(Date.now() + 20_000, Date.now));

    watch.close();
    assert(!failed.has('witness'), `a genuine message fails beside the hostile one: ${watch.lines}`);
    assert(seen.messages.has('witness'), 'a genuine message is lost beside the hostile one');
    const witnessed = next.isUnstorable ? 0 : 1;
    const stored = seen.history - witnessed;
    if (!mayCount) assert(stored <= 0, 'history holds what the service did not sign');
    if (failed.has(requestId)) {
      assert(next.as === 'parked' && !next.isConfirmed, `comes again although nothing fails: ${watch.lines}`);
      assert.equal(stored + seen.quarantined, 0, 'comes again and was stored');
      return 'parked';
    }
    if (stored > 0 && seen.quarantined > 0) return 'stored and quarantined';
    if (stored > 0) return 'stored';
    assert(seen.quarantined > 0 || isRepeat(next), 'dropped: neither stored nor kept in quarantine');
    return 'quarantined';
  };
}

/** The hostile event has the id of the genuine one: it counts as its repeat. */
function isRepeat({ id, body }: WorkerAttempt): boolean {
  return id === 'evt-witness' || Buffer.from(body).includes('witness');
}

const names =
  /^(?:pk|messageId|phone|phoneAsWritten|sendId|sendList|firstSeenAt|status|rank|final|statusAt|word|error(?:Code|Reason|Text)|listName|listedAt|reportCount|report#.*|generation|expiresAt|replyId|eventId|from|to|text|occurredAt|receivedAt|original|version#.*|channel|media|parts|timeIs|unread|quiet|importedBy)$/s;

function assertAreNames(attributes: readonly string[]): void {
  for (const name of attributes) assert.match(name, names, 'an unknown attribute');
}

function assertIsKey(key: string | undefined, prefix: string): void {
  assert(key?.startsWith(prefix) && key.isWellFormed() && Buffer.byteLength(key) <= 2048, 'no key');
}
