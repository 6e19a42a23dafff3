import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { inspectFile, readRows } from '../../../cli/imports/read-rows.ts';
import { surveyFile } from '../../../cli/imports/survey.ts';
import { CommandFailure } from '../../../cli/target/errors.ts';
import { loadImportMapping, mappingNames } from '../../../contract/document/import-mapping-file-store.ts';
import { columnsOf } from '../../../contract/imports/columns.ts';
import { createRowReader } from '../../../contract/imports/row-reader.ts';
import { temporaryFiles } from '../cli/support/temporary-directory.ts';
import { fuzz } from './fuzz.ts';
import { hostileBytes } from './hostile-requests.ts';
import { hostileJson, hostileTexts, privateNumber, privateText } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const path = temporaryFiles()('import', '');
const readers = mappingNames().map((name) => {
  const mapping = loadImportMapping(name, undefined);
  return { mapping, read: createRowReader(mapping), columns: columnsOf(mapping) };
});

/** A file of an import, as plain data. */
interface ImportAttempt {
  readonly mapping: number;
  readonly format: 'csv' | 'jsonl';
  /** Base64. */
  readonly file: string;
}

/** Values that exports and spreadsheets write, good and bad. */
const cells = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'SM1',
      privateNumber,
      '2025550143',
      '2.02555E+09',
      '12025550143.0',
      'delivered',
      'undelivered',
      'outbound-api',
      'inbound',
      '2026-01-15T12:00:01Z',
      '2026-01-15 12:00:01',
      'Thu, 15 Jan 2026 12:00:01 +0000',
      '46037.5',
      '30003',
      '30003.0',
      '-0,0079',
      'USD',
      '#N/A',
      '=1+1',
      '"',
      '""',
      `"a\n${privateText}"`,
      `"${privateText}`,
      '',
      ' ',
      '\ufeff',
    ),
  },
  hostileTexts,
);

const delimiters = fc.constantFrom(',', ',', ',', ';', '\t', '|');
const lineBreaks = fc.constantFrom('\n', '\r\n', '\r');
const encodings = fc.constantFrom('utf8', 'utf8', 'utf8', 'utf16le', 'latin1', 'utf8-bom', 'utf16le-bom');

function encoded(text: string, encoding: string): string {
  const bytes = Buffer.from(text, encoding.replace('-bom', '') as BufferEncoding);
  const bom = { 'utf8-bom': [0xef, 0xbb, 0xbf], 'utf16le-bom': [0xff, 0xfe] }[encoding] ?? [];
  return Buffer.concat([Buffer.from(bom), bytes]).toString('base64');
}

const csvOf = (names: readonly string[]) =>
  fc
    .record({
      header: fc.oneof(
        { weight: 4, arbitrary: fc.constant(names) },
        { weight: 1, arbitrary: fc.shuffledSubarray([...names]) },
        {
          weight: 1,
          arbitrary: fc.tuple(fc.constant(names), hostileTexts).map(([all, more]) => [...all, more]),
        },
        { weight: 1, arbitrary: fc.array(hostileTexts, { maxLength: 4 }) },
      ),
      before: fc.constantFrom('', '', '', 'sep=;\n', '\n\n', '"sep=,"\r\n'),
      rows: fc.array(fc.array(cells, { minLength: names.length - 1, maxLength: names.length + 1 }), {
        maxLength: 5,
      }),
      delimiter: delimiters,
      lineBreak: lineBreaks,
      encoding: encodings,
    })
    .map(({ header, before, rows, delimiter, lineBreak, encoding }) =>
      encoded(before + [header, ...rows].map((row) => row.join(delimiter)).join(lineBreak), encoding),
    );

const jsonLinesOf = (names: readonly string[]) =>
  fc
    .tuple(
      fc.array(
        fc.oneof(
          {
            weight: 4,
            arbitrary: fc
              .array(cells, { minLength: names.length, maxLength: names.length })
              .map((values) =>
                JSON.stringify(Object.fromEntries(names.map((name, at) => [name, values[at]]))),
              ),
          },
          hostileJson,
          fc.constantFrom(
            '{"a":1,"a":2}',
            '{"a":12345678901234567890}',
            '{"a":1e999}',
            '[',
            '{"__proto__":{"a":1}}',
          ),
        ),
        { maxLength: 5 },
      ),
      lineBreaks,
      encodings,
    )
    .map(([lines, lineBreak, encoding]) => encoded(lines.join(lineBreak), encoding));

const imports: fc.Arbitrary<ImportAttempt> = fc.nat(readers.length - 1).chain((mapping) => {
  const names = [...new Set(readers[mapping]?.columns.flatMap(({ alternatives }) => alternatives.flat()))];
  return fc.record({
    mapping: fc.constant(mapping),
    format: fc.constantFrom('csv' as const, 'csv' as const, 'jsonl' as const),
    file: fc.oneof(
      { weight: 6, arbitrary: csvOf(names) },
      { weight: 4, arbitrary: jsonLinesOf(names) },
      { weight: 1, arbitrary: hostileBytes },
    ),
  });
});

fuzz<ImportAttempt>(
  'imports',
  {
    inputs: imports,
    async attempt({ mapping: at, format, file }) {
      writeFileSync(path, Buffer.from(file, 'base64'));
      const reader = readers[at % readers.length];
      assert(reader !== undefined);
      const { mapping, read, columns } = reader;
      try {
        const input = await inspectFile(
          path,
          format,
          columns,
          new Set(['report.messageId', 'report.status']),
        );
        const survey = JSON.stringify(await surveyFile(input, { mapping, source: 'main' }, read, () => {}));
        assert(!survey.includes(privateNumber.slice(2)), `the survey shows a whole number: ${survey}`);
        let last = 0;
        const kinds = new Set<string>();
        for await (const { line, value, problem } of readRows(input, read)) {
          assert(line > last || format === 'csv', 'lines go backwards');
          last = line;
          const [row] = read([problem === undefined ? value : undefined]);
          assert(row !== undefined, 'a row without a result');
          if (row.kind === 'unreadable') assertShowsNoInsides('the reason', JSON.stringify(row));
          kinds.add(row.kind);
        }
        return kinds.has('report') ? 'report' : kinds.has('reply') ? 'reply' : 'no row';
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        assertShowsNoInsides('the error', error.message);
        assert(!error.message.includes(privateNumber.slice(2)), `the error shows a number: ${error.message}`);
        return 'refused';
      }
    },
  },
  ['report', 'no row', 'refused'],
);
