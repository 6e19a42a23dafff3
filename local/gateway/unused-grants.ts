import type { PermissionFile } from './permission-file.ts';

/** Something that is granted and that no run used. */
export interface UnusedGrant {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** Said beside the grant, in the metadata `UnusedGrants` of the role. */
  readonly because: string | undefined;
}

/** What functions were granted in any of some runs and needed in none, in the order of the files. */
export function unusedGrants(runs: readonly PermissionFile[]): UnusedGrant[] {
  const unused = new Map<string, UnusedGrant>();
  const used = new Set<string>();
  for (const { name, granted } of runs.flatMap(({ functions }) => functions)) {
    for (const { action, resource, used: times, unusedBecause: because } of granted) {
      const key = `${name} ${action} ${resource}`;
      if (times > 0) used.add(key);
      else unused.set(key, { functionName: name, action, resource, because });
    }
  }
  return [...unused].filter(([key]) => !used.has(key)).map(([, grant]) => grant);
}
