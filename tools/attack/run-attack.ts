import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';

/** An attack by property: attempts of any shape, and what must hold for each. */
export interface Attack<T> {
  readonly name: string;
  readonly attempts: Arbitrary<T>;
  /** @returns what became of it, in a word, for the tally. @throws where a promise was broken */
  readonly attempt: (attempt: T) => Promise<string>;
}

/** The result of an attack. */
interface AttackResult {
  readonly name: string;
  readonly attempts: number;
  /** How often each outcome was seen. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The broken promises, each with the seed and path that repeat it and the smallest attempt that was found. */
  readonly findings: readonly string[];
}

/** Attempts of one seed: so many are repeated, at most, to see a finding again. */
const chunk = 10_000;
const maxFindings = 5;

/**
 * Makes attempts until there were so many, or enough findings.
 *
 * @param open makes the attacked instance; each chunk has a new one, so that its seed alone repeats a finding
 * @param seed of the first chunk; each later one adds 1
 */
export async function runAttack<T>(
  open: () => Attack<T>,
  attempts: number,
  seed: number,
): Promise<AttackResult> {
  const outcomes = new Map<string, number>();
  const findings: string[] = [];
  let made = 0;
  for (let chunks = 0; made < attempts && findings.length < maxFindings; chunks++) {
    const { attempts: arbitrary, attempt } = open();
    const property = fc.asyncProperty(arbitrary, async (value) => {
      const outcome = await attempt(value);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
    const numRuns = Math.min(chunk, attempts - made);
    const details = await fc.check(property, { numRuns, seed: seed + chunks });
    made += details.numRuns;
    if (!details.failed) continue;
    const { errorInstance = 'interrupted', counterexamplePath, counterexample } = details;
    findings.push(
      `FOUND (seed ${details.seed}, path ${counterexamplePath}): ${errorInstance}\n  ${fc.stringify(counterexample).slice(0, 4000)}`,
    );
  }
  return { name: open().name, attempts: made, outcomes, findings };
}

/** A result for people. */
export function renderAttack({ name, attempts, outcomes, findings }: AttackResult): string {
  const seen = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, times]) => `${outcome} ${times}`);
  return [
    `${name}: ${attempts} attempts, ${findings.length} findings`,
    `  outcomes: ${seen.join(', ')}`,
    ...findings,
  ].join('\n');
}
