import { nearestNames } from '../../contract/document/nearest-names.ts';
import { type GroupName, isGroupName, pathOf, rowsOf } from './option-table.ts';
import type { SmsPipelineProps } from './props.ts';

/** Returns a line for each prop that does not exist. The compiler reports them too, except in an app of JavaScript. */
export function unknownProps(props: SmsPipelineProps): readonly string[] {
  return unknownIn('pipeline', props);
}

function unknownIn(group: GroupName, props: object): readonly string[] {
  const rows = new Map(rowsOf(group));
  return Object.entries(props).flatMap(([name, value]) => {
    const path = pathOf(group, name);
    if (!rows.has(name)) {
      const [near] = nearestNames(name, [...rows.keys()]);
      return [`${path}: not a prop${near === undefined ? '' : `; did you mean ${pathOf(group, near)}?`}`];
    }
    const isGiven = typeof value === 'object' && value !== null;
    return isGiven && isGroupName(path) ? unknownIn(path, value) : [];
  });
}
