import type { Result, SmsServiceError } from '../../../../../functions/base/sms-service/request.ts';
import type { Registration } from '../../../../../functions/registration/registration.ts';
import type { ServiceWebhook } from '../../../../../functions/registration/webhook-drift.ts';
import type { Actor, Schedule } from './schedule.ts';

/** What becomes of a "set webhook". */
export const faults = [
  'none',
  'refused',
  'no-token',
  'applied, no answer',
  'applied, 500',
  'applied late, no answer',
  'lost',
] as const;
export type Fault = (typeof faults)[number];

/** What becomes of a "read webhook": an old answer shows the secret before, where the pipeline has stored the newest one. */
export type ReadFault = 'none' | 'fails' | 'is old';

/** A secret that the service signed with, and what became of it. */
export interface ServiceSecret {
  readonly text: string;
  readonly madeBy: 'pipeline' | 'elsewhere';
  /** The service has another one since. */
  replacedAt: number | undefined;
  /** When the store first had it, and when it no longer did. */
  storedAt: number | undefined;
  droppedAt: number | undefined;
  /** When the document without it was written: a run may stall between dropping a secret and writing that. */
  removedAt?: number | undefined;
  /** An earlier secret that the service uses again. Its requests may be refused. */
  readonly isReturned?: true;
}

/** How long the service goes on signing with the secret before, at most; milliseconds. */
const signingLagMs = 5_000;
/** How long after a call the service applies it, at the latest. */
const applyWithinMs = 60_000;

/** The SMS service as far as the webhook goes. */
export class Service {
  readonly secrets: ServiceSecret[] = [];
  readonly #schedule: Schedule;
  readonly #url: string;

  constructor(schedule: Schedule, url: string) {
    this.#schedule = schedule;
    this.#url = url;
    this.rotate('pipeline');
  }

  rotate(madeBy: ServiceSecret['madeBy']): void {
    const last = this.secrets.at(-1);
    if (last !== undefined) last.replacedAt = this.#schedule.now;
    const text = `secret-${this.secrets.length}-of-the-service`;
    this.secrets.push({ text, madeBy, replacedAt: undefined, storedAt: undefined, droppedAt: undefined });
  }

  /** Goes back to the secret that was last replaced, as after a change of the account and back. */
  returnToEarlier(): void {
    const current = this.current();
    const earlier = this.secrets.findLast(
      ({ text, storedAt }) => text !== current.text && storedAt !== undefined,
    );
    if (earlier === undefined || current.storedAt === undefined) return;
    this.rotate('elsewhere');
    this.secrets.splice(-1, 1, { ...this.current(), text: earlier.text, isReturned: true });
  }

  current(): ServiceSecret {
    const [last] = this.secrets.slice(-1);
    if (last === undefined) throw new Error('the service has a secret from its beginning');
    return last;
  }

  /** @param late with the secret before, where the service may still use it */
  signingSecret(late: boolean): ServiceSecret {
    const before = this.secrets.at(-2);
    const isInUse =
      before?.replacedAt !== undefined && this.#schedule.now - before.replacedAt <= signingLagMs;
    return late && before !== undefined && isInUse ? before : this.current();
  }

  /**
   * The client of one run of setup; after its deadline it makes no call, and once the run has ended it sends none that is not on its way.
   *
   * @param sentBy when a call of the run is sent at the latest, unless its process is frozen
   */
  client(
    actor: Actor,
    { deadline, sentBy, ended }: { deadline: number; sentBy: number; ended: AbortSignal },
    fault: Fault,
    reads: ReadFault,
  ): Registration {
    const schedule = this.#schedule;
    const webhook = (): ServiceWebhook => ({ url: this.#url, secret: this.current().text });
    const timeout = (operation: string): SmsServiceError => ({ kind: 'timeout', operation, afterMs: 10_000 });
    const read = () =>
      schedule.call(actor, (): Result<ServiceWebhook> => {
        const fails = reads === 'fails' || schedule.now > deadline || ended.aborted;
        if (fails) return { kind: 'error', error: timeout('read webhook') };
        const before = this.secrets.at(-2);
        const isOld =
          reads === 'is old' && before?.storedAt !== undefined && this.current().storedAt !== undefined;
        return { kind: 'ok', value: isOld ? { ...webhook(), secret: before.text } : webhook() };
      });
    const put = async (rotates: boolean): Promise<Result<ServiceWebhook>> => {
      const operation = 'set webhook';
      const apply = () => {
        if (rotates) this.rotate('pipeline');
      };
      if (schedule.now > deadline || fault === 'lost')
        return schedule.call(actor, () => ({ kind: 'error', error: timeout(operation) }));
      if (fault === 'refused')
        return schedule.call(actor, () => ({
          kind: 'error',
          error: { kind: 'too-many-requests', operation, status: 429, body: '', retryAfterMs: null },
        }));
      if (fault === 'no-token')
        return schedule.call(actor, () => ({ kind: 'error', error: timeout('exchange token') }));
      if (fault === 'applied late, no answer') {
        void schedule.call({ alive: true }, apply, applyWithinMs, applyWithinMs / 2);
        return schedule.call(actor, () => ({ kind: 'error', error: timeout(operation) }));
      }
      return schedule.call(
        actor,
        (): Result<ServiceWebhook> => {
          if (ended.aborted) return { kind: 'error', error: timeout(operation) };
          apply();
          if (fault === 'none') return { kind: 'ok', value: webhook() };
          if (fault === 'applied, no answer') return { kind: 'error', error: timeout(operation) };
          return {
            kind: 'error',
            error: { kind: 'server', operation, status: 500, body: '', retryAfterMs: null },
          };
        },
        sentBy + applyWithinMs - schedule.now,
      );
    };
    return {
      rotates: true,
      read,
      set: () => put(false),
      rotate: () => put(true),
      deactivate: () => put(false),
    };
  }
}
