import { nearestNames } from '../../contract/document/nearest-names.ts';
import { isPlain, shown } from '../props/shown.ts';
import type { EventFilter } from '../public/filters.ts';
import type { SubscribeOptions } from '../public/sms-events.ts';

const options: { readonly [Name in keyof SubscribeOptions]-?: true } = { id: true };
const partsOfFilter: { readonly [Name in keyof EventFilter]-?: true } = { detailTypes: true, detail: true };

/** The arguments of a subscription, which an app of JavaScript may give in any form. */
interface Arguments {
  readonly filter: unknown;
  readonly target: unknown;
  readonly options: unknown;
}

/** Returns a line for each argument of another kind than the compiler accepts, and for each option that does not exist. */
export function malformedSubscription({ filter, target, options: given }: Arguments): readonly string[] {
  const problems: string[] = [];
  if (!isPlain(filter) || isTarget(filter))
    problems.push(
      `filter: found ${isTarget(filter) ? 'a target' : shown(filter)}, expected an object with fields, for example {} for all events`,
    );
  if (!isTarget(target))
    problems.push(`target: found ${shown(target)}, expected a target, for example Target.lambda(fn)`);
  return [...problems, ...malformedIn('options', given, Object.keys(options))];
}

/** Returns a line for each wrong part of the filter of onEvent, whose field `detail` is checked with the other filters. */
export function malformedEventFilter(filter: unknown): readonly string[] {
  const problems = malformedIn('filter', filter, Object.keys(partsOfFilter));
  if (problems.length > 0 || !isPlain(filter)) return problems;
  const { detailTypes, detail = {} } = Object.fromEntries<unknown>(Object.entries(filter));
  if (!Array.isArray(detailTypes))
    return [
      `detailTypes: found ${detailTypes === undefined ? 'nothing' : shown(detailTypes)}, expected a list, for example [DetailType.OPT_OUT]`,
    ];
  return isPlain(detail) ? [] : [`detail: found ${shown(detail)}, expected an object with fields`];
}

function malformedIn(path: string, value: unknown, names: readonly string[]): readonly string[] {
  if (!isPlain(value))
    return [`${path}: found ${shown(value)}, expected an object with ${names.join(' and ')}`];
  return Object.keys(value).flatMap((name) => {
    if (names.includes(name)) return [];
    const [near] = nearestNames(name, names);
    return [`${path}.${name}: does not exist${near === undefined ? '' : `; did you mean ${near}?`}`];
  });
}

function isTarget(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bind' in value && typeof value.bind === 'function';
}
