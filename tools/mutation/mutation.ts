/** `npm run mutation`: installs Stryker, whose packages only this needs, and runs it with the tests of the rules. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { installPackages } from '../support/own-packages.ts';
import { runScript } from '../support/run-script.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = import.meta.dirname;

await runScript(async () => {
  await installPackages(folder);
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', join(folder, 'stryker.config.json'), ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  return status ?? 1;
});
