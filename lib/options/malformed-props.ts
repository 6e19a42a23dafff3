import { nearestNames } from '../../contract/document/nearest-names.ts';
import type { SmsPipelineAttributes, SubscriptionAlarmsProps } from '../props/attributes.ts';
import type { AutomationConfig } from '../props/automation.ts';
import { foundFor, group, matchingText, type NamedGroups, other, required, shapes } from './option-kinds.ts';
import { isGroupName, type Row, rowsOf } from './option-table.ts';
import { isPlain, shown } from './shown.ts';

/** The rows of the props at a path, which is empty for the props themselves. */
type RowsAt = (path: string) => readonly (readonly [string, Row])[];

const pipelineRows: RowsAt = (path) => rowsOf(isGroupName(path) ? path : 'pipeline');

const attributes: { readonly [Name in keyof SmsPipelineAttributes]-?: Row } = {
  pipelineName: required(
    other(matchingText('the output PipelineName of the pipeline, or *', /^(\*|[A-Za-z0-9-]+)$/)),
  ),
  eventBusName: required(
    other(
      matchingText(
        'the output EventBusName of the pipeline, or EventBusArn',
        /^(arn:[^:]+:events:[^:]*:[^:]*:event-bus\/)?[\w.\-/]+$/,
      ),
    ),
  ),
  apiId: other(matchingText('the output ApiId of the pipeline: letters and digits, no URL', /^[a-z0-9]+$/)),
  alarms: group(),
  encryptionKey: other(shapes.key),
};
const alarmsOfSubscriptions: { readonly [Name in keyof SubscriptionAlarmsProps]-?: Row } = {
  enabled: other(shapes.switch),
  topic: other(shapes.topic),
  runbookUrl: other(shapes.text),
};
const attributeRows: RowsAt = (path) => Object.entries(path === '' ? attributes : alarmsOfSubscriptions);

/**
 * Returns a line for each prop that does not exist, and for each value of another kind than its prop. The compiler reports them too, except in
 * an app of JavaScript.
 */
export function malformedProps(props: unknown): readonly string[] {
  if (!isPlain(props))
    return [`props: found ${shown(props)}, expected an object with the props of the pipeline`];
  const problems = malformedAt('', props, pipelineRows);
  if (problems.length > 0) return problems;
  const automations: readonly { readonly _config: AutomationConfig }[] = Object(props).automations ?? [];
  return automations.flatMap(({ _config: config }) =>
    'props' in config ? malformedAt(`automations.${config.kind}`, config.props, pipelineRows) : [],
  );
}

/** Does the same for the attributes of a pipeline that was made elsewhere. */
export function malformedAttributes(given: unknown): readonly string[] {
  return isPlain(given)
    ? malformedAt('', given, attributeRows)
    : [`attributes: found ${shown(given)}, expected an object, for example { eventBusName }`];
}

/** @param at the path for messages, if it is not that of the rows */
function malformedAt(path: string, props: unknown, rowsAt: RowsAt, at = path): readonly string[] {
  const below = (name: string) => (at === '' ? name : `${at}.${name}`);
  const rows = new Map(rowsAt(path));
  if (!isPlain(props)) {
    const off = rows.has('enabled') ? '{ enabled: false }' : 'no such prop';
    const example = props === false ? `${off} to do without` : 'for example {}';
    return [`${at}: found ${shown(props)}, expected an object with props, ${example}`];
  }
  const given = new Map<string, unknown>(Object.entries(props));
  const missing = [...rows].flatMap(([name, row]) =>
    row.kind === 'other' && row.isRequired && given.get(name) === undefined
      ? [`${below(name)}: found nothing, expected ${row.shape.expected}`]
      : [],
  );
  const wrong = [...given].flatMap(([name, value]) => {
    const row = rows.get(name);
    if (row === undefined) {
      const [near] = nearestNames(name, [...rows.keys()]);
      return [`${below(name)}: not a prop${near === undefined ? '' : `; did you mean ${below(near)}?`}`];
    }
    if (value === undefined) return [];
    if (row.kind === 'group') return malformedAt(below(name), value, rowsAt);
    if (row.kind === 'groups') return malformedByName(below(name), value, row, rowsAt);
    return row.shape.fits(value)
      ? []
      : [`${below(name)}: found ${foundFor(row.shape, value)}, expected ${row.shape.expected}`];
  });
  return [...missing, ...wrong];
}

function malformedByName(
  path: string,
  groups: unknown,
  { of, names }: NamedGroups,
  rowsAt: RowsAt,
): readonly string[] {
  if (!isPlain(groups))
    return [`${path}: found ${shown(groups)}, expected an object with props, for example {}`];
  return Object.entries(groups).flatMap(([name, value]) => {
    if (!names.includes(name)) {
      const [near] = nearestNames(name, [...names]);
      return [`${path}.${name}: not ${of}${near === undefined ? '' : `; did you mean ${near}?`}`];
    }
    return value === undefined ? [] : malformedAt(path, value, rowsAt, `${path}.${name}`);
  });
}
