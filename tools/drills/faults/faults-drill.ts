import { parseArgs } from 'node:util';
import { printVerdict } from '../../engine/print.ts';
import { OptionError, wholeNumber } from '../../support/run-script.ts';
import { everyCell } from './every-cell.ts';
import { notSpoiled } from './parts.ts';
import { runFaults } from './run-faults.ts';

/** Spoils every call of the functions in six ways, and kills and freezes processes. It checks that each acknowledged event is stored once. @returns the exit code */
export async function playFaults(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
  });
  const seed = wholeNumber('seed', values.seed, 0);
  const chosen = everyCell().filter(({ name }) => name.includes(values.only));
  if (chosen.length === 0)
    throw new OptionError(
      `--only: no cell is named "${values.only}" in part; one is "ingest: ingest > sqs SendMessage refuse"`,
    );
  const startedAt = performance.now();
  const { cells, broken } = await runFaults(chosen, { seed, say: console.log });
  for (const [who, why] of Object.entries(notSpoiled)) console.log(`not spoiled: ${who}: ${why}`);
  const acknowledged = cells.reduce((sum, one) => sum + one.acknowledged, 0);
  const passed = cells.filter((one) => one.broken.length === 0).length;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(
    `seed ${seed}: ${passed} of ${cells.length} cells passed, ${acknowledged} events acknowledged, ${minutes} min`,
  );
  return printVerdict([
    ...cells.flatMap((one) => one.broken.map((what) => `${one.name}: ${what}`)),
    ...broken,
  ]);
}
