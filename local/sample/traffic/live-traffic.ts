import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { createRandom } from '../../sms-service/random.ts';
import { createConversations } from './conversations.ts';
import { customers } from './customers.ts';
import type { SampleEvent } from './sample-event.ts';

export interface LiveOptions {
  readonly contract: Contract;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly seed: number;
  /** Events that are received later, and belong to the traffic too. */
  readonly later: readonly SampleEvent[];
}

export interface LiveTraffic {
  /** Returns the events that are received until a time, in their order, each once. */
  due(until: number): SampleEvent[];
}

/** The time from one message to the next, on average: short at first, so that a viewer sees figures move, and later that of a usual hour. */
const gaps = { firstMs: 12_000, lastMs: 240_000, growForMs: 1_800_000 };

/** This share of the messages belongs to the send of the hour. */
const sentInBulk = 0.8;

/** Makes slow traffic that does not end: a send each hour, and single messages. */
export function createLiveTraffic({ contract, start, seed, later }: LiveOptions): LiveTraffic {
  const random = createRandom(seed);
  const none = { country: '', from: 0, until: 0, lost: 0, reason: 'unknown' } as const;
  const { play, events } = createConversations({ contract, random, styles: new Map(), incident: none });
  let nextAt = start;
  let taken = 0;
  let waiting = later;

  function playNext(): void {
    const to = customers[Math.floor(random() ** 1.5 * customers.length)];
    const [day, hour] = new Date(nextAt).toISOString().split(/[T:]/);
    const send = random() < sentInBulk ? { sendId: `order-updates-${day}-${hour}h` } : {};
    if (to !== undefined) play({ to, startsAt: Math.round(nextAt), quality: 0, ...send });
    const grown = Math.min(1, (nextAt - start) / gaps.growForMs);
    nextAt += 2 * random() * (gaps.firstMs + grown * (gaps.lastMs - gaps.firstMs));
  }

  return {
    due(until) {
      while (nextAt <= until) playNext();
      const all = [...waiting, ...events().slice(taken)];
      taken = events().length;
      waiting = all.filter(({ at }) => at > until);
      return all.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    },
  };
}
