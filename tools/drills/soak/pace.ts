import type { Pace } from './send-load.ts';

/** The shares of the wanted rate that must be reached, and of the requests that must be acknowledged. */
const leastRate = 0.95;
const leastAcknowledged = 0.99;
const mostBehindMs = 2_000;

export const paceRule = `acknowledged at ${leastRate * 100} % of the rate or more until the last answer, ${leastAcknowledged * 100} % of the requests, the sender never ${mostBehindMs / 1000} s behind`;

/** The planned and the achieved rate. */
interface Sent {
  readonly perSecond: number;
  readonly requests: number;
  readonly acknowledged: number;
}

/** In which ways a load was not sent and answered as it should have been, in words. */
export function brokenPace(
  { seconds, behindMs }: Pace,
  { perSecond, requests, acknowledged }: Sent,
): string[] {
  const rate = acknowledged / seconds;
  return [
    ...(rate < leastRate * perSecond
      ? [`${rate.toFixed(1)} a second were acknowledged, not ${perSecond}`]
      : []),
    ...(acknowledged < leastAcknowledged * requests
      ? [`${requests - acknowledged} of ${requests} requests were not acknowledged`]
      : []),
    ...(behindMs > mostBehindMs ? [`the sender was ${behindMs.toFixed(0)} ms behind its schedule`] : []),
  ];
}
