/** The functions that each event passes. */
export const functionNames = ['ingest', 'worker', 'publisher'] as const;
export type FunctionName = (typeof functionNames)[number];

/** What an event uses, on average. */
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

/** What `npm run bench -- events` measures. */
export interface MeasuredUsage {
  /** An event of a large send, which shares its batches with others. */
  readonly inSends: EventUsage;
  /** An event that is alone in each of its batches. */
  readonly alone: EventUsage;
}
