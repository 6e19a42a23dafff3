import type { Pace } from '../../engine/sender.ts';

/** The shares of the wanted rate that must be reached, and of the requests that must be acknowledged. */
const minRate = 0.95;
const minAcknowledged = 0.99;
const maxBehindMs = 2_000;

export const paceRule = `acknowledged at ${minRate * 100} % of the rate or more until the last answer, ${minAcknowledged * 100} % of the requests, the sender never ${maxBehindMs / 1000} s behind`;

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
    ...(rate < minRate * perSecond
      ? [`${rate.toFixed(1)} a second were acknowledged, not ${perSecond}`]
      : []),
    ...(acknowledged < minAcknowledged * requests
      ? [`${requests - acknowledged} of ${requests} requests were not acknowledged`]
      : []),
    ...(behindMs > maxBehindMs ? [`the sender was ${behindMs.toFixed(0)} ms behind its schedule`] : []),
  ];
}
