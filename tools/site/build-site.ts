/** `npm run site [-- --serve]`: builds the site of the documentation into build/site. `--serve` then shows it on this machine. */
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import project from '../../package.json' with { type: 'json' };
import { llmsFull, readSections } from '../generate/llms.ts';
import { installPackages } from '../support/own-packages.ts';
import { runScript } from '../support/run-script.ts';
import { siteFolder as out, serveSite } from './serve-site.ts';

const root = resolve(import.meta.dirname, '../..');
const site = join(root, 'site');

await runScript(async () => {
  const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });
  await installPackages(site);
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
