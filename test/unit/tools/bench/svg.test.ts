import { expect, it } from 'vitest';
import { image, line, pointsOf, text } from '../../../../tools/bench/svg.ts';

it('an image has its size, its label, and the styles of all images before its own', () => {
  const svg = image({ width: 20, height: 10 }, 'Nothing', '.own { fill: none; }', ['<g/>']);
  expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 20 10" role="img" aria-label="Nothing">\n/);
  expect(svg).toMatch(/\.grid .*\n\.own \{ fill: none; \}\n@media .*<\/style>\n<g\/>\n<\/svg>\n$/);
});

it('places are tenths of a pixel', () => {
  expect(text({ x: 1.26, y: 2 }, 'a', 'end', 'title')).toBe(
    '<text class="title" x="1.3" y="2" text-anchor="end">a</text>',
  );
  expect(line({ x: 0.04, y: 1 }, { x: 2.25, y: 3 }, 'grid')).toBe(
    '<line class="grid" x1="0" y1="1" x2="2.3" y2="3"/>',
  );
  expect(
    pointsOf([
      { x: 1, y: 2.26 },
      { x: 3, y: 4 },
    ]),
  ).toBe('1,2.3 3,4');
});
