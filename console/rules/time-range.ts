/** The ranges of lists by time. */
export const ranges = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Range = (typeof ranges)[number];

const hours: Readonly<Record<Exclude<Range, 'all'>, number>> = {
  '24h': 24,
  '7d': 7 * 24,
  '30d': 30 * 24,
  '90d': 90 * 24,
};
const hourMs = 3_600_000;
const stepMs = 5 * 60_000;

export function isRange(value: unknown): value is Range {
  return (ranges as readonly unknown[]).includes(value);
}

/**
 * Returns the oldest time of a range; ISO 8601 in UTC. It moves in steps of five minutes, so that a repeated request has the same URL and
 * its ETag counts. The range `all` has no oldest time.
 *
 * @param now milliseconds since the epoch
 */
export function sinceOf(range: Range, now: number): string | undefined {
  if (range === 'all') return undefined;
  return new Date(Math.floor((now - hours[range] * hourMs) / stepMs) * stepMs).toISOString();
}
