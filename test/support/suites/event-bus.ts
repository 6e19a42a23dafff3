import { describe, expect, it } from 'vitest';
import type { BusEvent } from '../../../functions/publish/bus/details.ts';
import type { EventBus } from '../../../functions/publish/bus/event-bus-client.ts';

/** An event whose reply has this id. */
export function optOutEvent(replyId: string): BusEvent {
  const occurredAt = '2026-01-15T12:00:00.000Z';
  return {
    detailType: 'SMS Opt-Out',
    detail: { version: 1, eventId: 'e', phone: '+12025550143', by: 'person', replyId, occurredAt },
  };
}

/** A bus, and what a test sees of it and does to it. */
interface ObservedBus extends EventBus {
  /** The details of the published events. */
  details(): Promise<unknown[]>;
  /** Makes the bus throttle every call. */
  throttle(): unknown;
}

/** What the event bus promises. @param start is called for each test */
export function eventBusSuite(name: string, start: () => Promise<ObservedBus>): void {
  describe(`the event bus: ${name}`, () => {
    const published = { kind: 'published' };

    it('publishes each event once, and answers for each in its order', async () => {
      const { publish, details } = await start();
      const events = Array.from({ length: 23 }, (_, index) => optOutEvent(`r${index}`));
      expect(await publish(events)).toEqual(events.map(() => published));
      const found = await details();
      expect(found).toHaveLength(23);
      expect(found).toEqual(
        expect.arrayContaining(events.map(({ detail }) => expect.objectContaining(detail))),
      );
      expect(await publish([])).toEqual([]);
    });

    it('refuses an event alone that is too large', async () => {
      const { publish, details } = await start();
      const large = optOutEvent('é'.repeat(140_000));
      expect(await publish([optOutEvent('a'), large, optOutEvent('b')])).toEqual([
        published,
        { kind: 'refused', error: 'TooLarge' },
        published,
      ]);
      expect(await details()).toHaveLength(2);
    });

    it('reports events as failed while it is throttled, and does not throw', async () => {
      const { publish, details, throttle } = await start();
      await throttle();
      const failed = { kind: 'failed', error: 'ThrottlingException' };
      expect(await publish([optOutEvent('a'), optOutEvent('b')])).toEqual([failed, failed]);
      expect(await details()).toEqual([]);
    });

    it('publishes nothing after the deadline', async () => {
      const { publish, details } = await start();
      const failed = { kind: 'failed', error: 'OutOfTime' };
      expect(await publish([optOutEvent('a')], { isOver: () => true })).toEqual([failed]);
      expect(await details()).toEqual([]);
    });
  });
}
