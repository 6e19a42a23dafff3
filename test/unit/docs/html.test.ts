import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root });

/** What GitHub swallows: placeholders like `<name>` outside code. */
function unescaped(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  const tags = text.match(/<[a-z][^>]*>/gi) ?? [];
  return tags.filter((tag) => !/^<\/?(img|picture|source)[\s>]/.test(tag));
}

it.each(pages)('%s has placeholders in code only', (page) => {
  expect(unescaped(page)).toEqual([]);
});
