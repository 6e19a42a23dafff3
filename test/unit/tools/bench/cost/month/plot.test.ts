import { expect, it } from 'vitest';
import { costPlot } from '../../../../../../tools/bench/cost/month/plot.ts';

const parts = { fixed: 10, processing: 4, keeping: 1, insights: 1 };
const svg = costPlot([{ name: '1 million events', inSends: parts, evenly: { ...parts, processing: 40 } }]);

it('each bar has a piece for each part, and its sum behind it', () => {
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="20"/g)].map(([, width]) =>
    Number(width),
  );
  expect(widths).toHaveLength(8);
  expect((widths[0] ?? 0) / (widths[1] ?? 0)).toBeCloseTo(2.5, 1);
  expect([...svg.matchAll(/>(\d+)<\/text>/g)].map(([, sum]) => sum)).toEqual(
    expect.arrayContaining(['16', '52']),
  );
});

it('the longest bar ends within the grid, and the same figures make the same image', () => {
  const ends = [...svg.matchAll(/x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(
    ([, x, width]) => Number(x) + Number(width),
  );
  expect(Math.max(...ends)).toBeLessThanOrEqual(700);
  expect(svg).toBe(
    costPlot([{ name: '1 million events', inSends: parts, evenly: { ...parts, processing: 40 } }]),
  );
});
