import { App, Duration, Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { propsOf } from '../../../lib/app/props-of-settings.ts';
import { readSettings } from '../../../lib/app/read-settings.ts';
import type { Settings } from '../../../lib/app/settings-schema.ts';
import { settingsReference } from '../../../tools/generate/settings-reference.ts';

const usual = readSettings({ 'sms:exportToS3': 'daily' });

/** Returns another value for numbers and switches; undefined for texts. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (value === 'on') return 'off';
  return value === 'off' ? 'on' : undefined;
}

function valuesByPath(value: unknown, path: string): [string, string][] {
  if (value instanceof Duration) return [[path, String(value.toSeconds())]];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, String(value)]];
  return [
    [path, 'a group'],
    ...Object.entries(value).flatMap(([name, inner]) => valuesByPath(inner, `${path}.${name}`)),
  ];
}

function propValues(settings: Settings): ReadonlyMap<string, string> {
  const { apiKey, ...props } = propsOf(settings, new Stack(new App()));
  return new Map(Object.entries(props).flatMap(([name, value]) => valuesByPath(value, name)));
}

/** The settings of the reference with the prop that it names. */
const named = settingsReference()
  .split('\n')
  .flatMap((row) => {
    const [, name = '', prop = ''] = /^\| `sms:(\w+)` \| .*? \| `([\w.]+)` \| /.exec(row) ?? [];
    const value = otherValue(usual[name as keyof Settings]);
    return value === undefined ? [] : [{ name, prop, value }];
  });

it('the reference has numbers and switches to compare', () => {
  expect(named.length).toBeGreaterThan(25);
});

it.each(named)('$name changes the prop that the reference names: $prop', ({ name, prop, value }) => {
  const before = propValues(usual);
  const after = propValues({ ...usual, [name]: value });
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  expect(changed).toContain(prop);
  expect(changed.filter((path) => path !== prop && !path.startsWith(`${prop}.`))).toEqual([]);
});
