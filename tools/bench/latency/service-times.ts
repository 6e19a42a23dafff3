/** Draws a duration, in milliseconds. @param random from 0 to less than 1 */
export type Draw = (random: () => number) => number;

/** A part of an invocation's duration, and a part for each event of its batch, in milliseconds. */
export interface InvocationTime {
  readonly perInvocation: number;
  readonly perEvent: number;
  /** One round of calls, of which so many are under way at once. */
  readonly perRound: number;
  readonly callsAtOnce: number;
  readonly eventsPerCall: number;
}

/** The times of all that an event passes. */
export interface ServiceTimes {
  /** From the post until SQS has the event. */
  readonly accept: Draw;
  /** From an event in the queue until a poller that waits has it. */
  readonly receive: Draw;
  readonly worker: InvocationTime;
  /** From a write until the stream shows it. */
  readonly streamDelay: Draw;
  readonly publisher: InvocationTime;
}

type Quantiles = readonly [p10: number, p50: number, p90: number, p99: number];
const shares = [0.1, 0.5, 0.9, 0.99] as const;

/** Draws durations with these quantiles, and straight lines between them. Nothing is below the first or above the last. */
function quantiles(values: Quantiles): Draw {
  return (random) => {
    const share = random();
    const above = shares.findIndex((known) => share < known);
    if (above === 0) return values[0];
    if (above === -1) return values[3];
    const [low = 0, high = 0] = [shares[above - 1], shares[above]];
    const [from = 0, to = 0] = [values[above - 1], values[above]];
    return from + ((to - from) * (share - low)) / (high - low);
  };
}

/** Draws from measured durations. */
export function drawn(measured: readonly number[]): Draw {
  return (random) => measured[Math.floor(random() * measured.length)] ?? 0;
}

/** Returns the duration of an invocation with so many events. */
export function durationOf(time: InvocationTime, events: number): number {
  const rounds = Math.ceil(events / (time.callsAtOnce * time.eventsPerCall));
  return time.perInvocation + time.perEvent * events + time.perRound * rounds;
}

/**
 * The times on AWS. Those of SQS and of DynamoDB's stream were measured by Bite-Sized Serverless, "Serverless Messaging: Latency
 * Compared" (https://bitesizedserverless.com/bite/serverless-messaging-latency-compared/, eu-west-1, 2022), from the call to the start of
 * the function: 14, 16, 34 and 105 ms of p10, p50, p90 and p99 for SQS, 118, 213, 341 and 552 for the stream. Lambda's polls, four a second,
 * are taken out of the latter. DynamoDB promises single-digit milliseconds for a write. The rest is assumed: an HTTP API and a warm `ingest`
 * need 15 to 30 ms, PutEvents 20. CPU times are those of `npm run bench` for 512 MB. There are no cold starts.
 */
export const onAws: ServiceTimes = {
  accept: quantiles([15, 20, 30, 60]),
  receive: quantiles([14, 16, 34, 105]),
  worker: { perInvocation: 4, perEvent: 1.2, perRound: 8, callsAtOnce: 32, eventsPerCall: 1 },
  streamDelay: quantiles([85, 92, 125, 320]),
  publisher: { perInvocation: 4, perEvent: 0.7, perRound: 20, callsAtOnce: 10, eventsPerCall: 10 },
};
