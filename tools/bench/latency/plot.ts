import { image, line, type Point, pointsOf, round, text } from '../svg.ts';
import { type Choice, nameOf, rates, target } from './report.ts';

const size = { width: 860, height: 390 };
const panel = { top: 50, height: 270 };
const left = { from: 60, to: 400 };
const right = { from: 560, to: 840 };
const colours = ['#2f9e44', '#1971c2', '#0c8599', '#e8590c', '#c2255c', '#9c36b5', '#868e96'];

const style = 'polyline { fill: none; stroke-width: 2; } .default { stroke-width: 3.5; font-weight: bold; }';

/**
 * Draws the 95th percentile from post to published: by rate for some windows, and against the extra cost for some sizes of batches.
 *
 * @param bySize choices that differ in the size of the worker's batches
 */
export function plot(choices: readonly Choice[], bySize: readonly Choice[]): string {
  return image(size, 'Latency by rate, and latency by cost', style, [
    ...byRate(choices),
    ...byCost([...choices.filter(({ isDefault }) => !isDefault), ...bySize], bySize),
  ]);
}

const seconds = [0.3, 1, 3, 10] as const;

/** Latency in seconds, logarithmic. */
function height(value: number): number {
  const [low, high] = [0.3, 12];
  return panel.top + panel.height * (1 - Math.log(value / low) / Math.log(high / low));
}

function frame({ from, to }: { readonly from: number; readonly to: number }, title: string, unit: string) {
  const bottom = panel.top + panel.height;
  return [
    text({ x: from, y: 22 }, title, 'start', 'title'),
    ...seconds.flatMap((value) => [
      line({ x: from, y: height(value) }, { x: to, y: height(value) }, 'grid'),
      text({ x: from - 8, y: height(value) + 4 }, `${value} s`, 'end'),
    ]),
    line({ x: from, y: height(target.p95Ms / 1000) }, { x: to, y: height(target.p95Ms / 1000) }, 'limit'),
    text({ x: (from + to) / 2, y: bottom + 45 }, unit, 'middle'),
  ];
}

function byRate(choices: readonly Choice[]): string[] {
  const across = (perSecond: number) =>
    left.from + ((left.to - left.from) * Math.log10(perSecond)) / Math.log10(rates[rates.length - 1] ?? 10);
  return [
    ...frame(left, '95 % published within', 'events a second'),
    ...rates.map((rate) =>
      text({ x: across(rate), y: panel.top + panel.height + 22 }, String(rate), 'middle'),
    ),
    text({ x: left.to + 12, y: 40 }, 'batch, queue, stream', 'start'),
    ...choices.flatMap((choice, index) => {
      const kind = choice.isDefault ? 'default' : '';
      const points = choice.byRate.map(({ perSecond, simulated }) => {
        return { x: across(perSecond), y: height(simulated.published.p95 / 1000) };
      });
      const colour = colours[index] ?? '';
      const at = { x: left.to + 12, y: 62 + 20 * index };
      return [
        `<polyline class="${kind}" stroke="${colour}" points="${pointsOf(points)}"/>`,
        `<circle cx="${at.x + 4}" cy="${at.y - 4}" r="5" fill="${colour}"/>`,
        text({ x: at.x + 14, y: at.y }, nameOf(choice.windows), 'start', kind),
      ];
    }),
  ];
}

function byCost(all: readonly Choice[], bySize: readonly Choice[]): string[] {
  const atTarget = (choice: Choice) => choice.byRate.find(({ perSecond }) => perSecond === target.perSecond);
  const costs = all.map((choice) => atTarget(choice)?.dollars ?? Number.NaN);
  const [low, high] = [Math.min(-0.1, ...costs), Math.max(1.3, ...costs) + 0.1];
  const across = (dollars: number) => right.from + ((right.to - right.from) * (dollars - low)) / (high - low);
  const pointOf = (choice: Choice): Point => {
    const found = atTarget(choice);
    return {
      x: across(found?.dollars ?? Number.NaN),
      y: height((found?.simulated.published.p95 ?? Number.NaN) / 1000),
    };
  };
  const limitAt = across(target.dollars);
  const points = bySize.map((choice) => pointOf(choice));
  const bottom = panel.top + panel.height;
  return [
    ...frame(right, `At ${target.perSecond} a second`, 'US dollars a million more than 100, 1 s, 1 s'),
    ...[0, 0.5, 1].map((dollars) => text({ x: across(dollars), y: bottom + 22 }, String(dollars), 'middle')),
    line({ x: limitAt, y: panel.top }, { x: limitAt, y: bottom }, 'limit'),
    `<polyline stroke="${colours[1]}" points="${pointsOf(points)}"/>`,
    ...all.map((choice) => {
      const { x, y } = pointOf(choice);
      return `<circle cx="${round(x)}" cy="${round(y)}" r="${choice.isDefault ? 6 : 3}" fill="${colours[1]}"><title>${nameOf(choice.windows)}</title></circle>`;
    }),
    ...bySize
      .filter(({ windows }) => [2, 4].includes(windows.batchSize))
      .map((choice) => label(pointOf(choice), `batches of ${choice.windows.batchSize}`, limitAt)),
    ...bySize
      .filter(({ isDefault }) => isDefault)
      .map((choice) => label(pointOf(choice), `${choice.windows.batchSize} (default)`, limitAt, 'default')),
    ...all
      .filter(({ windows }) => windows.queueSeconds !== 1 || windows.streamSeconds !== 0)
      .map((choice) => label(pointOf(choice), nameOf(choice.windows), limitAt)),
  ];
}

/**
 * Returns the label of a point. That of a point left of a line stands behind the line, which would cross it.
 *
 * @param lineAt the x of the vertical line
 */
function label({ x, y }: Point, content: string, lineAt: number, kind = ''): string {
  // The default lies between two horizontal lines.
  if (x <= lineAt) return text({ x: lineAt + 7, y: y - (kind === '' ? 6 : 2) }, content, 'start', kind);
  const isFarRight = x > right.to - 90;
  return isFarRight
    ? text({ x, y: y - 8 }, content, 'end', kind)
    : text({ x: x + 9, y: y - 4 }, content, 'start', kind);
}
