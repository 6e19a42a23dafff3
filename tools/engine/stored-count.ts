import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const metricLine = z.looseObject({
  EventsStored: z.union([z.number(), z.array(z.number())]).default(0),
});

/** How many events the worker says it has stored, by the metrics in its log; each line is read once. */
export function createStoredCount(directory: string): () => number {
  const file = join(directory, 'logs', 'worker.log');
  const buffer = Buffer.alloc(1024 * 1024);
  let position = 0;
  let count = 0;
  let rest = '';
  return () => {
    const log = openSync(file, 'r');
    try {
      for (;;) {
        const bytes = readSync(log, buffer, 0, buffer.length, position);
        if (bytes === 0) return count;
        position += bytes;
        const lines = (rest + buffer.toString('utf8', 0, bytes)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) count += storedIn(line);
      }
    } finally {
      closeSync(log);
    }
  };
}

function storedIn(line: string): number {
  if (!line.includes('"EventsStored"')) return 0;
  const { EventsStored } = metricLine.parse(JSON.parse(line));
  return [EventsStored].flat().reduce((sum, value) => sum + value, 0);
}
