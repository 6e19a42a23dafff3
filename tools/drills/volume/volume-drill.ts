import { parseArgs } from 'node:util';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { volumePass, volumeSettings } from './volume-scenario.ts';

/** Sends shuffled and repeated reports while functions are killed and the bus fails: is each stored and published? @returns the exit code */
export async function playVolume(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, reports: { type: 'string', default: '10000' } },
  });
  const options = {
    reports: wholeNumber('reports', values.reports, 100),
    seed: wholeNumber('seed', values.seed, 0),
    throttledSeconds: 30,
  };
  console.log(`${options.reports} reports, shuffled, each one to three times (seed ${options.seed})`);
  await using run = new Run(await startLocalPipeline(volumeSettings));
  const outcome = await volumePass(run, options, console.log);
  const { ledger, killed, published } = run;
  const rows: readonly (readonly [string, number])[] = [
    ['requests acknowledged', ledger.answers.get(200) ?? 0],
    ['processes killed at work', killed.size],
    ['entries the bus refused', outcome.refusedByBus],
    ['messages in history', outcome.evidence.found.history.size],
    ['facts on the bus', published.facts.size],
    ['events on the bus', published.events],
    ['of these repeats under the same eventId', published.repeats],
    ['seconds in all', Math.round(outcome.seconds)],
  ];
  console.log(renderTable(rows.map(([name, figure]) => [name, String(figure)])));
  return printVerdict(outcome.broken);
}
