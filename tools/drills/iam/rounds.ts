import type { FunctionGrant } from '../../../local/iam/access.ts';
import type { PermissionFile } from '../../../local/iam/permission-file.ts';

/** Each grant of each function, those that are explained as unused left out. */
export function grantsOf({ functions }: PermissionFile): FunctionGrant[] {
  return functions.flatMap(({ name, granted }) =>
    granted.flatMap(({ action, resource, unusedBecause }) =>
      unusedBecause === undefined ? [{ function: name, action, resource }] : [],
    ),
  );
}

/** Deals grants into rounds in which each function lacks one at most. */
export function roundsOf(grants: readonly FunctionGrant[]): FunctionGrant[][] {
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
export function denialsOf({ functions }: PermissionFile, grant: FunctionGrant): number {
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
