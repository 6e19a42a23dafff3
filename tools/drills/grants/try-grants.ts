import { setTimeout as delay } from 'node:timers/promises';
import type { FunctionGrant } from '../../../local/iam/access.ts';
import type { PermissionFile } from '../../../local/iam/permission-file.ts';
import type { ExerciseOutcome } from './run-exercises.ts';
import type { PermissionControl } from './test-bed.ts';

/** The way in which a missing grant was noticed; `survived`: it was not noticed. */
export type Noticed = 'by Lambda' | 'by a denied call' | 'by its exercise alone' | 'survived';

export interface GrantVerdict {
  readonly grant: FunctionGrant;
  readonly noticed: Noticed;
}

const lookMs = 100;

/** Has a function do its exercise. Never throws. */
type Run = (functionName: string, signal: AbortSignal) => Promise<ExerciseOutcome>;

export interface Trial {
  readonly permissions: PermissionControl;
  readonly run: Run;
  /** As `run`, and not deterred by a failure that may be anybody's fault. */
  readonly insist: Run;
  readonly say: (line: string) => void;
}

/**
 * Takes each grant away, has the function do its exercise, and gives the grant back. Several functions at once lack one each: then
 * a denied call counts alone, since an exercise may fail for what another function lacks. Where there was none, the function is
 * tried again with all others as they should be.
 */
export async function tryGrants(
  { permissions, run, insist, say }: Trial,
  grants: readonly FunctionGrant[],
): Promise<GrantVerdict[]> {
  const verdicts: GrantVerdict[] = [];
  const doubtful: FunctionGrant[] = [];
  const rounds = roundsOf(grants);
  for (const [index, round] of rounds.entries()) {
    const results = await tryRound(permissions, round, run);
    const noticed = results.filter((result) => result.noticed !== undefined).length;
    say(`round ${index + 1} of ${rounds.length}: ${noticed} of ${round.length} denied`);
    for (const { grant, noticed, failure } of results)
      if (noticed !== undefined) verdicts.push({ grant, noticed });
      else {
        say(`  ${grant.function} was not denied ${grant.action}: ${failure ?? 'its exercise passed'}`);
        doubtful.push(grant);
      }
  }
  for (const grant of doubtful) {
    say(`alone: ${grant.function} without ${grant.action} on ${grant.resource}`);
    for (const { noticed, failure } of await tryRound(permissions, [grant], insist)) {
      if (failure !== undefined) say(`  ${failure}`);
      const otherwise =
        failure !== undefined && (await passes(grant.function)) ? 'by its exercise alone' : 'survived';
      verdicts.push({ grant, noticed: noticed ?? otherwise });
    }
  }
  return verdicts;

  /** With the grant given back: else it was not for want of it that the exercise failed. */
  async function passes(functionName: string): Promise<boolean> {
    return (await insist(functionName, new AbortController().signal)).failure === undefined;
  }
}

interface RoundResult {
  readonly grant: FunctionGrant;
  /** Undefined if no call was denied. */
  readonly noticed: 'by Lambda' | 'by a denied call' | undefined;
  /** The error of the exercise, if no call was denied. */
  readonly failure: string | undefined;
}

async function tryRound(
  permissions: PermissionControl,
  round: readonly FunctionGrant[],
  run: Run,
): Promise<RoundResult[]> {
  const before = await permissions.read();
  const isDenied = async (grant: FunctionGrant) =>
    denialsOf(await permissions.read(), grant) > denialsOf(before, grant);
  await permissions.withhold(round);
  const results = await Promise.all(
    round.map((grant) =>
      tryGrant(
        grant,
        () => isDenied(grant),
        (signal) => run(grant.function, signal),
      ),
    ),
  );
  await permissions.withhold([]);
  return results;
}

async function tryGrant(
  grant: FunctionGrant,
  isDenied: () => Promise<boolean>,
  run: (signal: AbortSignal) => Promise<ExerciseOutcome>,
): Promise<RoundResult> {
  const result = (noticed: RoundResult['noticed'], failure?: string): RoundResult => {
    return { grant, noticed, failure };
  };
  if (await isDenied()) return result('by Lambda');
  const breakOff = new AbortController();
  let outcome: ExerciseOutcome | undefined;
  void run(breakOff.signal).then((came) => {
    outcome = came;
  });
  for (;;) {
    // Before the question, so that nothing is missed that was denied until then.
    const cameToEnd = outcome;
    if (await isDenied()) {
      breakOff.abort();
      return result('by a denied call');
    }
    if (cameToEnd !== undefined) return result(undefined, cameToEnd.failure);
    await delay(lookMs);
  }
}

/** Each grant of each function, those that are explained as unused left out. */
export function grantsOf({ functions }: PermissionFile): FunctionGrant[] {
  return functions.flatMap(({ name, granted }) =>
    granted.flatMap(({ action, resource, unusedBecause }) =>
      unusedBecause === undefined ? [{ function: name, action, resource }] : [],
    ),
  );
}

/** Deals grants into rounds in which each function lacks one at most. */
function roundsOf(grants: readonly FunctionGrant[]): FunctionGrant[][] {
  const rounds: FunctionGrant[][] = [];
  const dealt = new Map<string, number>();
  for (const grant of grants) {
    const round = dealt.get(grant.function) ?? 0;
    dealt.set(grant.function, round + 1);
    const others = rounds[round];
    if (others) others.push(grant);
    else rounds.push([grant]);
  }
  return rounds;
}

/** How often a function was denied what a grant is for. */
function denialsOf({ functions }: PermissionFile, grant: FunctionGrant): number {
  const isFor = patternOf(grant.resource);
  return functions
    .filter(({ name }) => name === grant.function)
    .flatMap(({ denied }) => denied)
    .filter(({ action, resource }) => action === grant.action && isFor.test(resource))
    .reduce((sum, { times }) => sum + times, 0);
}

/** A resource with the wildcards of policies: `*` is any text, `?` one character. */
function patternOf(resource: string): RegExp {
  const escaped = resource.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}
