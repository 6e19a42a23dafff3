import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { UserError } from '../terminal/terminal.ts';

const stateSchema = z.object({
  /** When the sample began; milliseconds since the epoch. */
  begun: z.number(),
  /** Up to when a fill has played it; missing while the first one is under way. */
  filledUntil: z.number().exactOptional(),
});

/** What a run with kept tables knows of the sample in them. */
export type SampleState = z.output<typeof stateSchema>;

/** Remembers the sample of kept tables. Without a file it remembers nothing. */
export interface SampleStateFile {
  /** Undefined for tables without a sample. @throws UserError for a file that no run wrote */
  read(): SampleState | undefined;
  write(state: SampleState): void;
}

/** @param file undefined if the tables are not kept */
export function sampleStateFile(file: string | undefined): SampleStateFile {
  return {
    read() {
      if (file === undefined || !existsSync(file)) return undefined;
      const state = stateSchema.safeParse(jsonOf(readFileSync(file, 'utf8')));
      if (state.success) return state.data;
      throw new UserError(`${file} cannot be read: remove its folder, and the next run fills new tables`);
    },
    write(state) {
      if (file !== undefined) writeFileSync(file, JSON.stringify(state));
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
