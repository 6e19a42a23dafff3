import { z } from 'zod';

const eventSchema = z.looseObject({
  'detail-type': z.string(),
  source: z.string(),
  detail: z.looseObject({ version: z.number(), eventId: z.string() }),
});
const publishedSchema = z.array(eventSchema);
const publishedAfterSchema = z.object({
  next: z.number(),
  events: z.array(z.object({ at: z.number(), event: eventSchema })),
});

const faultStateSchema = z.object({ asked: z.number(), refused: z.number() });

/** An event as it was published, with its envelope. */
export type PublishedEvent = z.output<typeof eventSchema>;

export interface BusFaults {
  /** The share of rejected entries in each call; 0 to 1. */
  readonly refuseShare?: number;
  /** Whether every call is throttled. */
  readonly throttle?: boolean;
}

/** The bus of a pipeline on this machine. */
export type LocalBus = ReturnType<typeof localBus>;

/** @param port the first of the pipeline's five */
export function localBus(port: number) {
  const url = `http://127.0.0.1:${port + 4}/local/event-bridge`;
  const call = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await fetch(`${url}/${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const read = async (path: string): Promise<unknown> => JSON.parse(await call(path));
  return {
    /** Everything published so far, oldest first; of very much only the newest. */
    published: async () => publishedSchema.parse(await read('events')),
    /** Returns the events after the first `count`, each with its time (ms since the epoch), and the count for the next call. */
    publishedAfter: async (count: number) => publishedAfterSchema.parse(await read(`events?after=${count}`)),
    fail: async (faults: BusFaults) =>
      void (await call('faults', { method: 'PUT', body: JSON.stringify(faults) })),
    recover: async () => void (await call('faults', { method: 'DELETE' })),
    /** Entries the bus was asked to take, and those that its faults refused, since the faults were set. */
    counts: async () => faultStateSchema.parse(await read('faults')),
  };
}
