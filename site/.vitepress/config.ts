import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { copyLinkedFiles, repositoryLinks } from './repository-links.ts';
import { sidebarOf } from './sidebar.ts';

const icon = readFileSync(join(import.meta.dirname, '../../console/public/icon.svg'), 'utf8');

/** The pages are those of the repository, at their places: README is the first, and site/ adds the two references that are made from sources. */
export default defineConfig({
  title: 'SMS event pipeline',
  description: 'Delivery reports and replies of an SMS service, kept and queryable in your own AWS account.',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '..',
  srcExclude: ['!(docs|examples|site)/**/*', '.*/**'],
  rewrites: (page) => page.replace(/^site\//, '').replace(/README\.md$/, 'index.md'),
  themeConfig: {
    nav: [
      { text: 'I want to ...', link: '/docs/' },
      { text: 'Construct API', link: '/api/' },
      { text: 'Query API', link: '/openapi' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      { text: 'I want to ...', link: '/docs/' },
      ...sidebarOf('docs'),
      { text: 'Construct API', link: '/api/', items: sidebarOf('site/api'), collapsed: true },
      { text: 'Query API', link: '/openapi' },
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
    // Grammars of diagrams and of the OpenAPI page, which load when needed.
    build: { chunkSizeWarningLimit: 2_500 },
    plugins: [
      {
        // The pages lie above the folder that has Vue.
        name: 'vue-for-pages',
        enforce: 'pre',
        resolveId(id, importer, options) {
          if (!/^vue(\/|$)/.test(id) || !importer?.endsWith('.md')) return null;
          return this.resolve(id, import.meta.filename, { ...options, skipSelf: true });
        },
      },
    ],
  },
  buildEnd: ({ outDir }) => copyLinkedFiles(outDir),
});
