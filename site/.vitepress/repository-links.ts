import { cpSync, existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const root = join(import.meta.dirname, '../..');

/** Pages of the site, by their paths in the repository. */
const page = /^(README|CHANGELOG|CONTRIBUTING|docs\/.+|site\/estimate)\.md$/;
/** Files that a reader saves. A browser cannot show the sources of programs. */
const saved = /\.(json|sql|ya?ml|csv)$/;

const savedFiles = new Set<string>();

/**
 * Makes links that GitHub follows work in the site. A link to a folder leads to the folder's page, and a file that a reader saves is copied
 * into the site. A link to anything else in the repository becomes text.
 */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type !== 'link_open' || href === null || /^(\w+:|#|\/)/.test(href)) continue;
      const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(href) ?? [];
      const target = join(root, dirname(env.relativePath), path);
      // VitePress reports a page that does not exist.
      if (!existsSync(target)) continue;
      const isFolder = statSync(target).isDirectory();
      const file = relative(root, isFolder ? join(target, 'index.md') : target);
      if (isFolder && existsSync(join(root, file))) token.attrSet('href', `/${file}${anchor}`);
      else if (file === 'README.md') token.attrSet('href', `/index.md${anchor}`);
      else if (!isFolder && saved.test(file)) {
        savedFiles.add(file);
        // VitePress leaves a link with a target as it is.
        token.attrSet('href', `/${file}`);
        token.attrSet('target', '_blank');
      } else if (isFolder || !page.test(file)) token.attrs = null;
    }
  });
}

/** Copies the files that pages link to. VitePress empties the folder after it has read the pages. */
export function copySavedFiles(outDir: string): void {
  for (const path of savedFiles) cpSync(join(root, path), join(outDir, path));
}
