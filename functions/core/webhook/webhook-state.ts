import type { Drift } from './drift.ts';

/** What this pipeline wants of the service: set by registering and deactivating, followed by reconciling. */
export type Wanted = 'registered' | 'deactivated';

/** What is known about the webhook besides its secret. Times are ISO 8601 in UTC. */
export interface WebhookState {
  /** Undefined until the first registration. */
  readonly wanted?: Wanted;
  readonly lastReconcile?: LastReconcile;
  /** When the service was last asked for its secret and the answer stored: it had no other one before. */
  readonly confirmedAt?: string;
  /** What was found changed elsewhere and not put right. */
  readonly drift?: { readonly kinds: readonly Drift[]; readonly since: string };
  /** When a request was last received that was verified; to within a minute. */
  readonly lastVerifiedAt?: string;
}

export interface LastReconcile {
  readonly at: string;
  /** Why it failed, a kind of the setup function's failures; absent where it did not. */
  readonly failure?: string;
}
