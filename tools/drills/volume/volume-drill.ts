/** `npm run volume-drill`: is what was acknowledged stored and published, whatever fails? Prints a table; exit code 0 if so. */
import { parseArgs } from 'node:util';
import { localBus } from '../../support/local-bus.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { reportsOf } from './reports.ts';
import { volumePass, volumeSettings } from './volume-pass.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, reports: { type: 'string', default: '10000' } },
});
const count = Number(values.reports);
const reports = reportsOf(Math.floor(count * 0.3), count);
const pass = { reports, seed: Number(values.seed), refuseShare: 0.2, kills: 3, throttledSeconds: 30 };

console.log(
  `${reports.length} reports, shuffled, each one to three times (seed ${pass.seed}); worker and publisher killed ${pass.kills} times each; the bus refuses ${pass.refuseShare * 100} % of entries and throttles every call for ${pass.throttledSeconds} s`,
);
const pipeline = await startLocalPipeline(volumeSettings);
try {
  const { broken, ...figures } = await volumePass(pipeline, localBus(pipeline.port), pass);
  const rows: readonly (readonly [string, number])[] = [
    ['requests acknowledged', figures.arrivals],
    ['processes killed', figures.killed],
    ['entries the bus refused', figures.refusedByBus],
    ['messages in history', figures.messages],
    ['facts to publish', figures.facts],
    ['events on the bus, status changes too', figures.published],
    ['of these repeats under the same eventId', figures.repeats],
    ['seconds in all', Math.round(figures.seconds)],
  ];
  for (const [name, figure] of rows) console.log(name.padEnd(42) + String(figure).padStart(8));
  for (const line of broken) console.error(`BROKEN: ${line}`);
  if (broken.length === 0) console.log('Every promise held.');
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await pipeline.stop();
}
