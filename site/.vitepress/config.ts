import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { type Page, pageOf, readSections } from '../../tools/generate/llms.ts';
import { copySavedFiles, repositoryLinks } from './repository-links.ts';

const root = join(import.meta.dirname, '../..');
const icon = readFileSync(join(root, 'console/public/icon.svg'), 'utf8');

/** A page's link is its path in the repository. */
const itemOf = ({ path, title }: Page): DefaultTheme.SidebarItem => ({
  text: title.replaceAll('`', ''),
  link: `/${path.replace(/(index)?\.md$/, '')}`,
});
const pagesIn = (folder: string) =>
  globSync(`${folder}/*.md`, { cwd: root })
    .sort()
    .map((path) => itemOf(pageOf(path, readFileSync(join(root, path), 'utf8'))));

/** The pages are those of the repository, at their places. README.md is the first one, and this folder adds the estimate. */
export default defineConfig({
  title: 'SMS event pipeline',
  description: 'Delivery reports and replies of an SMS service, kept and queryable in your own AWS account.',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: root,
  srcExclude: ['!(docs|site)/**/*', '.*/**', 'site/node_modules/**'],
  rewrites: { 'README.md': 'index.md', 'site/estimate.md': 'estimate.md' },
  outDir: join(root, 'build/site'),
  cacheDir: join(root, '.local/site-cache'),
  themeConfig: {
    nav: [
      { text: 'Everything else', link: '/docs/' },
      { text: 'What would it cost you?', link: '/estimate' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      { text: 'What would it cost you?', link: '/estimate' },
      ...readSections().map(({ title, pages }) => ({
        text: title,
        items: pages.map(itemOf),
        collapsed: true,
      })),
      { text: 'Contributing', items: pagesIn('docs/contributing'), collapsed: true },
      { text: 'Decisions', items: pagesIn('docs/adr'), collapsed: true },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    // The pages link to each other with GitHub's anchors.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
          .replaceAll(' ', '-'),
    },
    config(md) {
      repositoryLinks(md);
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info = '', content = '' } = tokens[index] ?? {};
        if (info.trim() === 'mermaid') return `<MermaidDiagram source="${encodeURIComponent(content)}" />`;
        return fence?.(tokens, index, ...rest) ?? '';
      };
    },
  },
  vite: {
    // The compiler of this Vite does not know the target of the project's tsconfig.json.
    esbuild: { tsconfigRaw: '{}' },
    // The index of the search, which loads when a reader searches.
    build: { chunkSizeWarningLimit: 1_000 },
    plugins: [
      {
        // The pages lie above the folder that has Vue.
        name: 'vue-for-pages',
        enforce: 'pre',
        resolveId(id, importer, options) {
          if (!/^vue(\/|$)/.test(id)) return null;
          // Node finds it when it renders the pages.
          if (options.ssr) return { id, external: true };
          if (!importer?.endsWith('.md')) return null;
          return this.resolve(id, import.meta.filename, { ...options, skipSelf: true });
        },
      },
    ],
  },
  buildEnd({ outDir }) {
    copySavedFiles(outDir);
    // To bundle it again would take a minute.
    const mermaid = join(root, 'site/node_modules/mermaid/dist');
    for (const path of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min'])
      cpSync(join(mermaid, path), join(outDir, 'mermaid', path), {
        recursive: true,
        filter: (file) => !file.endsWith('.map'),
      });
  },
});
