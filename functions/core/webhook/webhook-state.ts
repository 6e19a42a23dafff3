import type { detailTypes } from '../bus/detail-types.ts';
import type { Details } from '../bus/details.ts';
import type { Drift } from './drift.ts';

/** What this pipeline wants of the service: set by registering and deactivating, followed by reconciling. */
export type Wanted = 'registered' | 'deactivated';

/** What is known about the webhook besides its secret. Times are ISO 8601 in UTC. */
export interface WebhookState {
  /** Undefined until the first registration. */
  readonly wanted?: Wanted;
  readonly lastReconcile?: LastReconcile;
  readonly confirmed?: Confirmed;
  /** What was found changed elsewhere and not put right. */
  readonly drift?: { readonly kinds: readonly Drift[]; readonly since: string };
  /** When each thing was last found changed elsewhere by the run that tells it. */
  readonly lastTold?: Readonly<Partial<Record<Drift, string>>>;
  /** What was found changed elsewhere and the bus has not confirmed yet, the oldest first. */
  readonly pendingDrift?: readonly PendingDrift[];
  /** When a request was last received that was verified; to within a minute. */
  readonly lastVerifiedAt?: string;
}

/** The detail of an event to publish, its id included: told as it was found, whenever that is. */
export type PendingDrift = Details[typeof detailTypes.webhookDrifted];

/** The service was asked for its secret at a time, and it is the current one of a version of the stored document. */
export interface Confirmed {
  readonly at: string;
  readonly versionId: string;
}

export interface LastReconcile {
  readonly at: string;
  /** Why it failed, a kind of the setup function's failures; absent where it did not. */
  readonly failure?: string;
}
