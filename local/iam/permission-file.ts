import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({
  functions: z.array(
    z.object({
      /** What the function is called for people. */
      name: z.string(),
      granted: z.array(
        z.object({
          action: z.string(),
          resource: z.string(),
          /** How often it was needed. */
          used: z.number(),
          /** Why it is granted though no run on one machine needs it. */
          unusedBecause: z.string().optional(),
        }),
      ),
      /** What it was refused. */
      denied: z.array(z.object({ action: z.string(), resource: z.string(), times: z.number() })),
    }),
  ),
});

/** What the functions of a run were allowed, and what of it they needed: `permissions.json` in the run's folder. */
export type PermissionFile = z.infer<typeof schema>;

export function writePermissionFile(file: string, content: PermissionFile): void {
  // Renamed into place, so that a reader never meets half of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** @throws Error if there is no such file, or it is none of these */
export function readPermissionFile(file: string): PermissionFile {
  return parsePermissions(readFileSync(file, 'utf8'));
}

/** @throws Error if the text is none of these */
export function parsePermissions(text: string): PermissionFile {
  return schema.parse(JSON.parse(text));
}

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
