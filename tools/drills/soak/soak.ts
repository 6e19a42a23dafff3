/**
 * `npm run soak -- --minutes N --rate R|max [--json FILE]`: the pipeline under a steady load. Does it keep its promises, its pace
 * and its memory? Prints a line every 30 s and a table; exit code 0 if so. With `--rate max` it first measures how many events a
 * second it stores, and goes on at half of that; `--minutes 0` ends there.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { OptionError, runScript } from '../../support/run-script.ts';
import { measureMaximum } from './measure-maximum.ts';
import { printTable } from './print-table.ts';
import { soak } from './soak-pass.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: 'max' },
      json: { type: 'string' },
    },
  });
  const minutes = Number(values.minutes);
  const asked = values.rate === 'max' ? undefined : Number(values.rate);
  if (!(minutes >= 0) || (asked !== undefined && !(asked > 0)))
    throw new OptionError('--minutes: expected a number; --rate: expected reports a second, or max');

  await using run = new Run(await startLocalPipeline({ ...unthrottled, 'sms:everyEvent': 'on' }));
  const maximum = asked === undefined ? await measureMaximum(run) : undefined;
  if (maximum !== undefined) console.log(`the maximum: ${maximum} events a second`);
  const perSecond = asked ?? (maximum ?? 0) / 2;
  const result = await soak(run, { perSecond, seconds: minutes * 60 });
  if (minutes > 0) printTable(result);
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ minutes, maximum, ...result }, null, 2)}\n`);
  return printVerdict(result.broken);
}

await runScript(main);
