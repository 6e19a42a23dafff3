/** Entry point of `npm run faults`: is what was acknowledged stored, once, whatever fails? Exit code 0 if so. */
import { parseArgs } from 'node:util';
import { createRandom } from '../../local/sms-service/random.ts';
import { everyCell, someCells } from './every-cell.ts';
import { notSpoiled } from './parts.ts';
import { matrixLines } from './print-matrix.ts';
import { nameOf, runFaults } from './run-faults.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
if (!/^\d+$/.test(values.seed)) fail('--seed is a whole number');
const { only } = values;
const all = values.short ? someCells(createRandom(seed)) : everyCell();
const chosen = only === undefined ? all : all.filter((cell) => nameOf(cell).includes(only));
if (chosen.length === 0)
  fail(`--only: no cell is named "${only}" in part; one is "ingest: ingest > sqs SendMessage refuse"`);
const startedAt = performance.now();
const result = await runFaults(chosen, { seed, say: console.log });

for (const line of matrixLines(result)) console.log(line);
for (const [who, why] of Object.entries(notSpoiled)) console.log(`not spoiled: ${who}: ${why}`);
for (const { cell, broken } of result.cells)
  for (const what of broken) console.error(`BROKEN: ${nameOf(cell)}: ${what}`);
for (const what of result.broken) console.error(`BROKEN: ${what}`);
const acknowledged = result.cells.reduce((sum, one) => sum + one.acknowledged, 0);
const passed = result.cells.filter(({ broken }) => broken.length === 0).length;
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(
  `seed ${seed}: ${passed} of ${result.cells.length} cells passed, ${acknowledged} events acknowledged, ${minutes} min`,
);
process.exitCode = passed === result.cells.length && result.broken.length === 0 ? 0 : 1;

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
