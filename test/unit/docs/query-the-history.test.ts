import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** What each command of the transcripts prints or writes, line by line. They are played against a pipeline. */
const answers = new Map(
  globSync('test/local/pipeline/transcripts/*.txt', { cwd: root })
    .flatMap((path) => read(path).split(/^\$ /m).slice(1))
    .map((play) => {
      const [command = '', ...lines] = play.trimEnd().split('\n');
      return [command, lines.map((line) => line.replace(/^[|>] ?/, ''))];
    }),
);

/** Each command of the page whose answer the page shows. */
const shown = read('docs/guides/query-the-history.md')
  .matchAll(/```sh\n(sms [^\n]+)\n```\n\n```text\n([\s\S]*?)```/g)
  .map(([, command = '', answer = '']) => ({ command, lines: answer.trimEnd().split('\n') }))
  .toArray();

it('the page shows an answer to each of its questions', () => {
  expect(shown.length).toBeGreaterThanOrEqual(9);
});

it.each(shown)('$command prints what the page shows', ({ command, lines }) => {
  expect(answers.get(command)).toEqual(expect.arrayContaining(lines));
});
