import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The folders with pages for users, in the order in which a newcomer reads them. */
const sectionsByFolder: Readonly<Record<string, string>> = {
  'docs/start': 'Start',
  'docs/guides': 'Guides',
  'docs/operate': 'Operate',
  'docs/providers': 'Providers',
  'docs/concepts': 'Concepts',
  'docs/reference': 'Reference',
};

export interface Page {
  /** In the repository, for example `docs/start/deploy.md`. */
  readonly path: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** Reads the pages for users. Within a section, those that README.md and docs/index.md link to come first, in the order of the links. */
export function readSections(): readonly Section[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const linked = ['README.md', 'docs/index.md'].flatMap((from) =>
    [...read(from).matchAll(/\]\(([^)#:]+\.md)/g)].map(([, link = '']) =>
      posix.join(posix.dirname(from), link),
    ),
  );
  const placeOf = (path: string) => {
    // A page without a link is behind the index of its folder.
    const place = [path, `${posix.dirname(path)}/index.md`].findIndex((each) => linked.includes(each));
    if (place === -1) return linked.length;
    return place === 0 ? linked.indexOf(path) : linked.indexOf(`${posix.dirname(path)}/index.md`) + 0.5;
  };
  return Object.entries(sectionsByFolder).map(([folder, title]) => ({
    title,
    pages: globSync(`${folder}/**/*.md`, { cwd: root })
      .sort()
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((path) => pageOf(path, read(path))),
  }));
}

/** Reads a page from its text. Its description is its goal, or else its first sentence. @throws Error if it has no title or no sentence */
export function pageOf(path: string, text: string): Page {
  const title = /^# (.+)$/m.exec(text)?.[1];
  const prose = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[-*]|\d+\.) /, '').trim())
    .filter((line) => /^[\p{L}*`["_]/u.test(line) && !line.startsWith('Made by `npm run generate`'));
  const goal = prose.find((line) => line.startsWith('**Goal:**'))?.replace('**Goal:** ', '');
  // All of these begin with the name of their preset.
  const provider =
    /^docs\/providers\/(?!index\.md)/.test(path) &&
    `How to connect ${title}, and which preset reads its events.`;
  const line = plain(goal ?? (provider || prose[0]) ?? '');
  // A period ends a sentence if a new one begins behind it.
  const [sentence = ''] = line.split(/(?<=[.!?:]) (?=\p{Lu})/u);
  if (title === undefined || sentence === '')
    throw new Error(`${path}: expected a title and a sentence, from which llms.txt is made`);
  const description = sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/:$/, '.');
  return { path, title: plain(title), description, text };
}

/** Returns the text without links and emphasis. */
const plain = (markdown: string) =>
  markdown.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*?([^*]+)\*\*?/g, '$1');

/** Writes llms.txt, as https://llmstxt.org describes it. Its links are relative to the root of the repository, of the package, and of the site. */
export function llmsIndex(name: string, summary: string, sections: readonly Section[]): string {
  const parts = sections.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${page.path}): ${page.description}`);
    return `## ${title}\n\n${links.join('\n')}`;
  });
  return `${[`# ${name}`, `> ${summary}`, ...parts].join('\n\n')}\n`;
}

/** Writes llms-full.txt: the whole pages, one after the other. Links between them start at the root, and others become text. */
export function llmsFull(name: string, summary: string, sections: readonly Section[]): string {
  const pages = sections.flatMap((section) => section.pages);
  const paths = new Set(pages.map(({ path }) => path));
  const texts = pages.map(
    ({ path, text }) => `<!-- ${path} -->\n\n${withLinksFromRoot(path, text, paths).trim()}`,
  );
  return `${[`# ${name}`, `> ${summary}`, ...texts].join('\n\n')}\n`;
}

function withLinksFromRoot(page: string, text: string, paths: ReadonlySet<string>): string {
  return text
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replaceAll(
      /\[([^\]]*)\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)/g,
      (_, label: string, link: string, anchor = '') => {
        const target = link === '' ? page : posix.join(posix.dirname(page), link);
        return paths.has(target) ? `[${label}](${target}${anchor})` : label;
      },
    );
}
