import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '../../../contract/signature/sign.ts';
import { createPoster, type Poster, type PostResult } from '../../../local/sms-service/poster.ts';
import { shippedContract } from '../../support/contracts.ts';

export const forgedPrefix = 'forged-';
/** The message id of the one event that looks like a forged one and is signed with the real secret. */
export const controlMessageId = 'control-1';

/** Posts a status event past the sandbox, signed with this secret. */
export function postStatus(
  poster: Poster,
  webhookUrl: string,
  messageId: string,
  secret: string,
): Promise<PostResult> {
  const now = Date.now();
  const data = {
    id: messageId,
    to: '+12025550143',
    status: 'delivered',
    occurred_at: new Date(now).toISOString(),
  };
  const body = Buffer.from(JSON.stringify({ type: 'sms.status', data }));
  const unsigned = { body, id: randomUUID(), now, url: webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
  return poster.post(webhookUrl, { ...headers, 'content-type': 'application/json' }, body);
}

/**
 * Returns when the next request of a steady row is due. A late one keeps the pace. Those that a longer stall has missed are left out, so
 * that two are never sent at once.
 *
 * @param dueAt when the request before was due, milliseconds
 * @param now milliseconds on the same clock
 */
export function nextDue(dueAt: number, now: number, intervalMs: number): number {
  const next = dueAt + intervalMs;
  return next < now ? now + intervalMs : next;
}

/** Posts events that are signed with a secret of its own, until it is stopped. */
export interface Forger {
  /** Returns the count of each answer. May be called again. */
  stop(): Promise<ReadonlyMap<PostResult, number>>;
}

/** Requests that are due while this many are under way are left out. */
const maxUnderWay = 50;

/** @param startAfterMs the time before the first request */
export function startForger(webhookUrl: string, ratePerSecond: number, startAfterMs: number): Forger {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const poster = createPoster();
  const answers = new Map<PostResult, number>();
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function postOne(number: number): Promise<void> {
    const answer = await postStatus(poster, webhookUrl, `${forgedPrefix}${number}`, secret);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }

  const running = (async () => {
    await delay(startAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
    const intervalMs = 1000 / ratePerSecond;
    let dueAt = performance.now();
    for (let number = 0; !stopping.signal.aborted; number++) {
      if (underWay.size < maxUnderWay) {
        const posting = postOne(number).finally(() => underWay.delete(posting));
        underWay.add(posting);
      }
      dueAt = nextDue(dueAt, performance.now(), intervalMs);
      await delay(Math.max(0, dueAt - performance.now()));
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      poster.close();
      return answers;
    },
  };
}
