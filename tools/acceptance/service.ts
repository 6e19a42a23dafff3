import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RenderError, renderEvent } from '../../contract/events/render.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { PostResult } from '../../local/sms-service/poster.ts';
import type { Entry, Ledger } from '../engine/ledger.ts';
import { defaultRecipient, type Report } from '../engine/reports.ts';
import { type Delivery, SignedPoster } from '../support/signed-poster.ts';

/** How long a request is retried that is neither accepted nor rejected, and the pause between two attempts, in milliseconds. */
const patienceMs = 120_000;
const pauseMs = 200;

/** The time of the first report: before the run, because a service reports what has happened. */
const leadMs = 60_000;

/** Plays the SMS service of a contract: writes its events, signs them, posts them, and notes the answers. */
export class Service {
  readonly ledger: Ledger;
  /** The time to each answer of 200, in milliseconds. */
  readonly answeredMs: number[] = [];
  /** The number of requests. */
  posts = 0;
  /** When the first acknowledged post of a report began, by {@link reportKey}; milliseconds since the epoch. */
  readonly postedAt = new Map<string, number>();
  readonly #contract: Contract;
  readonly #url: string;
  readonly #poster: SignedPoster;
  readonly #beganAt = Date.now() - leadMs;

  constructor(contract: Contract, url: string, ledger: Ledger) {
    this.#contract = contract;
    this.#poster = new SignedPoster(contract);
    this.#url = url;
    this.ledger = ledger;
  }

  /** Posts a report until it is accepted or rejected. @param secret undefined: without a signature */
  async report(report: Report, secret: string | undefined, { isForged = false } = {}): Promise<PostResult> {
    // Where the contract makes the id of the content, the ledger knows a report by its message and status.
    const hasOwnId = this.#contract.events.id.from !== 'content';
    const known = hasOwnId ? report : { ...report, eventId: undefined };
    const entry = this.ledger.sent(known, { isForged });
    const request = this.#requestOf(report);
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const result = await this.#post(request, secret, entry);
      if (result === 200 || result === 401 || Date.now() > deadline) return result;
      await delay(pauseMs);
    }
  }

  /** Posts a reply that asks to stop. @returns undefined if the contract cannot express it */
  async stop(secret: string): Promise<PostResult | undefined> {
    const [replyId, number] = [this.ledger.newId('reply'), this.ledger.newNumber()];
    const fields = { replyId, from: number, to: defaultRecipient, text: 'STOP', occurredAt: this.#time(0) };
    try {
      const written = renderEvent(this.#contract, { kind: 'sms.reply', fields, eventId: replyId });
      const result = await this.#post({ ...written, id: replyId }, secret, undefined);
      if (result === 200) this.ledger.replies.set(replyId, { number, isStop: true });
      return result;
    } catch (error) {
      if (error instanceof RenderError) return undefined;
      throw error;
    }
  }

  close(): void {
    this.#poster.close();
  }

  #requestOf({ messageId, eventId, status, second, to = defaultRecipient }: Report): Delivery {
    const id = eventId ?? randomUUID();
    const fields = { messageId, status, recipient: to, occurredAt: this.#time(second) };
    return { id, ...renderEvent(this.#contract, { kind: 'sms.status', fields, eventId: id }) };
  }

  async #post(delivery: Delivery, secret: string | undefined, entry: Entry | undefined) {
    const now = Date.now();
    const begun = performance.now();
    this.posts += 1;
    const result = await this.#poster.post(this.#url, delivery, secret);
    if (result === 200) {
      this.answeredMs.push(performance.now() - begun);
      const key = entry === undefined ? delivery.id : reportKey(entry.report);
      if (!this.postedAt.has(key)) this.postedAt.set(key, now);
    }
    if (entry !== undefined) this.ledger.answered(entry, result);
    return result;
  }

  #time(second: number): string {
    return new Date(this.#beganAt + second * 1000).toISOString();
  }
}

/** Names a report by what every contract reports of it. */
export function reportKey({ messageId, status }: Pick<Report, 'messageId' | 'status'>): string {
  return `${messageId} ${status}`;
}
