import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** A line of a page that calls `sms`. */
export interface DocExample {
  readonly path: string;
  readonly line: string;
}

/** Lines that call sms in the shell blocks of the pages. */
export function docExamples(): DocExample[] {
  return inPages(['docs/adr/**'], linesOf);
}

/** Commands that the text of the pages names: `sms message get`. */
export function docMentions(): DocExample[] {
  return inPages([], (page) =>
    [...page.replaceAll('\n', ' ').matchAll(/`(?:npx )?(sms [a-z][^`]*)`/g)].map(([, line = '']) => line),
  );
}

function inPages(exclude: readonly string[], read: (page: string) => string[]): DocExample[] {
  const pages = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md'], {
    cwd: project,
    exclude: ['**/node_modules/**', ...exclude],
  });
  return pages
    .sort()
    .flatMap((path) => read(readFileSync(resolve(project, path), 'utf8')).map((line) => ({ path, line })));
}

function linesOf(page: string): string[] {
  const blocks = page.matchAll(/```sh\n(.*?)```/gs);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', '')
      .split('\n')
      .map((line) => shortOf(line.trim()))
      .filter((line) => /^sms |\| sms /.test(line)),
  );
}

/** The call of sms as someone types it who has the command: without what runs it from a package or a clone. */
export const shortOf = (line: string) =>
  line.replace(/^(?:npx sms(?:-event-pipeline)?|npm run -s sms --) /, 'sms ');

/** Splits the call of sms in a line as a shell does, without comments, redirections, and what a pipe goes to. */
export function wordsOf(line: string): string[] {
  const [command = ''] = line
    .replace(/^.*\| sms /, 'sms ')
    .split(/ [|<>]>? | && |\s+#|; |\s+\((?:the|it) /, 1);
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
