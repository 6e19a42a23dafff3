import { type CountedQuarters, type Counters, quarterMs } from '../../functions/delivery-watch/counters.ts';
import type { SendPart } from '../../functions/delivery-watch/one-send.ts';
import { rangeToJudge } from '../../functions/delivery-watch/same-hours.ts';
import type { SimulatedMessage, SimulatedSend } from './traffic.ts';

/** Seconds from an outcome until the counters have it: the report, its way through the pipeline, and the window of the counting. */
const pipelineSeconds = 15;

/** Neighbouring buckets of delivery times differ by this factor, as those of the pipeline's counters do. */
const bucketFactor = 1.02 / 0.98;

/** Counters of one quarter hour and country that grow. */
class LiveCounters implements Counters {
  messages = 0;
  delivered = 0;
  readonly failures = new Map<string, number>();
  private readonly buckets = new Map<number, number>();
  private list: Counters['deliveries'] | undefined;

  get deliveries(): Counters['deliveries'] {
    this.list ??= [...this.buckets]
      .toSorted(([one], [other]) => one - other)
      .map(([bucket, messages]) => ({ ms: bucketFactor ** bucket, messages }));
    return this.list;
  }

  end({ reportedAt, endsAt, failure }: SimulatedMessage): void {
    if (failure !== undefined) {
      this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
      return;
    }
    const bucket = Math.ceil(Math.log((endsAt - reportedAt) * 1000) / Math.log(bucketFactor));
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + 1);
    this.delivered += 1;
    this.list = undefined;
  }
}

/** The counters of a send in one quarter hour. */
interface LiveSend {
  readonly country: string;
  readonly counters: LiveCounters;
}

/** Counters that show at each minute what the pipeline's counters would show: outcomes appear when their reports arrive. */
export class LiveQuarters {
  readonly counted = new Map<number, Map<string, LiveCounters>>();
  private readonly sends = new Map<number, Map<SimulatedSend, LiveSend>>();
  private readonly underWay = new Map<number, { message: SimulatedMessage; counters: LiveCounters[] }[]>();

  add(country: string, message: SimulatedMessage): void {
    const start = Math.floor((message.reportedAt * 1000) / quarterMs) * quarterMs;
    const quarter = entryOf(this.counted, start, () => new Map<string, LiveCounters>());
    const counters = [entryOf(quarter, country, () => new LiveCounters())];
    if (message.send !== undefined) {
      const sends = entryOf(this.sends, start, () => new Map<SimulatedSend, LiveSend>());
      const part = entryOf(sends, message.send, () => ({ country, counters: new LiveCounters() }));
      counters.push(part.counters);
    }
    for (const each of counters) each.messages += 1;
    const minute = Math.floor((message.endsAt + pipelineSeconds) / 60);
    entryOf(this.underWay, minute, () => []).push({ message, counters });
  }

  /** Counts the outcomes whose reports arrive in a minute. */
  endMinute(minute: number): CountedQuarters {
    for (const { message, counters } of this.underWay.get(minute) ?? [])
      for (const each of counters) each.end(message);
    this.underWay.delete(minute);
    return this.counted;
  }

  /** Returns the sends in the quarter hours that are judged, and forgets those of earlier ones. */
  sendsToJudge(quarter: number): SendPart[] {
    const { from } = rangeToJudge(quarter);
    for (const start of this.sends.keys()) if (start < from) this.sends.delete(start);
    return [...this.sends].flatMap(([start, sends]) =>
      [...sends].map(([{ id }, { country, counters }]) => ({
        sendId: id,
        quarter: start,
        counters: new Map([[country, counters]]),
      })),
    );
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
