/** The functions that each event passes. */
export const functionNames = ['ingest', 'worker', 'publisher'] as const;
export type FunctionName = (typeof functionNames)[number];

/** What an event takes, on average. */
export interface EventUsage {
  readonly cpuMs: Readonly<Record<FunctionName, number>>;
  readonly invocations: Readonly<Record<FunctionName, number>>;
  readonly memoryMiB: Readonly<Record<FunctionName, number>>;
  /** Write units of the table, of its indexes, and of writes that changed nothing. */
  readonly writeUnits: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
  readonly publishedEvents: number;
  /** Bytes of the logs of the three functions, with the 26 that CloudWatch adds to a line. */
  readonly logBytes: number;
}
