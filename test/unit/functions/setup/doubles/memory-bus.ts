import type { BusEvent } from '../../../../../functions/bus/details.ts';
import type { EventBus, PublishOutcome } from '../../../../../functions/bus/event-bus-client.ts';

/** A bus that keeps what is published; `answers` are what became of the events of each call, then all are published. */
export function createMemoryBus(...answers: readonly (readonly PublishOutcome[])[]) {
  const published: BusEvent[] = [];
  const calls: (readonly BusEvent[])[] = [];
  const bus: EventBus = {
    publish: async (events) => {
      const outcomes = answers[calls.length] ?? events.map(() => ({ kind: 'published' }) as const);
      calls.push(events);
      published.push(...events.filter((_, index) => outcomes[index]?.kind === 'published'));
      return outcomes;
    },
  };
  return { ...bus, published, calls };
}
