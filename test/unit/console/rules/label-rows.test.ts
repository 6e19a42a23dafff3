import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelRows } from '../../../../console/rules/label-rows.ts';
import { assertProperty } from '../../../support/property.ts';

test('labels of a row do not touch, and stay within the width', () => {
  const label = fc.record({
    middle: fc.integer({ min: 0, max: 600 }),
    length: fc.integer({ min: 1, max: 200 }),
  });
  assertProperty(
    fc.property(fc.array(label, { minLength: 1, maxLength: 100 }), (any) => {
      const labels = any.toSorted((a, b) => a.middle - b.middle);
      const ends = new Map<number, number>();
      for (const [index, place] of labelRows(labels, 600, 4).entries()) {
        if (place === undefined) continue;
        const end = place.start + (labels[index]?.length ?? 0);
        expect(place.start).toBeGreaterThanOrEqual(ends.get(place.row) ?? 0);
        expect(end).toBeLessThanOrEqual(600);
        ends.set(place.row, end);
      }
    }),
  );
});
