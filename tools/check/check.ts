import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import pMap from 'p-map';
import { runScript } from '../support/run-script.ts';

/** TypeScript 7. Programs that read code, such as jsii and knip, need the interface of TypeScript 6, which is `typescript`. */
const tsc = 'node node_modules/typescript-native/bin/tsc';

/** Each check reads the sources only. The longest come first. */
const checks: Readonly<Record<string, string>> = {
  lint: 'biome check --error-on-warnings .',
  types: `${tsc} -p .`,
  imports:
    'depcruise --config tools/check/import-rules.cjs bin cli client console contract discovery examples functions lib local test tools',
  purity: 'depcruise --config tools/check/purity-rules.cjs functions contract discovery',
  console: `${tsc} -p console`,
  unused: 'knip',
  generated: 'node tools/generate/write-generated.ts --check',
  lockfile: 'node tools/check/check-lockfile.ts',
};

/** `npm run check [-- NAME...]`: runs all checks, or those that are named, two at a time, and shows what the failed ones write. */
await runScript(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) {
    console.error(`There is no check "${unknown}". There are: ${Object.keys(checks).join(', ')}.`);
    return 2;
  }
  const chosen = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name));
  const results = await pMap(chosen, ([name, command]) => run(name, command), { concurrency: 2 });
  return results.every(Boolean) ? 0 : 1;
});

/** Returns whether the check found nothing. */
async function run(name: string, command: string): Promise<boolean> {
  const begun = performance.now();
  // npm has put the programs of node_modules on the PATH.
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  const isGood = (await closed) === 0;
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (!isGood) console.log(output);
  return isGood;
}
