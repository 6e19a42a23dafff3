import type { Durations } from './figures.ts';
import { flatnessRule } from './flatness.ts';
import type { SoakResult } from './soak-pass.ts';
import { resolutionMs, sampledOneOf } from './stored-samples.ts';

/** Prints what a run has measured. */
export function printTable(result: SoakResult): void {
  const { seconds, requests, acknowledged, otherAnswers, drainSeconds } = result;
  const drain = (value: number | undefined) => (value === undefined ? 'never' : `${value.toFixed(1)} s`);
  const others = Object.entries(otherAnswers).map(([answer, times]) => `${times} x ${answer}`);
  const rows: readonly (readonly [string, string])[] = [
    ['requests', String(requests)],
    ['acknowledged', String(acknowledged)],
    ['answers other than 200', others.join(', ') || 'none'],
    ['acknowledged a second', (acknowledged / seconds).toFixed(1)],
    ['sender at most behind its schedule', `${result.behindMs.toFixed(0)} ms`],
    [
      `post, without that, to stored (1 message of ${sampledOneOf}, looked at every ${resolutionMs} ms)`,
      durationText(result.stored),
    ],
    ['post, without that, to published (all, to 1 ms)', durationText(result.published)],
    ['backlog at the end, at most', `${result.backlogAtEnd}, ${result.backlogMax}`],
    [
      'after the last answer, until all was stored, published',
      `${drain(drainSeconds.queue)}, ${drain(drainSeconds.bus)}`,
    ],
  ];
  console.log('');
  for (const [name, value] of rows) console.log(`${name.padEnd(74)}${value}`);
  console.log(`\nresident memory, MB, at 10 %, 50 % and 100 % of the time; ${flatnessRule}`);
  console.log(
    'judged by the largest process of a kind; stand-ins for AWS hold what they were given, and fail nothing',
  );
  for (const { kind, isFunction, sum, largest, growth, verdict } of result.memory) {
    const numbers = (values: readonly number[]) =>
      values.map((value) => value.toFixed(0).padStart(5)).join('');
    const perHalfHour =
      verdict === 'too short to judge' ? '' : ` (${(growth * 100).toFixed(1)} % per 30 min)`;
    console.log(
      `${(isFunction ? kind : `${kind} (stand-in)`).padEnd(30)}largest${numbers(largest)}   sum${numbers(sum)}   ${verdict}${perHalfHour}`,
    );
  }
}

function durationText({ count, p50, p95, p99, max }: Durations): string {
  const [a, b, c, d] = [p50, p95, p99, max].map((value) => value.toFixed(0));
  return `p50 ${a}, p95 ${b}, p99 ${c}, max ${d} ms (${count})`;
}
