import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** Its steps make files; new-automation.test.ts reads them. */
const walkThrough = 'docs/contributing/new-automation.md';
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['docs/adr/**', walkThrough],
});

/** Files that the reader of a page makes in her own app. */
const ofTheReader: ReadonlySet<string> = new Set([
  'lib/my-stack.ts',
  'lib/sms-tickets-stack.ts',
  'functions/on-failure.ts',
]);

/** Paths of the project in a page: from a source folder on, without patterns and placeholders. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const paths = text.match(/(?<=[`( ])(?:bin|contract|functions|lib|cli|local|tools|test)\/[\w./-]*\w/g);
  return [...new Set(paths ?? [])];
}

it.each(pages)('%s names files that exist', (page) => {
  expect(pathsIn(page).filter((path) => !ofTheReader.has(path) && !existsSync(join(root, path)))).toEqual([]);
});
