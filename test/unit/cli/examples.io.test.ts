import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandLine } from './support/harness.ts';

/** The commands that bin/sms.ts starts without the command line. */
const others = /^(?:start|demo|deploy)\b/;

/** Splits a command line as a shell does, without comments, redirections, and what a pipe goes to. */
function wordsOf(line: string): string[] {
  const [command = ''] = line
    .replace(/^.*\| sms /, 'sms ')
    .split(/ [|<>]>? | && |\s+#|; |\s+\((?:the|it) /, 1);
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Lines that call sms in the shell blocks of a page. */
function linesOf(page: string): string[] {
  const blocks = page.matchAll(/```sh\n(.*?)```/gs);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', '')
      .split('\n')
      .map((line) => line.trim().replace(/^npx sms /, 'sms '))
      .filter((line) => /^sms |\| sms /.test(line)),
  );
}

const examples = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md'], {
  exclude: ['**/node_modules/**', 'docs/adr/**'],
}).flatMap((path) => linesOf(readFileSync(path, 'utf8')).map((line) => ({ path, line })));

it('finds the examples, also those of the reference, which are those of the help', () => {
  expect(examples.length).toBeGreaterThan(100);
});

it.each(examples)('$path: $line is accepted', async ({ line }) => {
  const [, ...words] = wordsOf(line);
  if (others.test(words[0] ?? '')) return;
  const { parse } = commandLine();
  expect(await parse(...words)).toEqual({ err: '', isParsed: true });
});

it.each(['message get x --nosuch', 'message list --limit many', 'mesage get x'])(
  'an example such as %s would fail',
  async (line) => {
    expect(await commandLine().parse(...line.split(' '))).toMatchObject({ isParsed: false });
  },
);
