import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = globSync(['*.md', '.github/*.md', 'docs/**/*.md'], { cwd: root });

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(path, 'utf8').match(/^#+ .+$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, from) : join(root, dirname(from), path);
  if (!existsSync(target) || relative(root, target).startsWith('..')) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

describe('links between pages', () => {
  it.each(pages)('of %s have existing targets', (page) => {
    // A block may be a part of another page.
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```(?:md|diff)\n[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
    const local = links.flatMap(([, link = '']) => (/^[a-z]+:/.test(link) ? [] : [link]));
    expect(local.filter((link) => isBroken(page, link))).toEqual([]);
  });
});
