import { Token } from 'aws-cdk-lib';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import type { AutomationConfig } from './automation-config.ts';
import type { NamedGroups } from './option-kinds.ts';
import { type GroupName, isGroupName, pathOf, rowsOf } from './option-table.ts';

/**
 * Returns a line for each prop that does not exist, and for each value of another kind than its prop. The compiler reports them too, except in
 * an app of JavaScript.
 */
export function malformedProps(props: unknown): readonly string[] {
  if (!isPlain(props))
    return [`props: found ${shown(props)}, expected an object with the props of the pipeline`];
  const problems = malformedIn('pipeline', props);
  if (problems.length > 0) return problems;
  const automations: readonly { readonly _config: AutomationConfig }[] = Object(props).automations ?? [];
  return automations.flatMap(({ _config: config }) =>
    config.kind === 'deliveryWatch' ? [] : malformedIn(`automations.${config.kind}`, config.props),
  );
}

/** @param at the path of the props, if it is not that of their group */
function malformedIn(group: GroupName, props: object, at: string = group): readonly string[] {
  const rows = new Map(rowsOf(group));
  const given = new Map<string, unknown>(Object.entries(props));
  const missing = rowsOf(group).flatMap(([name, row]) =>
    row.kind === 'other' && row.isRequired && given.get(name) === undefined
      ? [`${pathOf(at, name)}: found nothing, expected ${row.shape.expected}`]
      : [],
  );
  const wrong = [...given].flatMap(([name, value]) => {
    const path = pathOf(at, name);
    const row = rows.get(name);
    if (row === undefined) {
      const [near] = nearestNames(name, [...rows.keys()]);
      return [`${path}: not a prop${near === undefined ? '' : `; did you mean ${pathOf(at, near)}?`}`];
    }
    if (value === undefined) return [];
    if (row.kind === 'group' || row.kind === 'groups') {
      if (!isGroupName(path)) return [];
      return isPlain(value)
        ? row.kind === 'group'
          ? malformedIn(path, value)
          : malformedByName(path, row, value)
        : [`${path}: found ${shown(value)}, expected an object with props, for example {}`];
    }
    return row.shape.fits(value) ? [] : [`${path}: found ${shown(value)}, expected ${row.shape.expected}`];
  });
  return [...missing, ...wrong];
}

function malformedByName(group: GroupName, { of, names }: NamedGroups, groups: object): readonly string[] {
  return Object.entries(groups).flatMap(([name, value]) => {
    const path = pathOf(group, name);
    if (!names.includes(name)) {
      const [near] = nearestNames(name, [...names]);
      return [`${path}: not ${of}${near === undefined ? '' : `; did you mean ${near}?`}`];
    }
    if (value === undefined) return [];
    return isPlain(value)
      ? malformedIn(group, value, path)
      : [`${path}: found ${shown(value)}, expected an object with props, for example {}`];
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value for a message. Texts are not shown: one may be a key. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Token.isUnresolved(value)) return 'a token of CDK, whose value is known at deployment only';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `the ${typeof value} ${String(value)}`;
}
