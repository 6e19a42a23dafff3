import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stepsOfPage } from '../../support/walk-through.ts';

const root = join(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root, exclude: ['docs/adr/**'] });

/** Files that the reader of a page makes, in her own app or by the steps of the walk-through. */
const ofTheReader: ReadonlySet<string> = new Set([
  ...stepsOfPage().map(({ path }) => path),
  'test/unit/functions/automations/reply-notice',
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
