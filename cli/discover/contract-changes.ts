import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../functions/core/contract/contract.ts';
import { isObject } from './scalar.ts';

/** One place of a contract that says something else than before. */
export interface Change {
  readonly path: string;
  /** As JSON; undefined where there was nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a contract says otherwise than another; of samples only how many there are. */
export function changesOf(before: Contract, after: Contract): Change[] {
  const { webhook, events, statuses, errors } = before;
  const changes = differences(
    { webhook, events, statuses, errors },
    { webhook: after.webhook, events: after.events, statuses: after.statuses, errors: after.errors },
    [],
  );
  return isDeepStrictEqual(before.samples, after.samples)
    ? changes
    : [...changes, { path: 'samples', before: countOf(before), after: countOf(after) }];
}

function countOf({ samples }: Contract): string {
  return `${samples.length} ${samples.length === 1 ? 'sample' : 'samples'}`;
}

function differences(before: unknown, after: unknown, path: readonly string[]): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [{ path: path.join('.'), before: textOf(before), after: textOf(after) }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(before[key], after[key], [...path, key]),
  );
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
