import type { RecordCounts } from './record.ts';

/**
 * What is left of an erasure: that it was done, when, and how much it took. Neither the number nor a hash of it: there are
 * so few numbers that all of them can be hashed and compared.
 */
export interface ErasureReceipt {
  readonly id: string;
  readonly state: 'running' | 'done';
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Undefined while it is running, or broke off. */
  readonly finishedAt?: string;
  /** What was deleted so far. */
  readonly counts: RecordCounts;
  /** Version of the tool that began it. */
  readonly toolVersion: string;
  /** Whether the number's opt-out stays, so that it is not written to again. */
  readonly keepOptOut: boolean;
}
