/** What a check says of what it saw. */
export interface Verdict {
  readonly state: VerdictState;
  readonly found: string;
  /** What to do next. */
  readonly hint?: string;
}

export const verdictStates = ['ok', 'warn', 'failed', 'skipped'] as const;

type VerdictState = (typeof verdictStates)[number];

export const ok = (found: string): Verdict => ({ state: 'ok', found });
export const warn = (found: string, hint: string): Verdict => ({ state: 'warn', found, hint });
export const failed = (found: string, hint: string): Verdict => ({ state: 'failed', found, hint });
export const skipped = (found: string): Verdict => ({ state: 'skipped', found });
