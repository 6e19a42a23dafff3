// The answers of the console's own server; those of the query API come from docs/reference/openapi.json.

export type Role = 'viewer' | 'support' | 'operator';

/** Who uses the console, and what they may do. */
export interface Session {
  readonly pipeline: string;
  readonly role: Role;
  readonly place: 'local' | 'loopback' | 'deployed';
  /** Whether the server masks numbers until a request asks for whole ones. */
  readonly masked: boolean;
  /** Whether whole numbers may be shown and downloaded. */
  readonly canReveal: boolean;
  readonly canReplay: boolean;
  /** False where the state of the pipeline is not read. */
  readonly canReadHealth?: boolean;
}

/** The id of an operator's entry in the register of opt-outs begins with this. */
export const manualPrefix = 'manual-';

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

/** What a replay did with an entry of the quarantine. */
export interface Replayed {
  /** `sent`: the worker processes it within seconds. Otherwise the entry stays. */
  readonly outcome: string;
  /** Why it stays. */
  readonly why: string | null;
}
