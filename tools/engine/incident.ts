import type { Run } from './run.ts';

/** A disturbance of a running pipeline. */
export interface Incident<R extends Run = Run> {
  readonly name: string;
  /**
   * Makes it happen. Resolves when it is over, and all requests that it sent are acknowledged.
   *
   * @returns how often it happened
   * @throws Error if it did not happen
   */
  happen(run: R, context: IncidentContext): Promise<number>;
}

export interface IncidentContext {
  /** The ids of all that it sends begin with this cell. */
  readonly cell: string;
  readonly random: () => number;
  /** Aborted when it may begin nothing more. */
  readonly signal: AbortSignal;
}
