/**
 * `npm run soak -- --minutes N --rate R|max`: the pipeline under a steady load. Does it keep its promises, its pace
 * and its memory? Prints a line every 30 s and a table; exit code 0 if so. With `--rate max` it first measures how many events a
 * second it stores, and goes on at half of that; `--minutes 0` ends there.
 */
import { parseArgs } from 'node:util';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { OptionError, runScript } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { flatnessRule } from './flatness.ts';
import { measureMaximum } from './measure-maximum.ts';
import { isFunction } from './observe.ts';
import { type SoakResult, soak } from './soak-pass.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: 'max' } },
  });
  const minutes = Number(values.minutes);
  const asked = values.rate === 'max' ? undefined : Number(values.rate);
  if (!(minutes >= 0) || (asked !== undefined && !(asked > 0)))
    throw new OptionError('--minutes: expected a number; --rate: expected reports a second, or max');

  await using run = new Run(await startLocalPipeline({ ...unthrottled, 'sms:everyEvent': 'on' }));
  const perSecond = asked ?? (await measureMaximum(run)) / 2;
  const result = await soak(run, { perSecond, seconds: minutes * 60 });
  if (minutes > 0) printTable(result);
  return printVerdict(result.broken);
}

/** Prints what a run has measured. */
function printTable(result: SoakResult): void {
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
  const memory = result.memory.map(({ kind, largest, growth, verdict }) => [
    isFunction(kind) ? kind : `${kind} (stand-in)`,
    ...largest.map((value) => value.toFixed(0)),
    `${(growth * 100).toFixed(1)} %`,
    verdict,
  ]);
  const head = ['', 'largest', '', '', 'per 30 min', ''];
  console.log(renderTable([head, ...memory]));
}

await runScript(main);
