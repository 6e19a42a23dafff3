import { image, line, type Point, pointsOf, text } from '../svg.ts';
import type { Burst } from './burst.ts';

const size = { width: 860, height: 480 };
const columns = [
  { from: 70, to: 420 },
  { from: 490, to: 840 },
] as const;
const upper = { top: 70, bottom: 250 };
const lower = { top: 300, bottom: 420 };
const style = `polyline { fill: none; stroke-width: 2; } .accepted { stroke: #e8590c; stroke-dasharray: 7 4; } .stored { stroke: #1971c2; }
.half { stroke: #0c8599; } .slowest { stroke: #9c36b5; }`;

interface Scale {
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Draws bursts side by side: above what was accepted and stored by when, below how far the history was behind. */
export function burstPlot(bursts: readonly [Burst, Burst]): string {
  const behind = scaleOf(Math.max(...bursts.map(({ maxBehindSeconds }) => maxBehindSeconds)));
  return image(size, 'Reports accepted and stored, and seconds that the history is behind', style, [
    ...bursts.flatMap((burst, index) => panelsOf(burst, columns[index] ?? columns[0], behind)),
    ...legend({ x: columns[0].from, y: 46 }, [
      ['accepted', 'reports accepted'],
      ['stored', 'reports stored'],
    ]),
    ...legend({ x: columns[0].from, y: lower.top - 12 }, [
      ['slowest', 'seconds until stored, the slowest'],
      ['half', 'half of them'],
    ]),
  ]);
}

function panelsOf(burst: Burst, { from, to }: (typeof columns)[number], behind: Scale): string[] {
  const { plan, slots } = burst;
  const time = scaleUpTo(burst.allStoredAt * 1.02);
  const count = scaleOf(plan.events);
  const across = (seconds: number) => from + ((to - from) * seconds) / time.max;
  const up = ({ top, bottom }: typeof upper, value: number, { max }: Scale) =>
    bottom - ((bottom - top) * value) / max;
  const grid = (panel: typeof upper, scale: Scale, unit: string) => [
    ...scale.ticks.flatMap((value) => {
      const y = up(panel, value, scale);
      return [
        line({ x: from, y }, { x: to, y }, 'grid'),
        text({ x: from - 8, y: y + 4 }, `${value.toLocaleString('en')}${unit}`, 'end'),
      ];
    }),
    ...time.ticks.map((value) =>
      text({ x: across(value), y: panel.bottom + 18 }, value === 0 ? '0' : `${value} s`, 'middle'),
    ),
  ];
  const curve = (kind: string, points: readonly Point[]) =>
    `<polyline class="${kind}" points="${pointsOf(points)}"/>`;
  const counted = (kind: 'accepted' | 'stored') =>
    curve(kind, [
      { x: from, y: upper.bottom },
      ...slots.map((slot) => ({ x: across(slot.until), y: up(upper, slot[kind], count) })),
    ]);
  const waited = (kind: 'half' | 'slowest') =>
    curve(
      kind,
      slots.flatMap((slot) =>
        slot.behind === undefined ? [] : [{ x: across(slot.until), y: up(lower, slot.behind[kind], behind) }],
      ),
    );
  return [
    text({ x: from, y: 22 }, plan.name, 'start', 'title'),
    ...grid(upper, count, ''),
    counted('stored'),
    counted('accepted'),
    ...grid(lower, behind, ' s'),
    waited('slowest'),
    waited('half'),
    text({ x: (from + to) / 2, y: lower.bottom + 42 }, 'since the first report', 'middle'),
  ];
}

function legend({ x, y }: Point, entries: readonly (readonly [kind: string, name: string])[]): string[] {
  let at = x;
  return entries.flatMap(([kind, name]) => {
    const start = at;
    at += 50 + 7 * name.length;
    return [
      `<polyline class="${kind}" points="${pointsOf([
        { x: start, y: y - 4 },
        { x: start + 24, y: y - 4 },
      ])}"/>`,
      text({ x: start + 30, y }, name, 'start'),
    ];
  });
}

/** Returns ticks in round steps, the last of which is at or above `max`. */
function scaleOf(max: number): Scale {
  const power = 10 ** Math.floor(Math.log10(max / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each * 5 >= max) ?? max;
  const ticks = Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
  return { max: ticks.at(-1) ?? max, ticks };
}

/** Returns ticks in round steps up to `max`, where a curve ends. */
function scaleUpTo(max: number): Scale {
  return { max, ticks: scaleOf(max).ticks.filter((tick) => tick <= max) };
}
