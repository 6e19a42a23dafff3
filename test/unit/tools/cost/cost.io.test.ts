import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { settingNames } from '../../../../tools/cost/settings.ts';

const project = resolve(import.meta.dirname, '../../../..');
const page = readFileSync(resolve(project, 'docs/reference/cost.md'), 'utf8');

async function cost(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/cost/cost.ts', ...words], {
    cwd: project,
  });
  return stdout;
}

it('prints for 1 million messages the sum of the example on the page', async () => {
  const [, sum] = /^all +([\d.]+)$/m.exec(await cost('--messages', '1000000')) ?? [];
  expect(page).toContain(`| **${sum}** |`);
});

it('prints every option and setting for --help', async () => {
  const help = await cost('--help');
  const options = page.match(/(?<=^\|.*`)--[\w-]+/gm) ?? [];
  expect(options.length).toBeGreaterThan(4);
  for (const name of [...options, ...settingNames]) expect(help).toContain(name);
});
