import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createPoster, type PostResult } from '../../../local/sms-service/poster.ts';
import { forgedPrefix, postStatus } from './post-status.ts';

/**
 * When the next of a steady row is due. One that is late keeps the row's pace; what a longer stall has missed is left out,
 * so that no two come at once.
 *
 * @param dueAt when the one before was due, milliseconds
 * @param now milliseconds on the same clock
 */
export function nextDue(dueAt: number, now: number, intervalMs: number): number {
  const next = dueAt + intervalMs;
  return next < now ? now + intervalMs : next;
}

/** Posts events that are signed with a secret of its own, one at a time, until it is stopped. */
export interface Forger {
  /** How often each answer came. May be called again. */
  stop(): Promise<ReadonlyMap<PostResult, number>>;
}

/** Requests under way at once, at most; what is due meanwhile is left out. */
const maxUnderWay = 50;

/** @param startAfterMs how long it waits before the first one */
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
