import { expect, it } from 'vitest';
import { docExamples, wordsOf } from '../../support/doc-examples.ts';
import { commandLine } from './support/harness.ts';

/** The commands that bin/sms.ts starts without the command line. */
const others = /^(?:start|demo|deploy)\b/;

const examples = docExamples();

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
