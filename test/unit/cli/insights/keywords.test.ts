import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKeywords } from '../../../../cli/insights/keywords.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('the keywords of a recount', () => {
  const temporary = temporaryDirectory();

  it('are those of the package', async () => {
    const keywordOf = await readKeywords(undefined);
    expect([keywordOf('Stop!'), keywordOf('yes')]).toEqual(['stop', undefined]);
  });

  it('are those of a file', async () => {
    const path = join(temporary, 'own.json');
    writeFileSync(path, JSON.stringify({ everywhere: { stop: ['BYE'] } }));
    const keywordOf = await readKeywords(path);
    expect([keywordOf('bye'), keywordOf('stop')]).toEqual(['stop', undefined]);
  });

  it('of a file of another kind are refused', async () => {
    const path = join(temporary, 'other.json');
    writeFileSync(path, '[]');
    await expect(readKeywords(path)).rejects.toThrow('is not a keywords file');
  });
});
