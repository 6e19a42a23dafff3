import type { Traffic } from './traffic.ts';

/** Counts by name, by the key of the item. */
export type Counters = ReadonlyMap<string, ReadonlyMap<string, number>>;

const ranks = {
  queued: 20,
  sent: 30,
  failed: 100,
  undelivered: 100,
  expired: 100,
  delivered: 110,
  read: 120,
};
/**
 * Counts traffic as docs/reference/data-model.md says, without any code of the pipeline: from what was made, not from what is stored.
 */
export function recount({ messages, replies }: Traffic): Counters {
  const counters = new Map<string, Map<string, number>>();
  const add = (keys: readonly string[], names: readonly string[]) => {
    for (const key of keys) {
      const counts = counters.get(key) ?? new Map<string, number>();
      counters.set(key, counts);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
  for (const { send, country, reports } of messages) {
    const first = Math.min(...reports.map(({ time }) => time));
    const [last] = reports.toSorted(
      (a, b) => ranks[b.status] - ranks[a.status] || b.time - a.time || (a.id < b.id ? 1 : -1),
    );
    if (last === undefined) continue;
    const names: string[] = [last.status];
    if (ranks[last.status] === 100) names.push(`error#${last.reason ?? 'unknown'}#${last.code ?? ''}`);
    const successes = reports.filter(({ status }) => status === 'delivered' || status === 'read');
    const arrival = Math.min(...successes.map(({ time }) => time));
    // Times to delivery are those of delivered messages with an earlier report. In this traffic no other report has the time of the arrival.
    if (successes.length > 0 && first < arrival) names.push(bucketName(arrival - first));
    add([sendKey(send), ...timeKeys(first, country)], names);
  }
  for (const { of, isStop, time } of replies)
    add([sendKey(of.send), ...timeKeys(time, of.country)], isStop ? ['replies', 'optOuts'] : ['replies']);
  return counters;
}

const sendKey = (send: string) => `send#${send} figures`;

function timeKeys(time: number, country: string): string[] {
  const at = new Date(time);
  const minute = String(Math.floor(at.getUTCMinutes() / 15) * 15).padStart(2, '0');
  const [date = '', clock = ''] = at.toISOString().split('T');
  return [
    `quarter-hours#${date} ${clock.slice(0, 2)}:${minute}#${country}`,
    `days#${date.slice(0, 7)} ${date}#${country}`,
  ];
}

/** Finds the bucket by its borders, the powers of gamma. */
function bucketName(ms: number): string {
  const gamma = 1.02 / 0.98;
  let border = 1;
  while (border < ms) border *= gamma;
  return `deliveredWithin#${Math.floor(border)}`;
}
