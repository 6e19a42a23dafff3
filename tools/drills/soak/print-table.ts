import { renderTable } from '../../support/table.ts';
import { flatnessRule } from './flatness.ts';
import { isFunction } from './memory.ts';
import type { SoakResult } from './soak-pass.ts';

/** Prints what a run has measured. */
export function printTable(result: SoakResult): void {
  const { seconds, requests, acknowledged, behindMs, publishedMs, backlogMax, quietAfterSeconds } = result;
  const percentiles = Object.entries(publishedMs).map(([percent, ms]) => `p${percent} ${ms.toFixed(0)}`);
  const rows: readonly (readonly [string, string])[] = [
    ['requests', String(requests)],
    ['acknowledged', String(acknowledged)],
    ['acknowledged a second', (acknowledged / seconds).toFixed(1)],
    ['sender at most behind its schedule, ms', behindMs.toFixed(0)],
    ['post, without that, to published, ms', percentiles.join(', ')],
    ['backlog at most', String(backlogMax)],
    ['after the last answer, until no queue held anything, s', quietAfterSeconds.toFixed(1)],
  ];
  console.log(`\n${renderTable(rows)}\n`);
  console.log(`resident memory, MB, at 10 %, 50 % and 100 % of the time; ${flatnessRule}`);
  console.log(
    'judged by the largest process of a kind; stand-ins for AWS hold what they were given, and fail nothing',
  );
  const memory = result.memory.map(({ kind, largest, sum, growth, verdict }) => [
    isFunction(kind) ? kind : `${kind} (stand-in)`,
    ...[...largest, ...sum].map((value) => value.toFixed(0)),
    `${(growth * 100).toFixed(1)} %`,
    verdict,
  ]);
  const head = ['', 'largest', '', '', 'sum', '', '', 'per 30 min', ''];
  console.log(renderTable([head, ...memory]));
}
