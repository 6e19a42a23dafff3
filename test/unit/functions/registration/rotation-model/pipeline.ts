import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { createVerifier, headersRead } from '../../../../../contract/signature/verify.ts';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { ok } from '../../../../../functions/base/sms-service/request.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { checkSignature, type SecretChecks } from '../../../../../functions/receive/ingest/receive.ts';
import { createRejectionPolicy } from '../../../../../functions/receive/ingest/rejection-policy.ts';
import { sortRequests } from '../../../../../functions/receive/worker/work-batch.ts';
import {
  invocationLimitMs,
  rereadIntervalMs,
} from '../../../../../functions/registration/secret/secret-document.ts';
import {
  type CacheClocks,
  createSecretCache,
} from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import { reservedMs, runAction } from '../../../../../functions/registration/setup/handle.ts';
import type { ActionRequest, UnconnectedPorts } from '../../../../../functions/registration/setup/request.ts';
import type { WebhookState } from '../../../../../functions/registration/webhook-state-store.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { type Actor, Schedule } from './schedule.ts';
import { type Fault, type ReadFault, Service, type ServiceSecret } from './service.ts';
import { Store, type WriteFault } from './store.ts';

const scheme = shippedContract.webhook.signature;
const verify = createVerifier(scheme, postedJson);
const webhookUrl = 'https://pipeline.example/webhooks/sms';
const start = Date.parse('2026-01-15T12:00:00.000Z');
const dayMs = 86_400_000;
/** When the process of a run that has answered goes on: with the next run of the schedule. */
const thawedAfterMs = 240_000;

/** How long an instance of ingest uses what it has read, and how old that may be. */
const keptForMs = 70_000;

/** A request that was sent, and what became of it. */
interface Sent {
  /** Undefined for a forged one. */
  readonly secret: ServiceSecret | undefined;
  /** Forged with a secret that was dropped. The worker, whose reads the model makes arbitrarily old, may still accept it. */
  readonly isLeaked: boolean;
  readonly sentAt: number;
  outcome: 'under way' | 'verified' | 'parked' | 'stored' | 'rejected' | 'quarantined';
}

interface Run {
  readonly actor: Actor;
  isOver: boolean;
}

export interface RunFaults {
  readonly setWebhook: Fault;
  readonly reads: ReadFault;
  /** Whether the run's process stands still when its time is nearly over: then Lambda ends it. */
  readonly stalls: boolean;
  readonly write: WriteFault | undefined;
}

const noFaults: RunFaults = { setWebhook: 'none', reads: 'none', stalls: false, write: undefined };

/** The functions of the pipeline, as they are deployed, in a world whose time and order are a schedule's. */
export class PipelineModel {
  readonly schedule = new Schedule(start);
  readonly service = new Service(this.schedule, webhookUrl);
  readonly store = new Store(this.schedule, this.service, {
    version: 1,
    current: { secret: this.service.current().text, since: new Date(start).toISOString() },
  });
  /** What is wrong, in words; nothing, if the promises hold. */
  readonly broken: string[] = [];
  readonly #sent: Sent[] = [];
  readonly #runs: Run[] = [];
  readonly #instances: { readonly actor: Actor; readonly secrets: SecretChecks; isBusy: boolean }[] = [];
  readonly #worker = { actor: { alive: true }, isBusy: false };
  #queue: string[] = [];
  #state: WebhookState = { desiredState: 'registered' };
  #setBackMs = 0;

  constructor(instances: number) {
    for (let number = 0; number < instances; number++) {
      const actor = { alive: true };
      const cache = createSecretCache(
        () => this.store.readLate(actor),
        this.#clocksOf(number),
        () => {},
      );
      const policy = createRejectionPolicy({
        cache,
        verify,
        park: 'rotating',
        headersRead: headersRead(scheme),
        capture: { isOn: () => false, keep: () => undefined },
        signals: { send: async () => {} },
        clock: () => this.schedule.now,
        log: () => {},
        count: () => {},
      });
      this.#instances.push({ actor, secrets: { cache, policy }, isBusy: false });
    }
  }

  /** Instance 0 has a monotonic clock that stands still, as if its process were always frozen. The wall clock of the others can be set back. */
  #clocksOf(instance: number): CacheClocks {
    const { schedule } = this;
    return instance === 0
      ? { wall: () => schedule.now, monotonic: () => 0 }
      : { wall: () => schedule.now - this.#setBackMs, monotonic: () => schedule.now };
  }

  setWallClockBack(ms: number): void {
    this.#setBackMs += ms;
  }

  /** @param late whether the service signs with the secret before, if it may still do so */
  sendGenuine(instance: number, late: boolean): void {
    const secret = this.service.signingSecret(late);
    this.#send(instance, secret.text, secret);
  }

