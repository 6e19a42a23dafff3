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
