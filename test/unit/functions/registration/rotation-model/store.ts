import {
  type SecretDocument,
  WebhookSecretError,
} from '../../../../../functions/registration/secret/secret-document.ts';
import type {
  StoredSecret,
  WebhookSecretStore,
} from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import type { Actor, Schedule } from './schedule.ts';
import type { Service } from './service.ts';

/** A write that fails, made or not. */
export interface WriteFault {
  /** Which write of a run, counted from 0. */
  readonly number: number;
  readonly isMade: boolean;
}

/** As functions/registration/secret/secret-document.ts allows for. */
const storeLagMs = 2_500;

/** The secret in Secrets Manager, with its compare-and-swap. */
export class Store {
  stored: StoredSecret;
  readonly #schedule: Schedule;
  readonly #service: Service;
  #versions = 1;
  #before: StoredSecret | undefined;
  #replacedAt = Number.NEGATIVE_INFINITY;
  #reads = 0;

  constructor(schedule: Schedule, service: Service, document: SecretDocument) {
    this.#schedule = schedule;
    this.#service = service;
    this.stored = { document, versionId: 'version-1' };
    this.#note();
  }

  read(actor: Actor): Promise<StoredSecret> {
    return this.#schedule.call(actor, () => this.stored);
  }

  /** A read that may be old, but no older than Secrets Manager is thought to be: what is stored 2.5 s after a write shows it. */
  readLate(actor: Actor): Promise<StoredSecret> {
    return this.#schedule.call(actor, () => {
      const isRecent = this.#schedule.now - this.#replacedAt < storeLagMs;
      return isRecent && this.#reads++ % 2 === 0 ? (this.#before ?? this.stored) : this.stored;
    });
  }

  /** A read that may be old: the store is eventually consistent. */
  readOld(actor: Actor): Promise<StoredSecret> {
    return this.#schedule.call(actor, () => this.#before ?? this.stored);
  }

  /** The store as one run of setup meets it. */
  of(actor: Actor, fault: WriteFault | undefined): WebhookSecretStore {
    let writes = 0;
    return {
      read: () => this.readLate(actor),
      replace: (document, replacing) => {
        const fails = writes++ === fault?.number;
        return this.#schedule.call(actor, () => {
          const error = new WebhookSecretError('PutSecretValue: InternalServiceError');
          if (fails && fault?.isMade !== true) throw error;
          const versionId = this.#replace(document, replacing);
          if (fails) throw error;
          return versionId;
        });
      },
    };
  }

  #replace(document: SecretDocument, replacing: string | undefined): string | undefined {
    if (replacing !== this.stored.versionId) return undefined;
    this.#versions += 1;
    this.#before = this.stored;
    this.#replacedAt = this.#schedule.now;
    this.stored = { document, versionId: `version-${this.#versions}` };
    this.#note();
    return this.stored.versionId;
  }

  /** Writes down since when the store has each secret, and since when no longer. */
  #note(): void {
    const { current, previous, retired = [] } = this.stored.document;
    for (const secret of this.#service.secrets) {
      const has = secret.text === current.secret || secret.text === previous?.secret;
      const until = retired.findLast((one) => one.secret === secret.text)?.until;
      if (has) secret.storedAt ??= this.#schedule.now;
      if (has) secret.droppedAt = secret.removedAt = undefined;
      else if (secret.storedAt !== undefined) secret.removedAt ??= this.#schedule.now;
      if (has) continue;
      if (secret.storedAt !== undefined)
        secret.droppedAt ??= until === undefined ? this.#schedule.now : Date.parse(until);
    }
  }
}
