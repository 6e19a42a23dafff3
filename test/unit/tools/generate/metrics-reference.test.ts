import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { metricNames } from '../../../../functions/base/metrics.ts';
import { metricsReference } from '../../../../tools/generate/metrics-reference.ts';

const root = join(import.meta.dirname, '../../../..');
const sources = globSync('functions/**/*.ts', { cwd: root })
  .filter((file) => file !== 'functions/base/metrics.ts')
  .map((file) => readFileSync(join(root, file), 'utf8'));

const reference = metricsReference();

it.each(Object.entries(metricNames))('%s is counted by a function, and has one line', (key, name) => {
  const isReport = /^reports(?!Unmapped)/.test(key);
  expect(sources.some((text) => text.includes(isReport ? 'reportMetrics[' : `'${key}'`))).toBe(true);
  expect(reference.split(`\`${name}\``)).toHaveLength(2);
});

it('metrics of one meaning share a row, and times have their unit', () => {
  expect(reference).toMatch(/^\| `ReportsAccepted`, .*`ReportsRead` \| count \| new reports, by the status/m);
  expect(reference).toContain(
    '\n| `LagToStored` | milliseconds | the time from an event until it was stored |\n',
  );
});
