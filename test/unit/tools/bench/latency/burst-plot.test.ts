import { expect, it } from 'vitest';
import { burstPlans, simulateBurst } from '../../../../../tools/bench/latency/burst.ts';
import { burstPlot } from '../../../../../tools/bench/latency/burst-plot.ts';

const [byDefault, raised] = burstPlans(2000);
const svg = burstPlot([simulateBurst(byDefault), simulateBurst(raised)]);

it('names each burst, and draws accepted, stored, and both waits of it', () => {
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg).toContain(`>${byDefault.name}</text>`);
  expect(svg).toContain(`>${raised.name}</text>`);
  // One of each is in the legend.
  for (const kind of ['accepted', 'stored', 'half', 'slowest'])
    expect(svg.match(new RegExp(`<polyline class="${kind}"`, 'g'))).toHaveLength(3);
});

it('what is accepted and stored begins at no report, and ends at all', () => {
  const curves = [...svg.matchAll(/<polyline class="(?:accepted|stored)" points="([^"]+)"/g)]
    .map(([, points = '']) => points.split(' ').map((point) => Number(point.split(',')[1])))
    .filter((curve) => curve.length > 2);
  expect(curves).toHaveLength(4);
  for (const curve of curves) expect([curve[0], curve.at(-1)]).toEqual([250, 70]);
});

it('everything lies within the image', () => {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  for (const [, points = ''] of svg.matchAll(/points="([^"]+)"/g))
    for (const [x = Number.NaN, y = Number.NaN] of points
      .split(' ')
      .map((point) => point.split(',').map(Number))) {
      expect(x).toBeLessThanOrEqual(Number(width));
      expect(y).toBeLessThanOrEqual(Number(height));
    }
});
