import { expect, it } from 'vitest';
import { dollarsOf } from '../../../../tools/bench/events/dollars.ts';
import { isMissed, renderFigures } from '../../../../tools/bench/figure.ts';

it('a figure misses its target if it is above, or could not be measured', () => {
  const missed = [1, 2, 2.1, Number.NaN].map((value) => isMissed({ value, target: 2 }));
  expect(missed).toEqual([false, false, true, true]);
  expect(isMissed({ value: 7 })).toBe(false);
  expect(renderFigures([{ name: 'units', value: 2.1, target: 2, unit: 'ms' }])).toContain('MISSED');
});

it('a million events cost what their units cost', () => {
  const none = { ingest: 0, worker: 0, publisher: 0 };
  const usage = {
    cpuMs: none,
    invocations: { ingest: 1, worker: 0.1, publisher: 0.1 },
    memoryMiB: { ingest: 1024, worker: 1024, publisher: 1024 },
    writeUnits: 2,
    tableBytes: 0,
    indexBytes: 0,
    publishedEvents: 1,
    logBytes: 0,
  };
  const requests = 1 + 0.2 * 1.2 + 0.4 * 1.3 + 0.625 * 2 + 1;
  const waiting = 1.2 * 0.01 * 13.3334;
  const accessLog = 179 * 0.0005;
  const insights = 0.21;
  expect(dollarsOf(usage)).toBeCloseTo(requests + waiting + accessLog + insights, 4);
  expect(dollarsOf({ ...usage, tableBytes: 100 }) - dollarsOf(usage)).toBeCloseTo(
    0.1 * 0.45 * (400 / (365 / 12)),
    4,
  );
});
