/**
 * `npm run soak -- --minutes N --rate R|max [--json FILE]`: the pipeline under a steady load. Does it keep its promises, its pace
 * and its memory? Prints a line every 30 s and a table; exit code 0 if so. With `--rate max` it first measures how many events a
 * second it stores, and goes on at half of that; `--minutes 0` ends there.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { storedHistory } from '../volume/outcome.ts';
import { createLoad } from './load.ts';
import { measureMaximum } from './measure-maximum.ts';
import { printTable } from './print-table.ts';
import { soak } from './soak-pass.ts';

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
  throw new Error('--minutes: expected a number; --rate: expected reports a second, or max');

const pipeline = await startLocalPipeline({ ...unthrottled, 'sms:everyEvent': 'on' });
try {
  const load = await createLoad(pipeline);
  const maximum = asked === undefined ? await measureMaximum(load) : undefined;
  if (maximum !== undefined) console.log(`the maximum: ${maximum} events a second`);
  const perSecond = asked ?? (maximum ?? 0) / 2;
  const result = minutes > 0 ? await soak(pipeline, load, { perSecond, seconds: minutes * 60 }) : undefined;
  await load.stop();
  if (result !== undefined) printTable(result);
  const broken = [...load.ledger.broken(await storedHistory(pipeline)), ...(result?.broken ?? [])];
  for (const line of broken.slice(0, 20)) console.error(`BROKEN: ${line}`);
  if (broken.length > 20) console.error(`BROKEN: ${broken.length - 20} more`);
  if (broken.length === 0) console.log('Every promise held.');
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ minutes, maximum, ...result, broken }, null, 2)}\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await pipeline.stop();
}
