import type { Finding } from '../../functions/delivery-watch/finding.ts';
import { subjectKey } from '../../functions/delivery-watch/subject.ts';
import { image, line, pointsOf, round, text } from '../bench/svg.ts';
import { kinds } from './incidents.ts';
import { type JudgedIncident, type Outcome, target } from './outcome.ts';
import type { Simulated } from './simulate.ts';

const style = `.incident { fill: #e8590c; fill-opacity: .15; } .found { stroke: #2f9e44; stroke-width: 2; } .usual { stroke: #868e96; stroke-dasharray: 4 3; }
.figure { stroke: #1971c2; stroke-width: 2; } polyline { fill: none; } .dot { fill: #1971c2; fill-opacity: .6; } .missed { fill: #d1242f; }`;

const strip = { left: 140, right: 700, top: 30, row: 46 };

/** Draws the minutes until incidents were found, one dot each, by kind; those that were not found are at the right edge. */
export function plotMinutes(outcomes: readonly Outcome[]): string {
  const maxMinutes = 90;
  const across = (minutes: number) =>
    strip.left + ((strip.right - strip.left) * Math.min(minutes, maxMinutes)) / maxMinutes;
  const bottom = strip.top + strip.row * kinds.length;
  const grid = [0, 15, 30, 45, 60, 75, 90].flatMap((minutes) => [
    line({ x: across(minutes), y: strip.top }, { x: across(minutes), y: bottom }, 'grid'),
    text({ x: across(minutes), y: bottom + 18 }, minutes === maxMinutes ? '90+' : String(minutes), 'middle'),
  ]);
  const dots = kinds.flatMap((kind, row) => {
    const all = outcomes
      .flatMap(({ incidents }) => incidents)
      .filter(({ incident }) => incident.kind === kind);
    const y = strip.top + strip.row * (row + 0.5);
    return [
      text({ x: strip.left - 12, y: y + 4 }, kind, 'end'),
      ...all.map(({ minutes }, index) => {
        const at = { x: across(minutes ?? maxMinutes), y: y + ((index % 7) - 3) * 5 };
        const name = minutes === undefined ? 'dot missed' : 'dot';
        return `<circle class="${name}" cx="${round(at.x)}" cy="${round(at.y)}" r="3.5"/>`;
      }),
    ];
  });
  const limit = across(target.withinMinutes);
  return image({ width: 740, height: bottom + 44 }, 'Minutes until incidents were found', style, [
    text(
      { x: strip.left, y: 18 },
      'Minutes until an incident was found, all untuned seeds',
      'start',
      'title',
    ),
    ...grid,
    line({ x: limit, y: strip.top }, { x: limit, y: bottom }, 'limit'),
    ...dots,
    text(
      { x: (strip.left + strip.right) / 2, y: bottom + 38 },
      'minutes since the incident was due',
      'middle',
    ),
  ]);
}

const panel = { width: 400, height: 190, left: 52, right: 385, top: 38, bottom: 150 };
const hour = 60;

/** Draws one found incident of each kind: the figure, what is usual, when the incident was, and when it was found. */
export function plotExamples(simulated: Simulated, outcome: Outcome): string {
  const examples = kinds.flatMap(
    (kind) =>
      outcome.incidents.find(({ incident, found }) => incident.kind === kind && found !== undefined) ?? [],
  );
  const content = examples.flatMap((example, index) => {
    const [x, y] = [(index % 2) * panel.width, Math.floor(index / 2) * panel.height];
    return [`<g transform="translate(${x} ${y})">`, ...examplePanel(simulated, example), '</g>'];
  });
  const rows = Math.ceil(examples.length / 2);
  return image(
    { width: 2 * panel.width, height: rows * panel.height },
    'Examples of incidents',
    style,
    content,
  );
}

function examplePanel({ findings }: Simulated, { incident, found }: JudgedIncident): string[] {
  const [first] = found?.findings ?? [];
  if (found === undefined || first === undefined) return [];
  const key = subjectKey(found.subject);
  const [from, until] = [incident.from - 4 * hour, incident.until + 3 * hour];
  const shown = [...findings].flatMap(([, bySubject]) =>
    (bySubject.get(key) ?? []).filter(
      ({ signal, quarter }) =>
        signal === first.signal && quarter / 60_000 >= from && quarter / 60_000 <= until,
    ),
  );
  const scale = signalScale(first, shown);
  const across = (minute: number) =>
    panel.left + ((panel.right - panel.left) * (minute - from)) / (until - from);
  const up = (figure: number) =>
    panel.bottom -
    ((panel.bottom - panel.top) * (figure * scale.factor - scale.low)) / (scale.high - scale.low);
  const polyline = (name: 'figure' | 'usual') =>
    `<polyline class="${name}" points="${pointsOf(shown.map((each) => ({ x: across(each.quarter / 60_000 + 7.5), y: up(each[name]) })))}"/>`;
  const hours = Math.floor((until - incident.from) / hour);
  const step = hours > 8 ? 4 : 2;
  return [
    text({ x: panel.left, y: 18 }, `${incident.kind}: ${key}, ${first.signal}`, 'start', 'title'),
    `<rect class="incident" x="${round(across(incident.from))}" y="${panel.top}" width="${round(across(incident.until) - across(incident.from))}" height="${panel.bottom - panel.top}"/>`,
    ...[scale.low, (scale.low + scale.high) / 2, scale.high].flatMap((value) => {
      const y = up(value / scale.factor);
      return [
        line({ x: panel.left, y }, { x: panel.right, y }, 'grid'),
        text({ x: panel.left - 6, y: y + 4 }, `${round(value)}${scale.unit}`, 'end'),
      ];
    }),
    ...Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) =>
      text(
        { x: across(incident.from + index * step * hour), y: panel.bottom + 18 },
        `${index * step} h`,
        'middle',
      ),
    ),
    polyline('usual'),
    polyline('figure'),
    line({ x: across(found.minute), y: panel.top }, { x: across(found.minute), y: panel.bottom }, 'found'),
  ];
}

function signalScale({ signal }: Finding, shown: readonly Finding[]) {
  const figures = shown.flatMap(({ figure, usual }) => [figure, usual]);
  const isTime = signal === 'time-to-delivery';
  const factor = isTime ? 0.001 : 100;
  const low = isTime || signal === 'failure-share' ? 0 : Math.floor(Math.min(...figures) * 10) * 10;
  const high = signal === 'delivery-rate' ? 100 : Math.ceil((Math.max(...figures) * factor) / 2) * 2;
  return { factor, unit: isTime ? ' s' : ' %', low, high };
}
