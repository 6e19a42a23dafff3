import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The page whose steps tests apply: a new automation of the pipeline. */
const page = resolve(import.meta.dirname, '../../docs/contributing/new-automation.md');

/** A step of the page: a file that is written, or changes of a file that is there. */
export interface Step {
  readonly path: string;
  /** The text of a new file, or the changes. */
  readonly content: string | readonly Change[];
}

/** Lines of a file, which occur in it once, and what they become. */
interface Change {
  readonly before: string;
  readonly after: string;
}

/**
 * Reads the steps: a line that ends with the path in backticks and a colon, and a block behind it. The block of a language is a new file. A
 * block `diff` has changes, separated by lines `@@`, without line numbers.
 */
export function stepsOfPage(): readonly Step[] {
  const blocks = readFileSync(page, 'utf8').matchAll(
    /^.*`([\w./-]+\.\w+)`.*:\n\n```(\w+)\n([\s\S]*?)^```$/gm,
  );
  return [...blocks].map(([, path = '', language, text = '']) => ({
    path,
    content: language === 'diff' ? text.split(/^@@\n/m).map(changeOf) : text,
  }));
}

function changeOf(text: string): Change {
  const lines = text.trimEnd().split('\n');
  const without = (mark: string) =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { before: without('+'), after: without('-') };
}

/** @throws Error if the file does not have the lines of the change, or has them twice */
export function applyStep(root: string, { path, content }: Step): void {
  const file = join(root, path);
  if (typeof content === 'string') {
    if (existsSync(file)) throw new Error(`${path} exists already`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return;
  }
  let text = readFileSync(file, 'utf8');
  for (const { before, after } of content) {
    const found = text.split(before).length - 1;
    if (found !== 1) throw new Error(`${path} has these lines ${found} times:\n${before}`);
    text = text.replace(before, () => after);
  }
  writeFileSync(file, text);
}
