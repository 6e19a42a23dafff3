import type { View } from '../print.ts';
import type { Change } from './contract-changes.ts';
import type { Writable } from './contract-to-write.ts';
import type { Discovery } from './discovery.ts';
import { showExample } from './show-example.ts';

/**
 * What was found, for machines. Examples are as people see them: such documents get around.
 *
 * @param writable what was written; undefined where nothing was
 */
export function discoveryJson(
  { captures, signature, bodies, bodiesUsed, proposals, reads }: Discovery,
  writable: Writable | undefined,
  changes: readonly Change[],
  view: View,
): unknown {
  return {
    captures,
    signature: signature ?? null,
    bodies: { used: bodiesUsed, readable: bodies.bodies.length },
    proposals: proposals.map(({ key, value, isCertain, rivals, example, note }) => ({
      place: key,
      value: value ?? null,
      found: value !== undefined,
      certain: isCertain,
      rivals,
      ...(example === undefined ? {} : { example: showExample(example, view) }),
      ...(note === undefined ? {} : { note }),
    })),
    events: {
      read: reads.events,
      of: reads.of,
      problems: reads.problems,
      withoutCountry: reads.withoutCountry,
    },
    written: writable !== undefined,
    ...(writable === undefined ? {} : { changes, missing: writable.missing }),
  };
}
