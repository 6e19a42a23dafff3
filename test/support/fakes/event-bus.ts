import type { BusEvent } from '../../../functions/publish/bus/details.ts';
import type { EventBus, PublishOutcome } from '../../../functions/publish/bus/event-bus-client.ts';

/** What becomes of an event that is published for the nth time in all, the first being 0. */
export type Judge = (event: BusEvent, asked: number) => PublishOutcome;

const published: PublishOutcome = { kind: 'published' };
const maxBytes = 262_144;

/** A bus in memory that shows what was published. */
export function memoryBus(judge: Judge = () => published) {
  const onBus: BusEvent[] = [];
  const calls: (readonly BusEvent[])[] = [];
  let asked = 0;
  const outcomeOf = (event: BusEvent): PublishOutcome =>
    Buffer.byteLength(JSON.stringify(event.detail)) > maxBytes
      ? { kind: 'refused', error: 'TooLarge' }
      : judge(event, asked++);
  const bus: EventBus = {
    async publish(events, deadline) {
      calls.push(events);
      return events.map((event) => {
        const outcome: PublishOutcome = deadline?.isOver()
          ? { kind: 'failed', error: 'OutOfTime' }
          : outcomeOf(event);
        if (outcome.kind === 'published') onBus.push(event);
        return outcome;
      });
    },
  };
  return { ...bus, published: onBus, calls };
}
