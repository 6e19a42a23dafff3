import type { Run } from './run.ts';

/** Something that happens to a running pipeline. */
export interface Incident<R extends Run = Run> {
  readonly name: string;
  /**
   * Lets it happen; resolves when it is over, and all that it sent is acknowledged.
   *
   * @returns how often it happened
   * @throws Error if it did not
   */
  happen(run: R, context: IncidentContext): Promise<number>;
}

export interface IncidentContext {
  /** The cell in whose name it sends. */
  readonly cell: string;
  readonly random: () => number;
  /** Aborted once nothing may begin any more. */
  readonly signal: AbortSignal;
}
