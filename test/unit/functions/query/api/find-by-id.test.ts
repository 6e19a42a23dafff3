import { describe, expect, it } from 'vitest';
import { AmbiguousIdError, findOne } from '../../../../../functions/query/api/find-by-id.ts';

/** The ids of the history: `backup/x` is the id x of the source backup, and `main/backup/x` is the id `backup/x` of the source main. */
const stored = new Set([
  'backup/x',
  'main/backup/x',
  'both',
  'backup/both',
  'main/backup/y',
  'backup/backup/y',
  'm1',
  'backup/main/m1',
]);
const read = async (id: string) => (stored.has(id) ? id : undefined);
const find = async (text: string) => (await findOne(text, ['main', 'backup'], read))?.id;

describe('an id with its source', () => {
  it('finds the message of this source, although an id of another one is the same text', async () => {
    expect(await find('backup/x')).toBe('backup/x');
    expect(await find('main/backup/x')).toBe('main/backup/x');
    expect(await find('main/m1')).toBe('m1');
  });

  it('is ambiguous if only other sources use the text as an id', async () => {
    await expect(find('backup/y')).rejects.toThrow(new AmbiguousIdError(['main', 'backup']));
  });
});

it('an id without its source is ambiguous if several sources use it', async () => {
  await expect(find('both')).rejects.toThrow('Several sources use this id: main, backup.');
  expect(await find('nosuch')).toBeUndefined();
  const asked: string[] = [];
  await findOne('main/', ['main', 'backup'], async (id) => void asked.push(id));
  expect(asked).toEqual(['main/main/', 'backup/main/']);
});
