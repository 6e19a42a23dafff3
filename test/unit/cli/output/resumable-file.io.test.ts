import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { beginFile, resumeFile } from '../../../../cli/output/resumable-file.ts';
import { playAnotherUser } from '../support/other-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it.each(['export.jsonl.part', 'export.jsonl.part.json'])(
  'an export is not continued in a folder where %s belongs to another user, who could read it or leave items out',
  async (name) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'export.jsonl');
    await (await beginFile(path, 1)).close();
    playAnotherUser(join(folder, name));
    await expect(resumeFile(path, z.int())).rejects.toThrow(/export\.jsonl\.part\S* belongs to another user/);
  },
);
