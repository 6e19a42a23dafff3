import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');
const page = read('reference/cost.md');

/** The months of the image that `npm run cost` drew, with what they cost in sends and spread evenly. */
const months = [
  ...read('images/cost.svg').matchAll(
    />(\d+ million \w+)<[\s\S]*?>in sends<[\s\S]*?start">(\d+)<[\s\S]*?>evenly<[\s\S]*?start">(\d+)</g,
  ),
].map(([, name = '', inSends = '', evenly = '']) => ({ name, inSends, evenly }));

it.each(months)('docs/reference/cost.md says of $name what the image shows', ({ name, inSends, evenly }) => {
  const row = page.split('\n').find((line) => line.replaceAll('*', '').startsWith(`| ${name}`));
  expect(row?.split(' | ').slice(1).join(' ')).toBe(`${inSends} ${evenly} |`);
});

it('the page answers for events and for messages', () => {
  expect(months.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['5 million events', '1 million messages']),
  );
});
