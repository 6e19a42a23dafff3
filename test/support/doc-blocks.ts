import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface DocBlock {
  readonly path: string;
  /** The line of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The text between the fences, without their indentation. */
  readonly text: string;
}

/** The blocks of the pages that show how to do something. */
export function taskBlocks(): readonly DocBlock[] {
  return globSync(
    [
      'README.md',
      'docs/*.md',
      'docs/{start,guides,operate,providers}/**/*.md',
      'docs/reference/{events,props}.md',
    ],
    {
      cwd: project,
    },
  )
    .sort()
    .flatMap((path) => blocksOf(path, readFileSync(resolve(project, path), 'utf8')));
}

function blocksOf(path: string, page: string): DocBlock[] {
  return [...page.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', text = ''], index, all) => ({
      path,
      line: page.slice(0, all[index]?.index).split('\n').length,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
