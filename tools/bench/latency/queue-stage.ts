/** An event at the time at which a stage gets it, in milliseconds. */
export interface Arrival {
  /** The number of the event, from 0. */
  readonly event: number;
  readonly at: number;
}

export interface Batch {
  /** When the function is invoked. */
  readonly at: number;
  readonly events: readonly number[];
}

export interface QueueSource {
  readonly batchSize: number;
  readonly windowMs: number;
  /** Lambda begins with five (Lambda developer guide, "Using Lambda with Amazon SQS"). */
  readonly pollers: number;
  readonly maxPollers: number;
  /** How often one more poller may start while events wait: 300 a minute (same page). */
  readonly addPollerEveryMs: number;
  /** Whether a poller waits for its invocation before it receives again. */
  readonly waitsForFunction: boolean;
  /**
   * How long a receive waits for an event after the window is over. Lambda may wait up to 20 seconds in "very low traffic", whatever the
   * window is (same page). 0 for a window that ends in time.
   */
  readonly longPollMs: number;
  /** How often a poller looks for more while its window is open; 0 where it sees each event at once. */
  readonly receiveEveryMs: number;
}

/** The maximum batch without a window: what one receive brings. */
const receiveLimit = 10;

interface Poller {
  /** Until then its invocation runs. */
  busyUntil: number;
  /** The batch that it collects. */
  events: number[];
  windowEndsAt: number;
  lastReceiveAt: number;
}

/**
 * Collects the events of a queue into batches. Each goes to one of the pollers that have room, by chance.
 *
 * @param arrivals in order of time
 * @param durationOf the time of an invocation with so many events
 */
export function collectFromQueue(
  arrivals: readonly Arrival[],
  source: QueueSource,
  durationOf: (events: number) => number,
  random: () => number,
): Batch[] {
  const limit = source.windowMs === 0 ? Math.min(source.batchSize, receiveLimit) : source.batchSize;
  const batches: Batch[] = [];
  const waiting: number[] = [];
  const pollers = Array.from({ length: source.pollers }, newPoller);
  let addedAt = Number.NEGATIVE_INFINITY;
  for (let next = 0; ; ) {
    const arrival = arrivals[next];
    const first = earliest(pollers);
    const nextAt = Math.min(first?.at ?? Number.POSITIVE_INFINITY, arrival?.at ?? Number.POSITIVE_INFINITY);
    const addAt = addedAt + source.addPollerEveryMs;
    if (waiting.length > 0 && addAt < nextAt && added(addAt) !== undefined) continue;
    if (first !== undefined && first.at <= (arrival?.at ?? Number.POSITIVE_INFINITY)) {
      if (first.poller.events.length > 0) invoke(first.poller, first.at);
      else takeWaiting(first.poller, first.at);
    } else if (arrival === undefined) return batches;
    else {
      const open = pollers.filter(({ busyUntil }) => busyUntil <= arrival.at);
      const poller = open[Math.floor(random() * open.length)] ?? added(arrival.at);
      if (poller === undefined) waiting.push(arrival.event);
      else receive(poller, [arrival.event], arrival.at);
      next += 1;
    }
  }

  /** Returns the next poller with something to do: its batch is due, or it is free and events wait. */
  function earliest(all: readonly Poller[]): { readonly poller: Poller; readonly at: number } | undefined {
    let found: { poller: Poller; at: number } | undefined;
    for (const poller of all) {
      const at = poller.events.length > 0 ? dueAt(poller) : poller.busyUntil;
      const hasWork = poller.events.length > 0 || waiting.length > 0;
      if (hasWork && at < (found?.at ?? Number.POSITIVE_INFINITY)) found = { poller, at };
    }
    return found;
  }

  function dueAt({ windowEndsAt, lastReceiveAt }: Poller): number {
    const mayWait = source.windowMs > 0 && source.longPollMs > 0;
    return mayWait ? Math.max(windowEndsAt, lastReceiveAt + source.longPollMs) : windowEndsAt;
  }

  function receive(poller: Poller, events: readonly number[], arrivedAt: number): void {
    const isFirst = poller.events.length === 0;
    if (isFirst) poller.windowEndsAt = arrivedAt + source.windowMs;
    const at = isFirst || source.receiveEveryMs === 0 ? arrivedAt : nextLook(poller, arrivedAt);
    poller.events.push(...events);
    poller.lastReceiveAt = at;
    if (poller.events.length >= limit || at >= poller.windowEndsAt) invoke(poller, at);
  }

  function nextLook({ windowEndsAt }: Poller, at: number): number {
    return windowEndsAt - Math.floor((windowEndsAt - at) / source.receiveEveryMs) * source.receiveEveryMs;
  }

  function takeWaiting(poller: Poller, at: number): void {
    receive(poller, waiting.splice(0, limit), at);
  }

  function invoke(poller: Poller, at: number): void {
    batches.push({ at, events: poller.events });
    poller.busyUntil = source.waitsForFunction ? at + durationOf(poller.events.length) : at;
    poller.events = [];
  }

  function added(at: number): Poller | undefined {
    if (pollers.length >= source.maxPollers || at < addedAt + source.addPollerEveryMs) return undefined;
    addedAt = at;
    const poller = { ...newPoller(), busyUntil: at };
    pollers.push(poller);
    return poller;
  }
}

function newPoller(): Poller {
  return { busyUntil: Number.NEGATIVE_INFINITY, events: [], windowEndsAt: 0, lastReceiveAt: 0 };
}
