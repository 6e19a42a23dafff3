import type { TimelineEntry } from '../../client/generated/types.gen.ts';

// The answers of the console's own server; those of the query API come from docs/openapi.json.

export type Role = 'viewer' | 'support' | 'operator';

/** Who uses the console, and what they may do. The server masks numbers for a viewer. */
export interface Session {
  readonly pipeline: string;
  readonly role: Role;
  readonly place: 'local' | 'loopback' | 'deployed';
  /** Whether full numbers may be shown and downloaded. */
  readonly canReveal: boolean;
  readonly canReplay: boolean;
}

/** One thing that a search found. */
export type SearchResult =
  | { readonly kind: 'number'; readonly of: string; readonly number: string }
  | { readonly kind: 'message'; readonly messageId: string }
  | { readonly kind: 'send'; readonly sendId: string };

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
}

/** What one reply, or one entry by an operator, says about a number. */
interface OptOutStatement {
  readonly state: 'out' | 'in';
  readonly at: string;
  readonly replyId: string;
  readonly reason?: string;
}

/** The id of an operator's entry in the register of opt-outs begins with this. */
export const manualPrefix = 'manual-';

/** The page of one number. `of` in its URL names a message or a reply of the number. */
export interface Conversation {
  readonly number: string;
  readonly optOut: {
    /** `none` where the number has never said anything about it. */
    readonly state: 'out' | 'in' | 'none';
    /** Newest first. */
    readonly statements: readonly OptOutStatement[];
  };
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  readonly next: string | null;
}

/** What a check of the pipeline found; the same that `sms doctor --json` prints. */
interface HealthCheck {
  /** The name of the check; it does not change. */
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'failed' | 'skipped';
  readonly found: string;
  /** What to do next. */
  readonly hint: string | null;
}

export interface Health {
  readonly healthy: boolean;
  readonly checks: readonly HealthCheck[];
}