  sendForged(instance: number): void {
    this.#send(instance, 'a-secret-the-service-never-had', undefined);
  }

  /** With the newest secret that no instance may accept any more. */
  sendLeaked(instance: number): void {
    const isDropped = ({ removedAt = Number.POSITIVE_INFINITY }: ServiceSecret) =>
      removedAt + keptForMs < this.schedule.now;
    const leaked = this.service.secrets.findLast(isDropped);
    if (leaked !== undefined) this.#send(instance, leaked.text, undefined, true);
  }

  rotate(force: boolean, overlap: boolean, faults: RunFaults): void {
    this.#run(faults, { action: 'rotate', force, overlap });
  }

  reconcile(faults: RunFaults = noFaults): void {
    this.#run(faults, { action: 'reconcile' });
  }

  kill(pick: number): void {
    const running = this.#runs.filter(({ actor, isOver }) => actor.alive && !isOver);
    const run = running[pick % Math.max(1, running.length)];
    if (run !== undefined) run.actor.alive = false;
  }

  /**
   * One batch of the worker; what stays parked goes back into the queue.
   *
   * @param readsOld whether the store gives it the version before the current one
   */
  work(readsOld = false): void {
    if (this.#worker.isBusy || this.#queue.length === 0) return;
    this.#worker.isBusy = true;
    const batch = this.#queue;
    this.#queue = [];
    const received = batch.map((body, index) => ({
      queueMessage: {
        messageId: String(index),
        receiptHandle: String(index),
        receiveCount: 1,
        body,
        sentAt: this.schedule.now,
        firstReceivedAt: this.schedule.now,
      },
      envelope: decodeEnvelope(body),
    }));
    const { actor } = this.#worker;
    const sorted = sortRequests(received, {
      verify,
      state: { read: () => this.schedule.call(actor, () => this.#state) },
      secret: { read: () => (readsOld ? this.store.readOld(actor) : this.store.read(actor)) },
      harmlessHeaders: [],
      visibility: { change: async () => [] },
      log: () => {},
      count: () => {},
    });
    void sorted.then(({ verified, waiting, quarantined }) => {
      for (const { envelope } of verified) this.#find(envelope?.requestId).outcome = 'stored';
      for (const { makeEntry } of quarantined) this.#find(makeEntry().requestId).outcome = 'quarantined';
      this.#queue.push(...waiting.map(({ body }) => body));
      this.#worker.isBusy = false;
    });
  }

  /** Lets everything end well: no faults any more, and reconciling as on the schedule. */
  async finish(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await this.schedule.finish();
      this.reconcile();
      await this.schedule.finish();
      if (this.#needsForce()) this.rotate(true, true, noFaults);
      await this.schedule.finish();
      this.work();
      await this.schedule.finish();
      await this.schedule.tick(300_000);
    }
    this.#judge();
  }

  /** Whether the service uses an earlier secret again, which only a forced rotation puts right. */
  #needsForce(): boolean {
    const { text, isReturned } = this.service.current();
    return isReturned === true && this.store.stored.document.current.secret !== text;
  }

  #send(instance: number, signedWith: string, secret: ServiceSecret | undefined, isLeaked = false): void {
    const target = this.#instances[instance % this.#instances.length];
    // An instance serves one request at a time.
    if (target === undefined || target.isBusy) return;
    target.isBusy = true;
    const requestId = String(this.#sent.length);
    const sent: Sent = { secret, isLeaked, sentAt: this.schedule.now, outcome: 'under way' };
    this.#sent.push(sent);
    const body = Buffer.from(`{"number":${requestId}}`);
    const now = this.schedule.now;
    const headers = signRequest(scheme, { body, id: requestId, now, url: webhookUrl }, signedWith);
    const request = { requestId, headers, body, url: webhookUrl, sourceIp: '192.0.2.1', receivedAt: now };
    void checkSignature(request, { verify, secrets: target.secrets }).then((decision) => {
      target.isBusy = false;
      sent.outcome = decision.kind === 'kept' ? 'parked' : decision.kind;
      if (decision.kind === 'kept') {
        const receivedAt = new Date(now).toISOString();
        this.#queue.push(encodeEnvelope({ requestId, receivedAt, body, ...decision.addition }));
      }
      if (decision.kind === 'rejected' && secret !== undefined && !this.#mayRefuse(secret, now))
        this.broken.push(`genuine request ${requestId} refused`);
    });
  }

  /** As Lambda does: a run that is not over in time is ended, and what is left of one that has answered stands still until the next. */
  #run(faults: RunFaults, request: ActionRequest): void {
    const actor: Actor = { alive: true };
    const run: Run = { actor, isOver: false };
    this.#runs.push(run);
    const { schedule } = this;
    const killedAt = schedule.now + invocationLimitMs;
    const change = (next: Partial<WebhookState>) =>
      schedule.call(actor, () => {
        this.#state = { ...this.#state, ...next };
      });
    const deadlineTime = killedAt - reservedMs;
    const ports: UnconnectedPorts = {
      registration: 'on',
      source: 'main',
      fetch: () => Promise.reject(new Error('not expected to be called')),
      random: () => 0,
      readApiKey: async () => ok('key'),
      connect: (_, ended) =>
        this.service.client(
          actor,
          { deadline: deadlineTime, sentBy: killedAt, ended },
          faults.setWebhook,
          faults.reads,
        ),
      api: {
        connect: () => {
          throw new Error('not expected to be called');
        },
        tokenPath: '',
        webhookPath: '',
        isDescribed: true,
      },
      requestId: `run ${this.#runs.length}`,
      deadline: deadlineAt(deadlineTime, () => schedule.now),
      timeoutSignal: (ms) => {
        const limit = new AbortController();
        if (!faults.stalls) schedule.at(schedule.now + ms, () => limit.abort());
        return limit.signal;
      },
      store: this.store.of(actor, faults.write),
      state: {
        read: () => schedule.call(actor, () => this.#state),
        setDesiredState: (desiredState) => change({ desiredState }),
        recordRegistered: (registeredAt) => change({ registeredAt }),
        assumeDesiredState: async (desiredState) => desiredState,
        takeTurn: async () => true,
        recordReconcile: (lastReconcile) => change({ lastReconcile }),
        recordConfirmed: (confirmed) =>
          schedule.call(actor, () => {
            const known = this.#state.confirmed?.at;
            if (known === undefined || known < confirmed.at) this.#state = { ...this.#state, confirmed };
          }),
        mismatchesLastHour: async () => 0,
        noteDrift: async () => true,
        addMismatches: async () => undefined,
      },
      bus: { publish: async (events) => events.map(() => ({ kind: 'published' })) },
      webhookUrl,
      signature: scheme,
      overlapMs: dayMs,
      onDrift: 'repair',
      rotateAfterMs: undefined,
      clock: () => schedule.now,
      sleep: (ms) => schedule.sleep(actor, ms),
      log: () => {},
      count: () => {},
    };
    const over = () => {
      run.isOver = true;
      actor.frozenUntil = schedule.now + thawedAfterMs;
    };
    schedule.at(killedAt, () => {
      if (!run.isOver) actor.alive = false;
    });
    void runAction(request, ports).then(over, over);
  }

  /**
   * A secret that was made elsewhere is unknown until it is read, and each instance limits its reads. A secret
   * that was dropped on purpose, or replaced before anybody read it, is gone.
   */
  #mayRefuse(secret: ServiceSecret, sentAt: number): boolean {
    if (secret.isReturned || wasGone(secret, this.schedule.now)) return true;
    if (secret.madeBy === 'pipeline') return false;
    return secret.storedAt === undefined || sentAt < secret.storedAt + rereadIntervalMs + 2_500;
  }

  #judge(): void {
    for (const [number, { secret, isLeaked, sentAt, outcome }] of this.#sent.entries()) {
      if (outcome === 'under way' || outcome === 'parked')
        this.broken.push(`request ${number} was never decided: ${outcome}`);
      if (secret === undefined && (outcome === 'verified' || (outcome === 'stored' && !isLeaked)))
        this.broken.push(`forged request ${number} accepted`);
      if (secret !== undefined && outcome === 'quarantined' && !secret.isReturned && !wasGone(secret, sentAt))
        this.broken.push(`genuine request ${number} was acknowledged and lost`);
    }
    const { document } = this.store.stored;
    if (document.current.secret !== this.service.current().text)
      this.broken.push("the stored secret is not the service's");
    if (document.rotating !== undefined) this.broken.push('the mark stands');
  }

  /** How often each outcome came: `genuine stored`, `forged quarantined`... */
  outcomes(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { secret, outcome } of this.#sent) {
      const name = `${secret === undefined ? 'forged' : 'genuine'} ${outcome}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #find(requestId: string | undefined): Sent {
    const sent = this.#sent[Number(requestId)];
    if (sent === undefined) throw new Error(`no request ${requestId}`);
    return sent;
  }
}

/** Dropped from the store by then, or replaced at the service before the store had it. */
function wasGone({ droppedAt, storedAt, replacedAt }: ServiceSecret, time: number): boolean {
  if (storedAt === undefined) return replacedAt !== undefined;
  return droppedAt !== undefined && droppedAt <= time;
}
