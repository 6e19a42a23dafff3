import { isDeepStrictEqual } from 'node:util';
import { extendContract } from '../../functions/core/contract/extend.ts';
import { isObject } from './scalar.ts';

/** Sections of a contract that captures tell of. */
export const sections = ['webhook', 'events', 'statuses', 'errors', 'samples'] as const;

/**
 * Puts wanted sections into a contract's file. One that extends another keeps only what differs from that.
 *
 * @param own as the file holds it
 * @param base what it extends, resolved; undefined where it extends nothing
 * @param wanted sections with every default filled in
 */
export function withSections(
  own: Readonly<Record<string, unknown>>,
  base: unknown,
  wanted: Readonly<Partial<Record<(typeof sections)[number], unknown>>>,
): Record<string, unknown> {
  const changed = Object.entries(wanted).flatMap(([name, value]) => {
    if (!isObject(base) || base[name] === undefined) return [[name, value] as const];
    const difference = differing(base[name], value, name);
    return difference === undefined ? [] : [[name, difference] as const];
  });
  const kept = Object.entries(own).filter(([name]) => !Object.hasOwn(wanted, name));
  const all = new Map([...kept, ...changed]);
  const order = [...Object.keys(own), ...sections.filter((name) => !Object.hasOwn(own, name))];
  return Object.fromEntries(order.flatMap((name) => (all.has(name) ? [[name, all.get(name)]] : [])));
}

/** The least that makes `wanted` of `base` when it is laid over it; undefined where nothing has to. */
function differing(base: unknown, wanted: unknown, path: string): unknown {
  if (isDeepStrictEqual(base, wanted)) return undefined;
  if (!isObject(base) || !isObject(wanted)) return wanted;
  const least = Object.fromEntries(
    Object.entries(wanted).flatMap(([key, value]) => {
      const inner = Object.hasOwn(base, key) ? differing(base[key], value, `${path}.${key}`) : value;
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
  // Where another form replaces the base's as a whole, all of it is needed.
  return isDeepStrictEqual(laidOver(base, least, path), laidOver(base, wanted, path)) ? least : wanted;
}

/** As the pipeline will read it, at the place where it stands. */
function laidOver(base: unknown, own: unknown, path: string): unknown {
  const nest = (value: unknown) =>
    path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
  return path
    .split('.')
    .reduce(
      (inner: unknown, key) => (isObject(inner) ? inner[key] : undefined),
      extendContract(nest(base), nest(own)),
    );
}
