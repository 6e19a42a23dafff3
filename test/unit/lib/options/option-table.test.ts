import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { isGroupName, optionTable, pathOf, rowsOf } from '../../../../lib/options/option-table.ts';
import type { GroupName } from '../../../../lib/options/options.ts';
import { documentedProps } from '../../../../tools/generate/settings-reference.ts';
import { documentedProperties } from '../../../../tools/generate/source-comments.ts';

const automations = documentedProperties('lib/props/automation.ts');

/** Returns what `@default` says of a prop. */
function documentedDefault(group: GroupName, prop: string): string | undefined {
  const [, kind] = /^automations\.(\w+)$/.exec(group) ?? [];
  if (kind === undefined) return documentedProps.get(pathOf(group, prop))?.preset;
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Props`;
  return automations.get(name)?.find((property) => property.name === prop)?.preset;
}

/** Evaluates a default: `Duration.days(400)`, or the first value of `Duration.minutes(5), or twice ...`. */
function evaluated(text: string): unknown {
  const [expression] = /^[^,]+/.exec(text) ?? [];
  const scope = { Duration, RemovalPolicy, RetentionDays, TableClass };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
}

const documented = Object.keys(optionTable)
  .filter(isGroupName)
  .flatMap((group) =>
    rowsOf(group).flatMap(([prop, row]) => {
      const text = documentedDefault(group, prop);
      const isValue = row.kind === 'option' && text !== undefined && !text.startsWith('- ');
      return isValue ? [{ path: pathOf(group, prop), text, row }] : [];
    }),
  );

it('most options have a default that their comment names', () => {
  expect(documented.length).toBeGreaterThan(35);
});

it.each(documented)('$path is $text by default, as its comment says', ({ text, row }) => {
  const refuse = (found: unknown, expected: string) => {
    throw new Error(`found ${found}, ${expected}`);
  };
  expect(row.check(undefined, refuse)).toEqual(row.check(evaluated(text), refuse));
});
