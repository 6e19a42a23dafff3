import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type FileRow, inspectFile, type RowFormat, readRows } from '../../../../cli/imports/read-rows.ts';
import type { RowReader } from '../../../../contract/imports/row-reader.ts';
import { assertProperty } from '../../../support/property.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const file = temporaryFiles();

/** Reads rows of which no line of a text is a row. */
const noRow: RowReader = (rows) => rows.map(() => ({ kind: 'left-out' }));

/** Reads the rows of a file as an import does. */
const rowsOf = async (path: string, format: RowFormat, skip?: number) =>
  all(readRows(await inspectFile(path, format), noRow, skip));

async function all(rows: AsyncIterable<FileRow>): Promise<FileRow[]> {
  const found: FileRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe('CSV', () => {
  it('is read with a BOM, CRLF, quotes, separators and line breaks in texts', async () => {
    const path = file('a.csv', '\ufeff"id",text\r\nm-1,"a, ""b""\r\nc"\r\n\r\nm-2,\r\n');
    expect(await rowsOf(path, 'csv')).toEqual([
      { line: 3, firstLine: 2, value: { id: 'm-1', text: 'a, "b"\r\nc' } },
      { line: 5, value: { id: 'm-2', text: '' } },
    ]);
  });

  it.each([';', '\t'])('may have %j between its fields', async (separator) => {
    const path = file('s.csv', ['\ufeffid', '"text, long"\r\nm-1', '"0,0075"\r\n'].join(separator));
    expect(await rowsOf(path, 'csv')).toEqual([{ line: 2, value: { id: 'm-1', 'text, long': '0,0075' } }]);
  });

  it('is read with names that have 32,000 blanks within them or at their end', async () => {
    const blanks = ' '.repeat(32_000);
    const [row] = await rowsOf(file('blank.csv', `id,a${blanks}b,${blanks}\n1,2,3\n`), 'csv');
    expect(row?.value).toMatchObject({ id: '1', [`a${blanks}b`]: '2' });
  });

  it('marks rows with another number of fields, and reads on', async () => {
    const path = file('b.csv', 'id,text\nm-1\nm-2,b,c\nm-3,5" wide\n');
    const rows = await rowsOf(path, 'csv');
    expect(rows.map(({ problem }) => problem)).toEqual([
      'wrong-number-of-fields',
      'wrong-number-of-fields',
      undefined,
    ]);
    expect(rows[2]).toEqual({ line: 4, value: { id: 'm-3', text: '5" wide' }, doubt: 'stray-quote' });
  });

  it('is read without work for the columns that a row lacks', async () => {
    const header = Array.from({ length: 9000 }, (_, index) => `c${index}`).join(',');
    const path = file('wide.csv', `${header}\n${'1,2\n'.repeat(100)}`);
    // The parser would copy all columns into an error for each row.
    const copied = vi.spyOn(JSON, 'stringify');
    try {
      const rows = await rowsOf(path, 'csv');
      expect(rows.filter(({ problem }) => problem === 'wrong-number-of-fields')).toHaveLength(100);
      const characters = copied.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
      expect(characters).toBeLessThan(1_000_000);
    } finally {
      copied.mockRestore();
    }
  });

  it('marks a row whose quote swallows the next one, and reads on', async () => {
    const path = file('q.csv', 'id,text\nm-1,"a\n""b"" c"\nm-2,"open\nm-3,"c"\nm-4,5" wide\n');
    const rows = await rowsOf(path, 'csv');
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [3, undefined],
      [5, 'quote-not-closed'],
      [6, undefined],
    ]);
  });

  it('fails at a quote that is never closed, and quotes nothing of the file', async () => {
    const path = file('c.csv', 'id,text\nm-1,a\nm-2,"+12025550143\n');
    await expect(rowsOf(path, 'csv')).rejects.toThrow(
      'not CSV (CSV_QUOTE_NOT_CLOSED): a quote is not closed. The row begins in line 3.',
    );
    await expect(rowsOf(path, 'csv')).rejects.not.toThrow(/2025550143/);
    const endless = file('d.csv', `id\n"${'x'.repeat(1_100_000)}\n`);
    await expect(rowsOf(endless, 'csv')).rejects.toThrow(
      'CSV_MAX_RECORD_SIZE): a row is longer than 1000000 bytes, probably because a quote is not closed. The row begins in line 2.',
    );
  });

  it.each([
    ['behind rows with line breaks', 'id,text\r\nm-1,"a\r\nb"\r\n\r\nm-2,"open\r\nm-3,b\r\n', 5],
    ['behind a name with a line break', 'id,"the\ntext"\nm-1,"open\nm-2,b\n', 3],
    ['behind sep=', 'sep=;\nid;text\nm-1;a\nm-2;"open\nm-3;b\n', 4],
    ['in the first row, with line breaks of an old Macintosh', 'id,text\rm-1,"open\rm-2,b\r', 2],
    [
      'in a long file',
      `id,text\n${'m-1,text\r\n'.repeat(40_000)}m-2,"open\n${'m-3,text\n'.repeat(9000)}`,
      40_002,
    ],
  ])('names the line of a row whose quote is never closed: %s', async (name, text, line) => {
    const path = file(`${name}.csv`, text);
    await expect(rowsOf(path, 'csv')).rejects.toThrow(`The row begins in line ${line}.`);
  });
});

