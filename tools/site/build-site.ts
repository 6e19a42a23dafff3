/** `npm run site [-- --serve]`: builds the site of the documentation into build/site. `--serve` then shows it on this machine. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import project from '../../package.json' with { type: 'json' };
import { llmsFull, readSections } from '../generate/llms.ts';
import { runScript } from '../support/run-script.ts';
import { siteFolder as out, serveSite } from './serve-site.ts';

const root = resolve(import.meta.dirname, '../..');
const site = join(root, 'site');

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

await runScript(async () => {
  const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });
  if (!isInstalled()) execFileSync('npm', ['ci'], { cwd: site, stdio: 'inherit' });
  const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [vitepress, 'build'], { cwd: site, stdio: 'inherit' });
  const sections = readSections();
  // The links of llms.txt lead to the pages as they are written.
  for (const { path } of sections.flatMap(({ pages }) => pages)) cpSync(join(root, path), join(out, path));
  cpSync(join(root, 'llms.txt'), join(out, 'llms.txt'));
  writeFileSync(join(out, 'llms-full.txt'), llmsFull('SMS event pipeline', project.description, sections));
  console.log(`The site is in ${out}.`);
  if (values.serve) (await serveSite()).printUrls();
  return 0;
});

/** Returns whether the packages of the lockfile are there. npm notes what it has installed. */
function isInstalled(): boolean {
  const installed = join(site, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const versionsIn = (path: string) => lockfile.parse(JSON.parse(readFileSync(path, 'utf8'))).packages;
  const wanted = versionsIn(join(site, 'package-lock.json'));
  return Object.entries(versionsIn(installed)).every(
    ([path, { version }]) => wanted[path]?.version === version,
  );
}
