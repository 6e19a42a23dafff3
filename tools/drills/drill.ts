/**
 * `npm run drill -- <name> [options]`: tries a promise of docs/concepts/guarantees.md on this machine. Exit code 0 if it held, 1 if it was
 * broken, 2 if the drill could not be played.
 */
import { OptionError, runScript } from '../support/run-script.ts';

type Play = (args: string[]) => Promise<number>;

const drills: Readonly<Record<string, () => Promise<Play>>> = {
  faults: async () => (await import('./faults/faults-drill.ts')).playFaults,
  rotation: async () => (await import('./rotation/rotation-drill.ts')).playRotation,
  volume: async () => (await import('./volume/volume-drill.ts')).playVolume,
  lookups: async () => (await import('./lookups/lookups-drill.ts')).playLookups,
  insights: async () => (await import('./insights/insights-drill.ts')).playInsights,
  import: async () => (await import('./import/import-drill.ts')).playImport,
  restore: async () => (await import('./join/restore-drill.ts')).playRestore,
  move: async () => (await import('./join/move-drill.ts')).playMove,
  sources: async () => (await import('./sources/sources-drill.ts')).playSources,
  grants: async () => (await import('./grants/grants-drill.ts')).playGrants,
};

await runScript(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const load = Object.hasOwn(drills, name) ? drills[name] : undefined;
  if (load === undefined)
    throw new OptionError(`npm run drill -- NAME: expected one of ${Object.keys(drills).join(', ')}`);
  const play = await load();
  return play(args);
});
