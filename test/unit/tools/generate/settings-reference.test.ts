import { expect, it } from 'vitest';
import { propsWithoutRow, settingsReference } from '../../../../tools/generate/settings-reference.ts';

const rows = settingsReference().split('\n');
const rowOf = (setting: string) => rows.find((row) => row.startsWith(`\`${setting}`));

it('every prop has a row, or is a group of props that have one', () => {
  expect(propsWithoutRow()).toEqual([]);
});

it('a row has the default, the prop and the first sentence of its comment', () => {
  expect(rowOf('retentionDays')).toBe('`retentionDays=400`, `retention` | Messages and replies are kept');
});

it('a row links to the page that the comment names, relative to its own', () => {
  expect(rowOf('recoveryDays')).toBe(
    '`recoveryDays=35`, `tables.recovery` | [Tables can be restored to any second of this time](cost.md#class-and-backups); 0: none',
  );
  expect(rowOf('console=')).toContain('](../guides/deploy-the-console.md)');
});

it('a row has the other choices, except on and off', () => {
  expect(rowOf('parkUnverified')).toMatch(/^`parkUnverified=rotating` or `always`, /);
  expect(rowOf('tracing')).toMatch(/^`tracing=off` \| /);
});
