import { type Cohort, createAges, createQueue, messagesIn, nothing } from './burst-queue.ts';

/** The load: a burst, evenly spread over its time, and a base rate. One request is one queue message. */
export interface Load {
  readonly messages: number;
  /** Whole seconds, at least 1. */
  readonly overSeconds: number;
  /** Messages a second, before the burst's end and after it. */
  readonly steadyPerSecond: number;
}

/** The consumer of the load. */
export interface Worker {
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** How long an invocation with a full batch takes. */
  readonly batchMs: number;
  readonly maximumConcurrency: number;
  /** How long what failed waits for its next turn. */
  readonly visibilitySeconds: number;
  readonly maxReceiveCount: number;
  /** Messages a second that the table stores; more fail. */
  readonly tablePerSecond: number;
}

/** One second of the run; amounts are of queue messages, and need not be whole. */
export interface Second {
  readonly second: number;
  readonly arrived: number;
  /** Invocations at once. */
  readonly concurrency: number;
  /** The most that so many invocations take in a second, in so far as the queue gives them out. */
  readonly capacity: number;
  readonly received: number;
  readonly stored: number;
  readonly failed: number;
  /** Given up after `maxReceiveCount` receives. */
  readonly deadLetters: number;
  /** In the queue at the end of the second, with what failed and waits for its next turn. */
  readonly backlog: number;
  /** The failed part of the backlog that waits for its next receive at the end of the second. */
  readonly inFlight: number;
  /** The value of `ApproximateAgeOfOldestMessage` at the end of the second. */
  readonly oldestSeconds: number;
  /** How long ago the first of those that failed in this second was first received. */
  readonly failingSeconds: number;
}

export interface Run {
  readonly seconds: readonly Second[];
  /** When nothing waited any more but what just came; undefined if that was not so by the end. */
  readonly drainedAfterSeconds: number | undefined;
}

/**
 * How an SQS event source mapping scales (Lambda developer guide, "Configuring scaling behavior for SQS event source
 * mappings"): five invocations at first, then up to 300 more a minute while messages wait.
 */
const firstConcurrency = 5;
const moreConcurrencyPerSecond = 300 / 60;

/** So many received messages of a queue may be neither deleted nor visible again (SQS developer guide, "Standard queue quotas"). */
const maxInFlight = 120_000;

/** From so many receives on, SQS leaves a message out of the age of the oldest. */
const receivesLeftOutOfAge = 3;

/** So long the run goes on when the burst is done, so that its alarms end, too. */
const afterwardsSeconds = 600;

/**
 * Plays a burst, second by second, until some time after its last message is done, or until the time is up. What can be received
 * for longest is received first. A batch that is not full waits for its window; it is full when every invocation can have a full
 * one. What the table does not take fails, as large a share of each second's arrivals.
 */
export function playBurst(load: Load, worker: Worker, maxSeconds: number): Run {
  const seconds: Second[] = [];
  const away = new Map<number, Cohort[]>();
  const queue = createQueue();
  const ages = createAges();
  const usual = load.steadyPerSecond * (worker.windowSeconds + 1) + nothing;
  let concurrency = 0;
  let total = 0;
  let inFlight = 0;
  let drainedAfterSeconds: number | undefined;

  for (let second = 0; second < maxSeconds; second += 1) {
    const arrived = arrivedBy(second + 1, load) - arrivedBy(second, load);
    const returned = away.get(second) ?? [];
    away.delete(second);
    for (const cohort of returned) queue.add(cohort);
    inFlight = away.size === 0 ? 0 : inFlight - messagesIn(returned);
    queue.add({ arrivedAt: second, receives: 0, visibleAt: second, messages: arrived });
    ages.add(second, arrived);
    total += arrived;

    concurrency = scaled(concurrency, queue.waiting(), worker.maximumConcurrency);
    const room = maxInFlight - inFlight;
    const capacity = (Math.min(concurrency * worker.batchSize, room) * 1000) / worker.batchMs;
    const areFull = queue.waiting() >= concurrency * worker.batchSize;
    // A stored message frees its place at once, so that failed messages never fill these places.
    const turningOver = Math.min(room, (worker.tablePerSecond * worker.batchMs) / 1000);
    const most = Math.min(capacity, room - turningOver + worker.tablePerSecond);
    const taken = queue.take(most, areFull ? second : second - worker.windowSeconds);
    const received = messagesIn(taken);
    const storedShare = received > worker.tablePerSecond + nothing ? worker.tablePerSecond / received : 1;

    let deadLetters = 0;
    let failingSeconds = 0;
    for (const { arrivedAt, receives, firstReceivedAt = second, messages } of taken) {
      const failed = messages * (1 - storedShare);
      const isGivenUp = receives + 1 >= worker.maxReceiveCount;
      const done = isGivenUp ? messages : messages - failed;
      const leavesAge = receives + 1 >= receivesLeftOutOfAge || isGivenUp ? messages : done;
      if (receives < receivesLeftOutOfAge) ages.remove(arrivedAt, leavesAge);
      total -= done;
      if (failed === 0) continue;
      failingSeconds = Math.max(failingSeconds, second - firstReceivedAt);
      if (isGivenUp) deadLetters += failed;
      else {
        const back = second + worker.visibilitySeconds;
        const others = away.get(back) ?? [];
        others.push({
          arrivedAt,
          receives: receives + 1,
          firstReceivedAt,
          visibleAt: back,
          messages: failed,
        });
        away.set(back, others);
        inFlight += failed;
      }
    }
    seconds.push({
      second,
      arrived,
      concurrency,
      capacity,
      received,
      stored: received * storedShare,
      failed: received * (1 - storedShare),
      deadLetters,
      backlog: total < nothing ? 0 : total,
      inFlight,
      oldestSeconds: ages.oldest(second + 1),
      failingSeconds,
    });
    if (drainedAfterSeconds === undefined && second + 1 >= load.overSeconds && total < usual)
      drainedAfterSeconds = second + 1;
    if (drainedAfterSeconds !== undefined && second >= drainedAfterSeconds + afterwardsSeconds) break;
  }
  return { seconds, drainedAfterSeconds };
}

function arrivedBy(second: number, { messages, overSeconds, steadyPerSecond }: Load): number {
  return steadyPerSecond * second + messages * Math.min(1, second / overSeconds);
}

function scaled(concurrency: number, waiting: number, maximum: number): number {
  if (waiting < nothing) return 0;
  const wanted = concurrency === 0 ? firstConcurrency : concurrency + moreConcurrencyPerSecond;
  return Math.min(maximum, wanted);
}
