import { cpSync, existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const root = join(import.meta.dirname, '../..');
const linkedFiles = new Set<string>();

/**
 * Makes links that GitHub follows work in the site. A link to a folder leads to the folder's page. A file that is no page is copied into the
 * site. What has neither page nor copy becomes text.
 */
export function repositoryLinks(md: MarkdownRenderer): void {
  // TSDoc and the changelog name pages by their paths.
  md.linkify.add('docs/', {
    validate(text, position) {
      const [link = '', path = ''] = /^([\w/-]+\.md)(#[\w-]+)?/.exec(text.slice(position)) ?? [];
      return path !== '' && existsSync(join(root, 'docs', path)) ? link.length : 0;
    },
    normalize(match) {
      match.url = `/${match.url}`;
    },
  });
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type !== 'link_open' || href === null || /^(\w+:|#|\/)/.test(href)) continue;
      const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(href) ?? [];
      const target = join(root, dirname(env.relativePath), path);
      // VitePress reports what does not exist.
      if (!existsSync(target)) continue;
      if (path.endsWith('.md')) token.attrSet('href', path.replace(/README\.md$/, 'index.md') + anchor);
      else if (statSync(target).isFile()) {
        linkedFiles.add(relative(root, target));
        // VitePress takes a link with a target as it is.
        token.attrSet('target', '_blank');
      } else if (['README.md', 'index.md'].some((name) => existsSync(join(target, name))))
        token.attrSet('href', `${path.replace(/\/$/, '')}/index.md${anchor}`);
      else token.attrs = null;
    }
  });
}

/** Copies the files that pages link to. */
export function copyLinkedFiles(outDir: string): void {
  for (const path of linkedFiles) cpSync(join(root, path), join(outDir, path));
}
