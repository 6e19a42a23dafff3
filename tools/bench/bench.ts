/**
 * `npm run bench [-- starts | events] [--rounds N] [--messages N]`: how fast ingest starts, and what an event takes of each function, of
 * DynamoDB, and in dollars. Prints one table. Exit code 1 if a target was missed, 2 if the bench failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OptionError, runScript, wholeNumber } from '../support/run-script.ts';
import { measureEvents } from './events/measure-events.ts';
import { type Figure, isMissed, renderFigures } from './figure.ts';
import { measureStarts } from './starts/measure-starts.ts';

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '15' },
      messages: { type: 'string', default: '600' },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const messages = wholeNumber('messages', values.messages, 20);
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
    starts: () => measureStarts(folder, rounds),
    events: () => measureEvents(messages),
  };
  const [name, ...more] = positionals;
  if (more.length > 0 || (name !== undefined && benches[name] === undefined))
    throw new OptionError(`npm run bench: expected one of ${Object.keys(benches).join(', ')}`);
  console.log(`${cpus().length} cores (${cpus()[0]?.model.trim()}), Node.js ${process.version}`);
  const figures: Figure[] = [];
  for (const [own, measure] of Object.entries(benches))
    if (name === undefined || name === own) figures.push(...(await measure()));
  console.log(`\n${renderFigures(figures)}`);
  return figures.some(isMissed) ? 1 : 0;
});
