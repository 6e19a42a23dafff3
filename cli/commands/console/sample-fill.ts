import type { EventEmitter } from 'node:events';
import * as z from 'zod';

const report = z.object({ sampleFill: z.object({ sent: z.int(), all: z.int() }).nullable() });

/** How many events of a sample a local run has sent, of how many. */
export type SampleFill = NonNullable<z.output<typeof report>['sampleFill']>;

/**
 * Follows how far the local run that started this process is with filling its tables.
 *
 * @param source the process, which gets the reports
 */
export function followSampleFill(source: Pick<EventEmitter, 'on' | 'off'>) {
  let newest: SampleFill | undefined;
  const listen = (message: unknown) => {
    const read = report.safeParse(message);
    if (read.success) newest = read.data.sampleFill ?? undefined;
  };
  source.on('message', listen);
  return {
    /** Returns undefined while nothing is filled. */
    newest: () => newest,
    stop: () => void source.off('message', listen),
  };
}
