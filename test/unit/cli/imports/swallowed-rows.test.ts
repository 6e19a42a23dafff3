import { describe, expect, it, vi } from 'vitest';
import { examineQuotes } from '../../../../cli/imports/swallowed-rows.ts';
import type { RowReader } from '../../../../contract/imports/row-reader.ts';

const own = ['r1', '+12025550143', '2026-01-10T10:00:00Z'];

/** Examines a row with texts, and counts what that takes. A line of a text is no row. */
function examine(...texts: readonly string[]) {
  const record = [...own, ...texts];
  const raw = record.map((field) => `"${field}"`).join(',');
  const layout = { delimiter: ',', fromLine: 1, keys: record, named: new Set<string>(), isUnquoted: false };
  const work = { calls: 0, rows: 0, fields: 0 };
  const read: RowReader = (rows) => {
    work.calls += 1;
    work.rows += rows.length;
    return rows.map(() => ({ kind: 'unreadable', reason: 'bad-time' }));
  };
  const rowFrom = (fields: readonly string[]) => {
    work.fields += fields.length;
    return fields;
  };
  return { finding: examineQuotes(raw, layout, rowFrom, read), work };
}

describe('a row of several lines', () => {
  it('is not read if none of its lines can be a row', () => {
    const { finding, work } = examine('Hi, Anna,\nshoes, hats, coats\nyours, Carl');
    expect([finding, work]).toEqual([undefined, { calls: 0, rows: 0, fields: 0 }]);
  });

  it('is a doubt without a reading if its lines have more separators than a row', () => {
    const { finding, work } = examine('a, b, c, d\ne, f, g, h, i\nj, k, l, m, n');
    expect([finding, work]).toEqual(['text-may-hold-rows', { calls: 0, rows: 0, fields: 0 }]);
  });

  it('is read once for all of its texts, and only the lines that can be rows', () => {
    const line = 'a, b, c, d, e';
    const text = ['Hi', line, 'f, g', line, 'bye'].join('\n');
    const { finding, work } = examine(text, text);
    expect([finding, work]).toEqual(['text-may-hold-rows', { calls: 1, rows: 4, fields: 20 }]);
  });

  it('with many lines that can be rows is rejected without a reading', () => {
    const { finding, work } = examine(`Hi\n${'a, b, c, d\n'.repeat(100)}bye`);
    expect([finding, work]).toEqual(['rows-within-text', { calls: 0, rows: 0, fields: 0 }]);
  });

  it('copies its fields only if a line can be a row', () => {
    const texts = Array.from({ length: 2000 }, () => 'a\nb');
    let copied = 0;
    const slice = Array.prototype.slice;
    const spy = vi.spyOn(Array.prototype, 'slice').mockImplementation(function (this: unknown[], ...range) {
      const part = slice.apply(this, range);
      copied += part.length;
      return part;
    });
    try {
      expect(examine(...texts).finding).toBeUndefined();
    } finally {
      spy.mockRestore();
    }
    expect(copied).toBeLessThan(10 * texts.length);
  });
});
