import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '../volume/reports.ts';

const statuses = ['queued', 'sent', 'delivered'];
/** How long after the first report of a message each comes, in seconds. */
const afterSeconds = [0, 3, 8];

/**
 * The report that is due `index / perSecond` seconds after the beginning. Every third is the first of a new message; between
 * them come the later ones of earlier messages, so the rate is the same from the first second to the last. The messages at
 * either end lack reports.
 *
 * @param series what the ids begin with
 */
export function reportAt(index: number, perSecond: number, series: string): Report {
  const stage = index % statuses.length;
  const behind = afterSeconds.map((seconds) => Math.ceil((seconds * perSecond) / statuses.length));
  const number = Math.floor(index / statuses.length) + Math.max(...behind) - (behind[stage] ?? 0);
  const messageId = `${series}-${number}`;
  return { messageId, eventId: `${messageId}-${stage}`, status: statuses[stage] ?? '', second: stage };
}

/** The state of a message with these reports, by their ids as `reportAt` makes them. */
export function stateOf(eventIds: readonly string[]): string {
  const last = Math.max(...eventIds.map((id) => Number(id.split('-').at(-1))));
  return statuses[last] ?? '';
}

type Post = (report: Report) => Promise<void>;

export interface Schedule {
  readonly perSecond: number;
  readonly seconds: number;
  /** The prefix of the ids. */
  readonly series: string;
}

/** How a sender has kept to its schedule. */
export interface Pace {
  /** How far behind its schedule a post ever was, milliseconds. */
  readonly behindMs: number;
  /** From the first post to the last answer. */
  readonly seconds: number;
}

/** Posts by the clock, whatever the answers are and however long they take; resolves after the last answer. */
export async function sendBySchedule(post: Post, { perSecond, seconds, series }: Schedule): Promise<Pace> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  let behindMs = 0;
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueAt = startedAt + (index / perSecond) * 1000;
    const wait = dueAt - performance.now();
    if (wait > 0) await delay(wait);
    behindMs = Math.max(behindMs, performance.now() - dueAt);
    const posting = post(reportAt(index, perSecond, series)).finally(() => underWay.delete(posting));
    underWay.add(posting);
  }
  await Promise.all(underWay);
  return { behindMs, seconds: (performance.now() - startedAt) / 1000 };
}

/** Posts for so long, always so many at a time, each as soon as there is an answer. */
export async function sendClosedLoop(
  post: Post,
  { concurrency, seconds, series }: Omit<Schedule, 'perSecond'> & { readonly concurrency: number },
): Promise<void> {
  const endAt = performance.now() + seconds * 1000;
  let index = 0;
  const sender = async () => {
    while (performance.now() < endAt) {
      index += 1;
      // How far apart the reports of a message come; nothing else depends on it.
      await post(reportAt(index, 100, series));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
}
