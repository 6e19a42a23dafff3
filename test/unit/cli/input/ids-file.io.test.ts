import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readIdsFile } from '../../../../cli/input/ids-file.ts';
import { csvText } from '../../../../console/rules/csv.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sms-ids-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, 'quarantine.csv');
  writeFileSync(path, text);
  return path;
}

it('the ids of a CSV are read as the console writes them, in any column, each once', async () => {
  const rows = [
    ['reason', 'detail', 'id'],
    ['bad-time', 'a "quoted", long\nvalue', '2026-01-15#one'],
    ['bad-time', '', '2026-01-15#two'],
    ['bad-time', '', '2026-01-15#two'],
  ];
  expect(await readIdsFile(fileWith(csvText(rows, 'UTC')))).toEqual(['2026-01-15#one', '2026-01-15#two']);
});

it.each([
  ['reason,time\nbad-time,noon\n', /quarantine\.csv: expected a column "id"/],
  ['id\n', /expected a column "id"/],
  ['', /expected a column "id"/],
  ['id,reason\n2026-01-15#one\n', /quarantine\.csv: not CSV \(\w+, line 2\)$/],
  ['id\n+12025550143"x\n', /quarantine\.csv: not CSV \(INVALID_OPENING_QUOTE, line 2\)$/],
])('%j is refused, with what is wrong', async (text, message) => {
  await expect(readIdsFile(fileWith(text))).rejects.toThrow(message);
});

it('a missing file is named, with the option that names it', async () => {
  await expect(readIdsFile(join(folder, 'none.csv'))).rejects.toThrow(
    /none\.csv: cannot be read .*ENOENT.*--ids-file/,
  );
});
