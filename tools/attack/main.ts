/** `npm run attack -- --cases 1000000 [--seed N]`: hostile requests and queue messages; exit code 0 if nothing was found. */
import { parseArgs } from 'node:util';
import { ingestAttack } from './ingest-attack.ts';
import { renderAttack, runAttack } from './run-attack.ts';
import { workerAttack } from './worker-attack.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const cases = Number(values.cases);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed))
  throw new Error('--cases is a number of attempts, --seed a whole number');

console.log(`seed ${seed}; ${cases} attempts`);
const onIngest = Math.ceil(cases / 2);
const results = [
  await runAttack(ingestAttack, onIngest, seed),
  await runAttack(workerAttack, cases - onIngest, seed),
];
for (const result of results) console.log(renderAttack(result));
const findings = results.reduce((sum, result) => sum + result.findings.length, 0);
console.log(findings === 0 ? 'Every promise held.' : `BROKEN: ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
