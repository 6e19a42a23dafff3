import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FileRow, inspectFile, readRows } from '../../../../cli/imports/read-rows.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const file = temporaryFiles();

async function all(rows: AsyncIterable<FileRow>): Promise<FileRow[]> {
  const found: FileRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe('CSV', () => {
  it('is read with a BOM, CRLF, quotes, separators and line breaks in texts', async () => {
    const path = file('a.csv', '\ufeff"id",text\r\nm-1,"a, ""b""\r\nc"\r\n\r\nm-2,\r\n');
    expect(await all(readRows(path, 'csv'))).toEqual([
      { line: 3, value: { id: 'm-1', text: 'a, "b"\r\nc' } },
      { line: 5, value: { id: 'm-2', text: '' } },
    ]);
  });

  it.each([';', '\t'])('may have %j between its fields', async (separator) => {
    const path = file('s.csv', ['\ufeffid', '"text, long"\r\nm-1', '"0,0075"\r\n'].join(separator));
    expect(await all(readRows(path, 'csv'))).toEqual([
      { line: 2, value: { id: 'm-1', 'text, long': '0,0075' } },
    ]);
  });

  it('marks rows with another number of fields, and reads on', async () => {
    const path = file('b.csv', 'id,text\nm-1\nm-2,b,c\nm-3,5" wide\n');
    const rows = await all(readRows(path, 'csv'));
    expect(rows.map(({ problem }) => problem)).toEqual([
      'wrong-number-of-fields',
      'wrong-number-of-fields',
      undefined,
    ]);
    expect(rows[2]).toEqual({ line: 4, value: { id: 'm-3', text: '5" wide' } });
  });

  it('fails at a quote that is never closed, and quotes nothing of the file', async () => {
    const path = file('c.csv', 'id,text\nm-1,a\nm-2,"+12025550143\n');
    await expect(all(readRows(path, 'csv'))).rejects.toThrow(/not CSV \(CSV_QUOTE_NOT_CLOSED, line \d\)/);
    await expect(all(readRows(path, 'csv'))).rejects.not.toThrow(/2025550143/);
    const endless = file('d.csv', `id\n"${'x'.repeat(1_100_000)}\n`);
    await expect(all(readRows(endless, 'csv'))).rejects.toThrow(/CSV_MAX_RECORD_SIZE/);
  });
});

describe('CSV that is broken in the middle', () => {
  it('has all rows before the break, also if they are read slowly', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `m-${index},text\n`).join('');
    const path = file('h.csv', `id,text\n${rows}m-5000,"never closed\n`);
    const ids: unknown[] = [];
    const read = async () => {
      for await (const { value } of readRows(path, 'csv')) {
        ids.push((value as { id: string }).id);
        // Meanwhile the parser reads on, up to the break.
        if (ids.length === 4980) for (let turns = 0; turns < 100; turns += 1) await turn();
      }
    };
    await expect(read()).rejects.toThrow('CSV_QUOTE_NOT_CLOSED');
    expect(ids).toEqual(Array.from({ length: 5000 }, (_, index) => `m-${index}`));
  });
});

describe('JSON lines', () => {
  it('are read with a BOM and empty lines, and keep the digits of long numbers', async () => {
    const path = file('a.jsonl', '\ufeff{"id":12345678901234567890}\r\n\n[1]\nnot JSON\n{"id":"m-2"}');
    expect(await all(readRows(path, 'jsonl'))).toEqual([
      { line: 1, value: { id: '12345678901234567890' } },
      { line: 3, value: [1], problem: 'not-a-json-object' },
      { line: 4, value: 'not JSON', problem: 'not-a-json-object' },
      { line: 5, value: { id: 'm-2' } },
    ]);
  });
});

describe('a file', () => {
  it('is continued after a number of rows, with the same lines', async () => {
    const path = file('e.csv', 'id\nm-1\nm-2\nm-3\n');
    expect(await all(readRows(path, 'csv', 2))).toEqual([{ line: 4, value: { id: 'm-3' } }]);
  });

  it('is known by the hash of its bytes', async () => {
    const [one, other] = [file('f.csv', 'id\nm-1\n'), file('g.csv', 'id\nm-2\n')];
    expect((await inspectFile(one)).lines).toBe(2);
    expect((await inspectFile(one)).hash).not.toBe((await inspectFile(other)).hash);
    await expect(inspectFile('/nowhere/x.csv')).rejects.toThrow(/x.csv: cannot be read \(ENOENT/);
  });
});
