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

  it.each([
    ['[]', '(the whole file): expected object'],
    ['{"everywhere": {}}', 'everywhere.stop: expected at least one word'],
    ['{"stop": ["BYE"]}', 'stop: expected everywhere or countries'],
    ['{"everywhere": {"Stop": ["BYE"]}}', 'everywhere.Stop: expected stop, start, help'],
    ['{"everywhere": {"stop": ["BYE"]}, "countries": {"br": {}}}', 'countries.br: expected the two capital'],
    ['{"everywhere": {"stop": ["BYE"],', 'is not JSON'],
  ])(
    'of a file that cdk deploy refuses are refused, because replies would opt no one out: %s',
    async (text, reason) => {
      const path = join(temporary, 'other.json');
      writeFileSync(path, text);
      await expect(readKeywords(path)).rejects.toThrow(reason);
    },
  );

  it('of a device, and of no file, are refused', async () => {
    await expect(readKeywords('/dev/zero')).rejects.toThrow('/dev/zero');
    await expect(readKeywords(join(temporary, 'none.json'))).rejects.toThrow('cannot be read (ENOENT');
  });
});
