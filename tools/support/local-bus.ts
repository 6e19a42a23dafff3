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

/** Entries the bus was asked to take, and those that its faults refused, since the faults were set. */
type FaultCounts = z.output<typeof faultStateSchema>;

/** An event as it was published, with its envelope. */
export type PublishedEvent = z.output<typeof eventSchema>;

export interface BusFaults {
  /** The share of rejected entries in each call; 0 to 1. */
  readonly refuseShare?: number;
  /** Whether every call is throttled. */
  readonly throttle?: boolean;
}

/** The bus of a pipeline on this machine. */
export interface LocalBus {
  /** Everything published so far, oldest first; of very much only the newest. */
  published(): Promise<PublishedEvent[]>;
  /** Returns the events after the first `count`, each with its time (ms since the epoch), and the count for the next call. */
  publishedAfter(count: number): Promise<z.output<typeof publishedAfterSchema>>;
  fail(faults: BusFaults): Promise<void>;
  recover(): Promise<void>;
  counts(): Promise<FaultCounts>;
}

/** @param port the first of the pipeline's five */
export function localBus(port: number): LocalBus {
  const url = `http://127.0.0.1:${port + 4}/local/event-bridge`;
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(`${url}/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    published: async () => publishedSchema.parse(await (await call('events')).json()),
    publishedAfter: async (count) =>
      publishedAfterSchema.parse(await (await call(`events?after=${count}`)).json()),
    fail: async (faults) => {
      const response = await call('faults', { method: 'PUT', body: JSON.stringify(faults) });
      await response.body?.cancel();
    },
    recover: async () => {
      const response = await call('faults', { method: 'DELETE' });
      await response.body?.cancel();
    },
    counts: async () => faultStateSchema.parse(await (await call('faults')).json()),
  };
}
