import { nearestNames } from '../../contract/document/nearest-names.ts';
import type { AutomationConfig } from './automation-config.ts';
import { type GroupName, isGroupName, pathOf, rowsOf } from './option-table.ts';
import { isPlain, shown } from './shown.ts';

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
    config.kind === 'deliveryWatch' ? [] : malformedGroup(`automations.${config.kind}`, config.props),
  );
}

function malformedGroup(group: GroupName, props: unknown): readonly string[] {
  return isPlain(props)
    ? malformedIn(group, props)
    : [`${group}: found ${shown(props)}, expected an object with props, for example {}`];
}

function malformedIn(group: GroupName, props: object): readonly string[] {
  const rows = new Map(rowsOf(group));
  const given = new Map<string, unknown>(Object.entries(props));
  const missing = rowsOf(group).flatMap(([name, row]) =>
    row.kind === 'other' && row.isRequired && given.get(name) === undefined
      ? [`${pathOf(group, name)}: found nothing, expected ${row.shape.expected}`]
      : [],
  );
  const wrong = [...given].flatMap(([name, value]) => {
    const path = pathOf(group, name);
    const row = rows.get(name);
    if (row === undefined) {
      const [near] = nearestNames(name, [...rows.keys()]);
      return [`${path}: not a prop${near === undefined ? '' : `; did you mean ${pathOf(group, near)}?`}`];
    }
    if (value === undefined) return [];
    if (row.kind === 'group') {
      return isGroupName(path) ? malformedGroup(path, value) : [];
    }
    return row.shape.fits(value) ? [] : [`${path}: found ${shown(value)}, expected ${row.shape.expected}`];
  });
  return [...missing, ...wrong];
}
