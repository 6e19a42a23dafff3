import { isDeepStrictEqual } from 'node:util';
import type { Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { statefulResources } from '../../check/stateful-resources.ts';
import { exportsOf } from '../../check/template-problems.ts';

/** Returns the line that says what is compared; without an earlier release nothing can be found that a release would break. */
export function comparison(from: string | undefined, next: string): string {
  return from === undefined
    ? `compared with itself, as ${next}: no tag v* of an earlier release is here. That shows nothing about a change between releases.`
    : `from ${from} to the sources here, as ${next}`;
}

/**
 * Lists what an update from one set of stacks to another would lose or refuse, a line each: a resource with data that is replaced or gone, or
 * no longer retained, and an export that a stack still imports while it is updated.
 */
export function upgradeProblems(before: readonly Stack[], after: readonly Stack[], prefix: string): string[] {
  const next = statefulResources(after, prefix);
  const resources = Object.entries(statefulResources(before, prefix)).flatMap(([id, pinned]) => {
    const found = next[id];
    if (found === undefined) return [`${id}: gone, or under another logical id`];
    return [...new Set([...Object.keys(pinned), ...Object.keys(found)])]
      .filter((name) => !isDeepStrictEqual(pinned[name], found[name]))
      .map((name) => `${id}: another ${name}`);
  });
  const exported = new Set(after.flatMap(exportsOf));
  const removed = before.flatMap(exportsOf).filter((name) => !exported.has(name));
  return [...resources, ...removed.map((name) => `export ${name}: gone`)];
}
