/** What a check says of what it saw. */
export interface Verdict {
  readonly state: VerdictState;
  readonly found: string;
  /** What to do next. */
  readonly hint?: string;
}

export const verdictStates = ['ok', 'warn', 'failed', 'skipped'] as const;

type VerdictState = (typeof verdictStates)[number];

/** The name of a check, which does not change, and what it says. */
export type NamedVerdict = readonly [check: string, verdict: Verdict];

export const ok = (found: string): Verdict => ({ state: 'ok', found });
export const warn = (found: string, hint: string): Verdict => ({ state: 'warn', found, hint });
export const failed = (found: string, hint: string): Verdict => ({ state: 'failed', found, hint });
export const skipped = (found: string): Verdict => ({ state: 'skipped', found });

const byGravity = ['failed', 'warn', 'ok', 'skipped'] as const satisfies readonly VerdictState[];

/** Returns the worst of several checks of one thing, with its name; the names of those that are ok if none is worse. */
export function worstOf(checks: readonly NamedVerdict[]): Verdict {
  const gravity = ({ state }: Verdict) => byGravity.indexOf(state);
  const [[check, worst] = ['', ok('')]] = checks.toSorted(([, a], [, b]) => gravity(a) - gravity(b));
  if (worst.state === 'ok' || worst.state === 'skipped')
    return ok(checks.flatMap(([name, { state }]) => (state === 'ok' ? [name] : [])).join(', '));
  return { ...worst, found: `${check}: ${worst.found}` };
}