describe('CSV that is broken in the middle', () => {
  it('has all rows before the break, also if they are read slowly', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `m-${index},text\n`).join('');
    const path = file('h.csv', `id,text\n${rows}m-5000,"never closed\n`);
    const ids: unknown[] = [];
    const read = async () => {
      for await (const { value } of readRows(await inspectFile(path, 'csv'), noRow)) {
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
    expect(await rowsOf(path, 'jsonl')).toEqual([
      { line: 1, value: { id: '12345678901234567890' } },
      { line: 3, value: [1], problem: 'not-a-json-object' },
      { line: 4, value: 'not JSON', problem: 'not-a-json-object' },
      { line: 5, value: { id: 'm-2' } },
    ]);
  });
});

describe('JSON lines with characters that other readers take for line breaks', () => {
  it('are one row, because only CR and LF end a line of JSON', async () => {
    const path = file('b.jsonl', '{"text":"a\u2028b\u2029c\u0085d"}\r{"id":1}\r\n{"id":2}\n\r\n{"id":3}');
    expect(await rowsOf(path, 'jsonl')).toEqual([
      { line: 1, value: { text: 'a\u2028b\u2029c\u0085d' } },
      { line: 2, value: { id: 1 } },
      { line: 3, value: { id: 2 } },
      { line: 5, value: { id: 3 } },
    ]);
  });

  it('are refused if a line does not end', async () => {
    const path = file('c.jsonl', `[${'1,'.repeat(1_000_000)}1]`);
    await expect(rowsOf(path, 'jsonl')).rejects.toThrow('a line is longer than 1000000 characters');
  });
});

describe('the text of a row', () => {
  it('is exactly that of the file, or the file is refused', async () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0xc3, 0xa4, 0xef, 0xbf, 0xbd));
    let draws = 0;
    await assertProperty(
      fc.asyncProperty(fc.array(byte, { maxLength: 30 }), fc.boolean(), async (drawn, isValid) => {
        const bytes = isValid ? Buffer.from(Buffer.from(drawn).toString()) : Buffer.from(drawn);
        // A file in which a quarter of the bytes is zero is taken for UTF-16.
        fc.pre(bytes.filter((one) => one === 0).length < 5);
        draws += 1;
        const quoted = bytes.toString('latin1').replaceAll('"', '""');
        const path = file(`b-${draws}.csv`, Buffer.from(`id,text\r\n1,"${quoted}"\r\n2,b\r\n`, 'latin1'));
        const read = rowsOf(path, 'csv');
        if (isUtf8(bytes))
          expect((await read).map(({ value }) => value)).toEqual([
            { id: '1', text: bytes.toString() },
            { id: '2', text: 'b' },
          ]);
        else
          await expect(read).rejects.toThrow(
            /is not UTF-8. Lines with other bytes: \d of \d, the first is line \d/,
          );
      }),
    );
  });

  it.each(['utf8', 'utf16le'] as const)(
    'is whole where a character is in two parts of a file: %s',
    async (encoding) => {
      const text = 'ä€😀'.repeat(30_000);
      for (const before of ['', 'x', 'xx', 'xxx']) {
        const csv = file('parts.csv', Buffer.from(`\ufefftext\n${before}${text}\n`, encoding));
        expect(await rowsOf(csv, 'csv')).toEqual([{ line: 2, value: { text: before + text } }]);
        const json = file('parts.jsonl', Buffer.from(`\ufeff{"text":"${before}${text}"}\n`, encoding));
        expect(await rowsOf(json, 'jsonl')).toEqual([{ line: 1, value: { text: before + text } }]);
      }
    },
  );
});

describe('a file', () => {
  it('is continued after a number of rows, with the same lines', async () => {
    const path = file('e.csv', 'id\nm-1\nm-2\nm-3\n');
    expect(await rowsOf(path, 'csv', 2)).toEqual([{ line: 4, value: { id: 'm-3' } }]);
  });

  it('is known by the hash of its bytes', async () => {
    const [one, other] = [file('f.csv', 'id\nm-1\n'), file('g.csv', 'id\nm-2\n')];
    expect((await inspectFile(one, 'csv')).lines).toBe(2);
    expect((await inspectFile(one, 'csv')).hash).not.toBe((await inspectFile(other, 'csv')).hash);
    await expect(inspectFile('/nowhere/x.csv', 'csv')).rejects.toThrow(/x.csv: cannot be read \(ENOENT/);
  });
});
