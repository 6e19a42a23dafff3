import { alarmRules, timesOn } from './burst-alarms.ts';
import type { Load, Run, Second, Worker } from './burst-model.ts';

/** The result of a run; times in seconds from the burst's first message. */
interface Summary {
  readonly peakBacklog: { readonly messages: number; readonly second: number };
  readonly oldest: { readonly seconds: number; readonly second: number };
  /** When nothing waited any more but what just came. */
  readonly drainedAfterSeconds: number | undefined;
  /** The same, from the burst's end. */
  readonly drainSeconds: number | undefined;
  readonly maxConcurrency: number;
  /** The number of receives: failed messages are redelivered until they are stored or dead-lettered. */
  readonly failedReceives: number;
  readonly deadLetters: number;
  /** The alarm EventsQueueBehind. */
  readonly behind: { readonly from: number; readonly to: number | undefined } | undefined;
  /** The alarm EventsMessagesFailing. */
  readonly failing: { readonly from: number; readonly to: number | undefined } | undefined;
}

export function summarize({ seconds, drainedAfterSeconds }: Run, load: Load): Summary {
  const peak = highest(seconds, ({ backlog }) => backlog);
  const oldest = highest(seconds, ({ oldestSeconds }) => oldestSeconds);
  const total = (value: (second: Second) => number) =>
    Math.round(seconds.reduce((sum, second) => sum + value(second), 0));
  const [behind] = timesOn(
    seconds.map(({ oldestSeconds }) => oldestSeconds),
    alarmRules.behind,
  );
  const [failing] = timesOn(
    seconds.map(({ failingSeconds }) => failingSeconds),
    alarmRules.failing,
  );
  return {
    peakBacklog: { messages: Math.round(peak.value), second: peak.second },
    oldest: { seconds: oldest.value, second: oldest.second },
    drainedAfterSeconds,
    drainSeconds: drainedAfterSeconds === undefined ? undefined : drainedAfterSeconds - load.overSeconds,
    maxConcurrency: highest(seconds, ({ concurrency }) => concurrency).value,
    failedReceives: total(({ failed }) => failed),
    deadLetters: total(({ deadLetters }) => deadLetters),
    behind,
    failing,
  };
}

function highest(seconds: readonly Second[], amountIn: (second: Second) => number) {
  return seconds.reduce(
    (best, second) =>
      amountIn(second) > best.value ? { value: amountIn(second), second: second.second + 1 } : best,
    { value: 0, second: 0 },
  );
}

/** The backlog over time in about so many lines, for people: rates are means since the line before. */
export function renderTimeline({ seconds, drainedAfterSeconds }: Run, lines = 16): string {
  const shown = seconds.slice(0, drainedAfterSeconds ?? seconds.length);
  const every = Math.max(1, Math.ceil(shown.length / lines));
  const header = ['after', 'concurrency', 'stored/s', 'failed/s', 'backlog', 'oldest'];
  const rows = Array.from({ length: Math.ceil(shown.length / every) }, (_, index) => {
    const part = shown.slice(index * every, (index + 1) * every);
    const last = part.at(-1);
    const mean = (amountIn: (second: Second) => number) =>
      number(part.reduce((sum, second) => sum + amountIn(second), 0) / part.length);
    return [
      time((last?.second ?? 0) + 1),
      number(highest(part, ({ concurrency }) => concurrency).value),
      mean(({ stored }) => stored),
      mean(({ failed }) => failed),
      number(last?.backlog ?? 0),
      time(last?.oldestSeconds ?? 0),
    ];
  });
  return [header, ...rows].map((cells) => cells.map((cell) => cell.padStart(13)).join('')).join('\n');
}

export function renderSummary(summary: Summary, load: Load, worker: Worker): string {
  const { peakBacklog, oldest, drainedAfterSeconds, drainSeconds, behind, failing } = summary;
  const most = (worker.maximumConcurrency * worker.batchSize * 1000) / worker.batchMs;
  const rows: readonly (readonly [string, string])[] = [
    ['arrives', `${number(load.messages / load.overSeconds + load.steadyPerSecond)} a second`],
    [
      'the worker takes at most',
      `${number(most)} a second (${worker.maximumConcurrency} x ${worker.batchSize} in ${worker.batchMs} ms)`,
    ],
    [
      'the table takes at most',
      Number.isFinite(worker.tablePerSecond) ? `${number(worker.tablePerSecond)} a second` : 'any amount',
    ],
    ['concurrency at most', String(Math.round(summary.maxConcurrency))],
    ['peak backlog', `${number(peakBacklog.messages)} messages after ${time(peakBacklog.second)}`],
    [
      'oldest message',
      oldest.seconds === 0 ? 'under 1 s' : `${time(oldest.seconds)} old after ${time(oldest.second)}`,
    ],
    [
      'drained',
      drainedAfterSeconds === undefined || drainSeconds === undefined
        ? 'not by the end'
        : `${time(drainSeconds)} after the burst's end, ${time(drainedAfterSeconds)} after its beginning`,
    ],
    ['receives that failed', number(summary.failedReceives)],
    ['dead letters', number(summary.deadLetters)],
    ['alarm EventsQueueBehind', alarm(behind)],
    ['alarm EventsMessagesFailing', alarm(failing)],
  ];
  return rows.map(([name, value]) => name.padEnd(30) + value).join('\n');
}

function alarm(times: Summary['behind']): string {
  if (times === undefined) return 'no';
  const end = times.to === undefined ? 'still on at the end' : `over after ${time(times.to)}`;
  return `after ${time(times.from)} at the earliest, ${end}`;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function time(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
