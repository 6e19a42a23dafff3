import { expect, it } from 'vitest';
import { plot } from '../../../../../tools/bench/latency/plot.ts';
import { chart, choiceTable, missed, thrifty } from '../../../../../tools/bench/latency/report.ts';
import { model, scenario } from '../cost/figures.ts';

const defaults = { batchSize: 6, queueSeconds: 1, streamSeconds: 0 };
const atOnce = { batchSize: 10, queueSeconds: 0, streamSeconds: 0 };
const choices = chart([atOnce, defaults, thrifty], defaults, { model, scenario });

it('the defaults publish 95 % within 1.2 seconds at 50 a second, for at most 0.20 dollars a million more', () => {
  expect(missed(choices)).toEqual([]);
});

it('names the target that windows miss', () => {
  const asDefault = (name: number) =>
    choices.map((choice, index) => ({ ...choice, isDefault: index === name }));
  expect(missed(asDefault(0))).toEqual([expect.stringMatching(/^\d\.\d\d dollars more, target 0.2$/)]);
  expect(missed(asDefault(2))).toEqual([expect.stringMatching(/^p95 is \d+ ms, target 1200$/)]);
});

it('a longer window costs less, and nothing more than itself', () => {
  const [eager = [], chosen = [], cheap = []] = choices.map(({ byRate }) =>
    byRate.map(({ dollars }) => dollars),
  );
  expect(cheap).toEqual(cheap.map(() => 0));
  for (const [index, dollars] of chosen.entries()) {
    expect(dollars).toBeGreaterThan(0);
    expect(dollars).toBeLessThan(eager[index] ?? 0);
  }
});

it('the table has a row for each rate, and the plot is well-formed and names each choice', () => {
  expect(choiceTable(choices).split('\n')).toHaveLength(1 + 3 * 5);
  const svg = plot(choices, chart([defaults], defaults, { model, scenario }));
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg.match(/<(text|style|svg|circle|polyline|line|title)[ >]/g)?.length).toBe(
    (svg.match(/<\/(text|style|svg|title)>|\/>/g)?.length ?? 0) + (svg.match(/<\/circle>/g)?.length ?? 0),
  );
  for (const name of ['10, 0 s, 0 s', '6, 1 s, 0 s', '100, 1 s, 1 s'])
    expect(svg).toContain(`>${name}</text>`);
});

it('no limit crosses the name of a choice', () => {
  const svg = plot(choices, chart([defaults], defaults, { model, scenario }));
  const [, limitAt] = [...svg.matchAll(/<line class="limit" x1="([\d.]+)" y1="[\d.]+" x2="\1"/g)][0] ?? [];
  const names = [...svg.matchAll(/<text[^>]* x="([\d.]+)" y="(\d+[\d.]*)" text-anchor="start">\d[^<]*</g)]
    .map(([, x]) => Number(x))
    // Those of the right panel.
    .filter((x) => x > 560);
  expect(names.length).toBeGreaterThan(1);
  for (const x of names) expect(x).toBeGreaterThan(Number(limitAt));
});
