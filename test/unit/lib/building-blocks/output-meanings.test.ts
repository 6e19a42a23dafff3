import { expect, it } from 'vitest';
import { meaningOf, outputMeanings } from '../../../../lib/building-blocks/output-meanings.ts';

const names = Object.values(outputMeanings).flatMap((outputs) => Object.keys(outputs));

it('no two stacks have an output of one name, because the construct puts all into one stack', () => {
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

it('an output has the meaning that its stack lists', () => {
  expect(meaningOf('QueryUrl')).toBe('The address of the query API');
  expect(meaningOf('AthenaTable')).toBe(outputMeanings.Export.AthenaTable);
});
