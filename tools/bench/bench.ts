/**
 * `npm run bench [-- starts | events] [--rounds N] [--messages N] [--write]`: how fast ingest starts, and what an event takes of each function, of
 * DynamoDB, and in dollars. Prints one table. `--write` stores what an event uses in tools/cost/measured-usage.json, from which estimates of
 * the cost are computed. Exit code 1 if a target was missed, 2 if the bench failed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EventUsage } from '../cost/event-usage.ts';
import committed from '../cost/measured-usage.json' with { type: 'json' };
import { OptionError, runScript, wholeNumber } from '../support/run-script.ts';
import { eventFigures } from './event-figures.ts';
import { type Figure, isMissed, renderFigures } from './figure.ts';
import { measureUsage } from './measure-events.ts';
import { measureStarts } from './starts/measure-starts.ts';

const measuredUsage = new URL('../cost/measured-usage.json', import.meta.url);

/** More digits would differ in each run. */
function round(usage: EventUsage): EventUsage {
  const short = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value);
  return JSON.parse(JSON.stringify(usage, (_, value) => short(value)));
}

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '15' },
      messages: { type: 'string', default: '600' },
      write: { type: 'boolean', default: false },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const messages = wholeNumber('messages', values.messages, 20);
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
    starts: () => measureStarts(folder, rounds),
    events: async () => {
      const usage = await measureUsage(messages);
      if (values.write) {
        const rounded = { inSends: round(usage.inSends), alone: round(usage.alone) };
        writeFileSync(measuredUsage, `${JSON.stringify(rounded, null, 2)}\n`);
      }
      return eventFigures(usage, committed);
    },
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
