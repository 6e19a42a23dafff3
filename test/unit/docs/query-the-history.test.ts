import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What each command answered, by the transcripts. `{...}` stands for what differs from run to run. */
const transcripts = new Map(
  globSync('test/local/pipeline/transcripts/*.txt', { cwd: root })
    .flatMap((path) => read(path).split(/^\$ /m))
    .map((entry) => {
      const [command = '', ...lines] = entry.trimEnd().split('\n');
      return [command, lines.map((line) => line.slice(2)).join('\n')] as const;
    }),
);

const examples = [
  ...read('docs/guides/query-the-history.md').matchAll(/```sh\n([^`]*?)```\n\n```text\n([\s\S]*?)```/g),
].map(([, commands = '', answer = '']) => ({
  command: commands.trimEnd().split('\n').at(-1) ?? '',
  answer: answer.trimEnd(),
}));

it('every question has a command with its answer', () => {
  expect(examples.length).toBeGreaterThanOrEqual(8);
});

it.each(examples)('$command has the answer of the transcript', ({ command, answer }) => {
  const transcript = transcripts.get(command) ?? 'not in a transcript';
  const pattern = transcript.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\\\{\w+\\\}/g, '.+');
  expect(answer).toMatch(new RegExp(`^${pattern}$`));
});
