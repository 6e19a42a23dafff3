import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintProse } from './lint-prose.ts';

/** Prints what is wrong with the English of the pages; exit code 1 if anything is. Checks the pages that it is called with, or else all of them. */
const root = join(import.meta.dirname, '../../..');
const named = process.argv.slice(2);
const all = globSync(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const pages = named.length > 0 ? named : all;
for (const page of pages.sort()) {
  for (const problem of await lintProse(page, readFileSync(join(root, page), 'utf8'))) {
    console.error(problem);
    process.exitCode = 1;
  }
}
