import { expect, it } from 'vitest';
import { readOptions } from '../../../../tools/bench/bench-options.ts';

const read = (...args: string[]) => readOptions(args);

it('the options of a benchmark have defaults', () => {
  expect(read()).toEqual({
    rounds: 15,
    requests: 2000,
    part: undefined,
    profile: undefined,
    json: undefined,
  });
  expect(read('--rounds', '3', '--part', 'work', '--json', 'a.json')).toMatchObject({
    rounds: 3,
    part: 'work',
    json: 'a.json',
  });
});

it.each([
  [['--rounds', '0'], '--rounds'],
  [['--rounds', 'many'], '--rounds'],
  [['--requests', '1.5'], '--requests'],
  [['--part', 'half'], 'cold-start, work'],
  [['--profile', 'query'], 'ingest, worker, publisher'],
  [['--runtime', '/somewhere'], 'runtime'],
])('%j is rejected with its error', (args, message) => {
  expect(() => read(...args)).toThrow(message);
});
