import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Pages in the order in which docs/index.md links to them. */
const linked = [...read('docs/index.md').matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) =>
  posix.join('docs', link),
);

/** Lists the pages of a folder and of its folders: first those that docs/index.md links to, in its order, then the others by name. */
export function sidebarOf(folder: string): Item[] {
  const pages = globSync(`${folder}/**/*.md`, { cwd: root }).sort();
  const placeOf = (path: string) => {
    const place = linked.findIndex((page) => page === path || page.startsWith(`${path}/`));
    return place < 0 ? linked.length : place;
  };
  const below = pages.map((page) => page.slice(folder.length + 1).split('/'));
  const names = new Set(below.flatMap(([name = '']) => (name === 'index.md' ? [] : [name])));
  return [...names]
    .map((name) => `${folder}/${name}`)
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map((path) => {
      if (path.endsWith('.md')) return { text: titleOf(path), link: linkTo(path) };
      const index = `${path}/index.md`;
      const page = pages.includes(index)
        ? { text: titleOf(index), link: linkTo(index) }
        : { text: nameOf(path) };
      return { ...page, items: sidebarOf(path), collapsed: true };
    });
}

const titleOf = (page: string) => /^# (.+)$/m.exec(read(page))?.[1]?.replaceAll(/[`\\]/g, '') ?? nameOf(page);
const linkTo = (page: string) => `/${page.replace(/^site\//, '').replace(/index\.md$/, '')}`;
const nameOf = (path: string) => {
  const name = posix.basename(path).replaceAll('-', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
};
