import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostResult } from '../../local/sms-service/poster.ts';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { foreignSecret } from '../support/post-signed.ts';
import { SignedPoster } from '../support/signed-poster.ts';
import { countIn, type Entry, type Ledger } from './ledger.ts';
import { bodyOf, type Report } from './reports.ts';
import type { Sandbox } from './sandbox.ts';

/** The pause before a retry, and for how long a sender retries a request that is not answered with 200. In milliseconds. */
const pauseMs = 200;
const patienceMs = 120_000;

/** Signs events as the SMS service does, posts them, and writes the answers into the ledger. */
export class Sender {
  readonly ledger: Ledger;
  readonly #pipeline: Pick<LocalPipeline, 'webhookUrl' | 'webhookSecret'>;
  readonly #poster = new SignedPoster();
  #secret: Promise<string> | undefined;

  constructor(pipeline: Pick<LocalPipeline, 'webhookUrl' | 'webhookSecret'>, ledger: Ledger) {
    this.ledger = ledger;
    this.#pipeline = pipeline;
  }

  /** Posts a report once. */
  async post(report: Report): Promise<PostResult> {
    const entry = this.ledger.sent(report);
    const result = await this.#postOnce(bodyOf(report), report.eventId, await this.#cachedSecret());
    this.ledger.answered(entry, result);
    return result;
  }

  /** Posts a report until it is acknowledged. @throws Error if that takes more than two minutes */
  deliver(report: Report): Promise<void> {
    return this.#deliverAs([report], bodyOf(report), report.eventId);
  }

  /** Posts many reports in one request until it is acknowledged. The worker writes them at once. @throws Error as {@link Sender.deliver} */
  deliverTogether(reports: readonly Report[]): Promise<void> {
    return this.#deliverAs(reports, reports.map(bodyOf), undefined);
  }

  /** Posts a body other than a report until it is acknowledged. @throws Error as {@link Sender.deliver} */
  deliverOther(body: object): Promise<void> {
    return this.#deliverAs([], body, undefined);
  }

  /** Posts a report once, signed with a secret that the pipeline does not know. */
  async forge(report: Report): Promise<PostResult> {
    const entry = this.ledger.sent(report, { isForged: true });
    const result = await this.#postOnce(bodyOf(report), report.eventId, foreignSecret());
    this.ledger.answered(entry, result);
    return result;
  }

  /**
   * Posts a report like {@link Sender.forge} until it is acknowledged. The pipeline cannot verify it with the secrets that it knows, so it parks
   * the request and acknowledges it. Every attempt has the same event id, so that the pipeline keeps the report at most once.
   *
   * @throws Error as {@link Sender.deliver}
   */
  async deliverForged(report: Report): Promise<void> {
    const reportWithId = { ...report, eventId: report.eventId ?? randomUUID() };
    await this.#untilAcknowledged(() => this.forge(reportWithId));
  }

  close(): void {
    this.#poster.close();
  }

  async #deliverAs(reports: readonly Report[], body: object, id: string | undefined): Promise<void> {
    const entries = reports.map((report) => this.ledger.sent(report));
    const sameId = id ?? randomUUID();
    await this.#untilAcknowledged(async () => {
      // The secret is read each time, because it may have been rotated.
      const result = await this.#postOnce(body, sameId, await this.#pipeline.webhookSecret());
      for (const entry of entries) this.ledger.answered(entry, result);
      if (entries.length === 0) countIn(this.ledger.answers, result);
      return result;
    });
  }

  async #untilAcknowledged(post: () => Promise<PostResult>): Promise<void> {
    for (const deadline = Date.now() + patienceMs; ; await delay(pauseMs)) {
      const result = await post();
      if (result === 200) return;
      if (Date.now() > deadline)
        throw new Error(`not acknowledged in two minutes; the last answer: ${result}`);
    }
  }

  #cachedSecret(): Promise<string> {
    this.#secret ??= this.#pipeline.webhookSecret();
    return this.#secret;
  }

  #postOnce(content: object, id: string = randomUUID(), secret: string): Promise<PostResult> {
    const body = Buffer.from(JSON.stringify(content));
    return this.#poster.post(this.#pipeline.webhookUrl, { id, body }, secret);
  }
}

/**
 * Makes the service send each report once, signed with the secret that the service has at that time.
 *
 * @param ratePerSecond the sending is slower if the pipeline answers more slowly
 * @returns the reports with their answers
 */
export async function sendByService(
  sandbox: Sandbox,
  ledger: Ledger,
  reports: readonly Report[],
  { ratePerSecond, signal }: { readonly ratePerSecond: number; readonly signal: AbortSignal },
): Promise<readonly Entry[]> {
  const entries = reports.map((report) => ledger.sent({ ...report, eventId: undefined }));
  const { failed, startedAt } = await sandbox.send(reports, ratePerSecond, signal);
  const failures = new Map(failed.map((failure) => [failure.event, failure]));
  for (const [index, entry] of entries.entries()) {
    const failure = failures.get(index);
    if (failure !== undefined) entry.postedAt = Date.parse(startedAt) + failure.at;
    ledger.answered(entry, failure?.status ?? 200);
  }
  return entries;
}

/** A post that becomes due while this many posts are under way is skipped. */
const maxUnderWay = 50;

/** Posts at this rate until the signal, independent of the answers and of their times. Posts that became due during a stall are skipped. */
export async function postSteadily(
  perSecond: number,
  signal: AbortSignal,
  post: (index: number) => Promise<unknown>,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const intervalMs = 1000 / perSecond;
  let dueAt = performance.now();
  for (let index = 0; !signal.aborted; index += 1) {
    const wait = dueAt - performance.now();
    if (wait > 0) await delay(wait);
    if (underWay.size < maxUnderWay) {
      const posting = post(index).finally(() => underWay.delete(posting));
      underWay.add(posting);
    }
    dueAt = nextDue(dueAt, performance.now(), intervalMs);
  }
  await Promise.all(underWay);
}

/**
 * Returns when the next of several requests at a fixed interval is due. A request that is a little late does not change the time of the next
 * one. Requests that became due during a longer stall are skipped, so that two are never sent at once. An instance that receives several
 * forged requests in a row takes that for a rotation.
 *
 * @param dueAt when the request before was due, milliseconds
 * @param now milliseconds on the same clock
 */
function nextDue(dueAt: number, now: number, intervalMs: number): number {
  const next = dueAt + intervalMs;
  return next < now ? now + intervalMs : next;
}
