import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { llmsFull, llmsIndex, pageOf, readSections } from '../../../../tools/generate/llms.ts';

const root = join(import.meta.dirname, '../../../..');
const sections = readSections();
const index = llmsIndex('Name', 'Summary.', sections);
const full = llmsFull('Name', 'Summary.', sections);
const userPages = globSync('docs/*/**/*.md', { cwd: root }).filter(
  (path) => !/^docs\/(adr|contributing)\//.test(path),
);
const linksIn = (text: string) => [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = '']) => link);

describe('llms.txt', () => {
  it('has a title, a summary, and sections with a link and a sentence for each page for users', () => {
    const [title, , summary, , heading] = index.split('\n');
    expect([title, summary, heading]).toEqual(['# Name', '> Summary.', '## Start']);
    expect(linksIn(index).toSorted()).toEqual(userPages.toSorted());
    const lines = index.split('\n').filter((line) => line.startsWith('- '));
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\([\w/.-]+\): [\p{Lu}"`\d].+$/u);
  });

  it('describes a page by its goal, or else by its first sentence', () => {
    const describedBy = (text: string) => pageOf('docs/a.md', `# A \`title\`\n\n${text}`).description;
    expect(describedBy('Intro.\n\n**Goal:** a [link](b.md), by one command.\n')).toBe(
      'A link, by one command.',
    );
    expect(describedBy('```sh\nls\n```\n\nA **bold** sentence. Another one.')).toBe('A bold sentence.');
    expect(describedBy('| a | table |\n\n- Version 2.0 of it has two parts:\n')).toBe(
      'Version 2.0 of it has two parts.',
    );
    expect(() => describedBy('')).toThrow('docs/a.md: expected a title and a sentence');
  });
});

describe('llms-full.txt', () => {
  it('has each page for users, and links only to pages that it has', () => {
    for (const page of userPages) expect(full).toContain(`<!-- ${page} -->\n\n# `);
    const links = linksIn(full);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !userPages.includes(link) || !existsSync(join(root, link)))).toEqual([]);
    expect(full).not.toMatch(/^!\[/m);
  });

  it('has links from the root, and text in place of what it lacks', () => {
    const page = (path: string, text: string) => ({ path, title: '', description: '', text });
    const pages = [
      page(
        'docs/start/a.md',
        '[b](../guides/b.md#c), [here](#d), [code](../../lib/x.ts), [web](https://aws.com)',
      ),
      page('docs/guides/b.md', '![picture](b.png)\n\n# B'),
    ];
    const text = llmsFull('Name', 'Summary.', [{ title: 'All', pages }]);
    expect(text).toContain(
      '[b](docs/guides/b.md#c), [here](docs/start/a.md#d), code, [web](https://aws.com)',
    );
    expect(text).toContain('<!-- docs/guides/b.md -->\n\n# B\n');
  });
});
