import { image, line, round, text } from '../../svg.ts';
import { type Month, type Parts, sumOf } from './months.ts';

const width = 760;
const bars = { left: 230, right: 700, top: 66, height: 20, group: 64 };

/** What each part of a bar is called and coloured. */
const kinds: readonly (readonly [part: keyof Parts, name: string, colour: string])[] = [
  ['fixed', 'fixed', '#868e96'],
  ['processing', 'processing', '#1971c2'],
  ['keeping', 'keeping', '#0c8599'],
  ['insights', 'insights', '#e8590c'],
];

/** Draws what months cost, two bars each: in sends, and spread evenly. Each bar is divided by what the dollars are for. */
export function costPlot(months: readonly Month[]): string {
  const step = stepFor(Math.max(...months.map(({ evenly }) => sumOf(evenly))));
  const across = (dollars: number) => bars.left + ((bars.right - bars.left) * dollars) / (step * 6);
  const bottom = bars.top + bars.group * months.length;
  return image({ width, height: bottom + 44 }, 'US dollars a month by events', '', [
    text({ x: 16, y: 22 }, 'US dollars a month, in us-east-1', 'start', 'title'),
    ...legend(),
    ...[0, 1, 2, 3, 4, 5, 6].flatMap((count) => {
      const x = across(count * step);
      return [
        line({ x, y: bars.top - 8 }, { x, y: bottom }, 'grid'),
        text({ x, y: bottom + 18 }, String(count * step), 'middle'),
      ];
    }),
    ...months.flatMap(({ name, inSends, evenly }, index) => {
      const y = bars.top + bars.group * index;
      return [
        text({ x: 16, y: y + 14 }, name, 'start', 'title'),
        ...bar(y, 'in sends', inSends, across),
        ...bar(y + bars.height + 4, 'evenly', evenly, across),
      ];
    }),
  ]);
}

/** Returns the distance of the grid's lines, in dollars. The sixth is beyond `max`. */
function stepFor(max: number): number {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  return steps.find((step) => step * 6 >= max * 1.05) ?? max;
}

function legend(): string[] {
  return kinds.flatMap(([, name, colour], index) => {
    const x = bars.left + 110 * index;
    return [
      `<rect x="${x}" y="34" width="12" height="12" fill="${colour}"/>`,
      text({ x: x + 18, y: 44 }, name, 'start'),
    ];
  });
}

function bar(y: number, name: string, parts: Parts, across: (dollars: number) => number): string[] {
  let below = 0;
  const pieces = kinds.map(([part, , colour]) => {
    const from = across(below);
    below += parts[part];
    return `<rect x="${round(from)}" y="${y}" width="${round(across(below) - from)}" height="${bars.height}" fill="${colour}"/>`;
  });
  return [
    text({ x: bars.left - 8, y: y + 14 }, name, 'end'),
    ...pieces,
    text({ x: round(across(below)) + 8, y: y + 14 }, sumOf(parts).toFixed(0), 'start'),
  ];
}
