import { expect, it } from 'vitest';
import { settingsReference } from '../../../../tools/generate/settings-reference.ts';

const rows = settingsReference().split('\n');
const rowOf = (setting: string) => rows.find((row) => row.startsWith(`\`${setting}`));

it('a prop without a setting has a row, and a group of such props has one', () => {
  expect(rowOf('metricsNamespace')).toBe(
    "`metricsNamespace` | [Namespace of the pipeline's metrics](metrics.md)",
  );
  expect(rowOf('alarms.overrides')).toMatch(/^`alarms.overrides` \| /);
  expect(rowOf('alarms.overrides.')).toBeUndefined();
});

it('the bucket and the key of a trust store are in the row of its setting', () => {
  expect(rowOf('mutualTlsTruststore`')).toMatch(/^`mutualTlsTruststore`, `webhook.domain.mutualTls` \| /);
  expect(rows.filter((row) => /mutualTls\.(bucket|key)/.test(row))).toEqual([]);
});

it('a row has the default, the prop and the first sentence of its comment', () => {
  expect(rowOf('retentionDays')).toBe('`retentionDays=400`, `retention` | Messages and replies are kept');
});

it('a setting whose default is an object shows no default', () => {
  expect(rowOf('sources')).toMatch(/^`sources` \| /);
  expect(rows.join('\n')).not.toContain('[object Object]');
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
