import { expect, it } from 'vitest';
import { settingsReference } from '../../../../tools/generate/settings-reference.ts';

const page = settingsReference();
const rows = page.split('\n').filter((line) => line.startsWith('| '));
const rowOf = (name: string) => rows.find((row) => row.includes(`\`${name}\` |`));

it('a prop without a setting has a row, and a group of such props has one', () => {
  expect(rowOf('metricsNamespace')).toBe(
    "| none | a name made of the construct's path | `metricsNamespace` | The metrics of the pipeline have this namespace. [More](metrics.md) |",
  );
  expect(rowOf('alarms.overrides')).toBeDefined();
  expect(page).not.toContain('`alarms.overrides.');
});

it('the bucket and the key of a trust store are in the row of its setting', () => {
  expect(rowOf('sms:mutualTlsTruststore')).toContain('| no mutual TLS | `webhook.domain.mutualTls` | ');
  expect(rows.filter((row) => /mutualTls\.(bucket|key)/.test(row))).toEqual([]);
});

it('a row has the default, the prop and the first sentence of its comment', () => {
  expect(rowOf('sms:retentionDays')).toBe(
    '| `sms:retentionDays` | `400` | `retention` | Messages and replies are kept for this long, in whole days. From 1 to 3650. |',
  );
});

it('a setting whose default is an object shows no default', () => {
  expect(rowOf('sms:sources')).toMatch(/^\| `sms:sources` \| none \| none \| /);
  expect(page).not.toContain('[object Object]');
});

it('a row links to the page that the comment names, relative to its own, and says what 0 means', () => {
  expect(rowOf('sms:recoveryDays')).toMatch(
    /in whole days\. From 1 to 35\. `0` switches this off\. \[More\]\(cost\.md#class-and-backups\) \|$/,
  );
  expect(rowOf('sms:console')).toContain('](../guides/deploy-the-console.md)');
});

it('a row has the other choices', () => {
  expect(rowOf('sms:parkUnverified')).toContain('| `rotating`, or `always` |');
  expect(rowOf('sms:tracing')).toContain('| `off`, or `on` |');
});

it('no row is left out because its group has no heading', () => {
  expect(rows.filter((row) => !row.startsWith('| setting ')).length).toBeGreaterThan(60);
  expect(rowOf('sms:logRetentionDays')).toBeDefined();
  expect(page.indexOf('## Webhook')).toBeLessThan(page.indexOf('## Domain of the API'));
});
