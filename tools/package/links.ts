import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link in Markdown to a file: its text and its path, without the place in the file. */
const fileLink = /\[([^\]]*)\]\((?!\w+:)([^)#\s]+)(?:#[^)\s]*)?\)/g;

/** An image of a file, on a line of its own, with the empty lines after it. */
const imageLine = /^!\[[^\]]*\]\((?!\w+:)([^)#\s]+)\)\n+/gm;

/** Returns the links of the pages in a folder, and in its folders, that lead nowhere. */
export function deadLinks(folder: string): string[] {
  return pagesIn(folder).flatMap((page) => {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(fileLink)];
    return links.flatMap(([link, , path = '']) => (leadsTo(folder, page, path) ? [] : `${page}: ${link}`));
  });
}

/**
 * Replaces each dead link by its text, and removes the lines of dead images. A package has no address of what it leaves out, because anybody may
 * publish it from anywhere.
 */
export function unlinkDeadLinks(folder: string): void {
  for (const page of pagesIn(folder)) {
    const file = join(folder, page);
    const text = readFileSync(file, 'utf8');
    const isLive = (path: string) => leadsTo(folder, page, path);
    writeFileSync(
      file,
      text
        .replace(imageLine, (line, path: string) => (isLive(path) ? line : ''))
        .replace(fileLink, (link, label: string, path: string) => (isLive(path) ? link : label)),
    );
  }
}

const pagesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));

const leadsTo = (folder: string, page: string, path: string) => existsSync(join(folder, dirname(page), path));
