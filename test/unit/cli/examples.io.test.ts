import { expect, it } from 'vitest';
import { helpExamples } from '../../../tools/generate/cli-reference.ts';
import { docExamples, docMentions, shortOf, wordsOf } from '../../support/doc-examples.ts';
import { commandLine } from './support/harness.ts';

const examples = [...docExamples(), ...helpExamples().map((line) => ({ path: 'the help', line }))];

it('finds the examples of the pages and of the help', () => {
  expect(examples.length).toBeGreaterThan(100);
});

it.each(examples)('$path: $line is accepted', async ({ line }) => {
  const [, ...words] = wordsOf(shortOf(line));
  const { parse } = commandLine();
  expect(await parse(...words)).toEqual({ err: '', isParsed: true });
});

it.each(docMentions())('$path: $line names a command, or a noun', ({ line }) => {
  const words = [
    ...commandLine()
      .commands()
      .map((command) => `${command.words} `),
    'completion ',
  ];
  const named = line.slice('sms '.length);
  expect(words.some((known) => `${named} `.startsWith(known) || known.startsWith(`${named} `))).toBe(true);
});

it.each(['message get x --nosuch', 'message list --limit many', 'mesage get x'])(
  'an example such as %s would fail',
  async (line) => {
    expect(await commandLine().parse(...line.split(' '))).toMatchObject({ isParsed: false });
  },
);
