import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const schema = z.object({
  functions: z.array(
    z.object({
      /** The function's label. */
      name: z.string(),
      granted: z.array(
        z.object({
          action: z.string(),
          resource: z.string(),
          /** The number of uses. */
          used: z.number(),
          /** The reason for a grant that no run on one machine uses. */
          unusedBecause: z.string().optional(),
        }),
      ),
      /** The permissions that it lacked. */
      denied: z.array(z.object({ action: z.string(), resource: z.string(), times: z.number() })),
    }),
  ),
});

/** The permissions of a run's functions and their uses: `permissions.json` in the run's folder. */
export type PermissionFile = z.infer<typeof schema>;

export function writePermissionFile(file: string, content: PermissionFile): void {
  // The file is renamed into place, so that a reader never sees a part of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** @throws Error if the file does not exist or is invalid */
export function readPermissionFile(file: string): PermissionFile {
  return parsePermissions(readFileSync(file, 'utf8'));
}

/** @throws Error if the text is invalid */
export function parsePermissions(text: string): PermissionFile {
  return schema.parse(JSON.parse(text));
}

/** A grant that no run used. */
export interface UnusedGrant {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** The reason in the metadata `UnusedGrants` of the role. */
  readonly because: string | undefined;
}

/** The grants that no function used in any of the runs, in the order of the files. */
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
