/** `npm run attack -- --cases 1000000 [--seed N]`: hostile requests and queue messages; exit code 0 if nothing was found. */
import { parseArgs } from 'node:util';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { ingestAttack } from './ingest-attack.ts';
import { renderAttack, runAttack } from './run-attack.ts';
import { workerAttack } from './worker-attack.ts';

await runScript(async () => {
  const { values } = parseArgs({
    options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
  });
  const cases = wholeNumber('cases', values.cases);
  const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000_000), 0);

  console.log(`seed ${seed}; ${cases} attempts`);
  const onIngest = Math.ceil(cases / 2);
  const results = [
    await runAttack(ingestAttack, onIngest, seed),
    await runAttack(workerAttack, cases - onIngest, seed),
  ];
  for (const result of results) console.log(renderAttack(result));
  const findings = results.reduce((sum, result) => sum + result.findings.length, 0);
  console.log(findings === 0 ? 'Every promise held.' : `BROKEN: ${findings} findings`);
  return findings === 0 ? 0 : 1;
});
