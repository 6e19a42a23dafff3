import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importPipeline } from '../../support/import-pipeline.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const write = temporaryFiles();

const report = {
  messageId: 'id',
  recipient: '"Empfänger"',
  status: 'Status',
  occurredAt: 'Gesendet || Erstellt',
  errorCode: 'Code',
  price: 'Preis',
  currency: "'EUR'",
};
const row = { id: 'm-1', Empfänger: '+491511000001', Status: 'Zugestellt', Gesendet: '2026-01-10T10:00:00Z' };
const mappingOf = (changes: object = {}) =>
  write(`mapping-${Object.keys(changes).join('-')}.json`, {
    timeFormat: 'iso8601',
    defaultCountry: 'DE',
    report,
    statuses: { Zugestellt: 'delivered', Abgelehnt: 'rejected' },
    errors: { 21: 'opted_out' },
    samples: [{ name: 'one', row, becomes: { messageId: 'm-1', status: 'delivered' } }],
    ...changes,
  });
const mapping = mappingOf();

const names = ['id', 'Empfänger', 'Status', 'Gesendet', 'Erstellt', 'Code', 'Preis'];
const optedOut = '+4915110000002';
const lines = [
  ['k-1', '+4915110000001', 'Zugestellt', '2026-01-10T10:00:00Z', '', '', '0.0075'],
  ['k-2', optedOut, 'Abgelehnt', '2026-01-10T10:01:00Z', '', '21', ''],
];
const csv = (header: readonly string[] = names, delimiter = ';', rows = lines) =>
  `${[header, ...rows].map((fields) => fields.join(delimiter)).join('\r\n')}\r\n`;
const renamed = (from: string, to: string) => csv(names.map((name) => (name === from ? to : name)));

let files = 0;
async function imported(
  content: string | Uint8Array,
  { file = 'a.csv', by = mapping, options = ['--opt-outs'] } = {},
) {
  files += 1;
  const path = write(`${files}-${file}`, content);
  const { memory, run } = importPipeline(by);
  const { code, out, err } = await run(path, '--confirm', ...options);
  const result = out === '' ? undefined : JSON.parse(out).files[0];
  return { path, memory, code, err, result };
}

/** Imports the rows of `lines` exactly: both messages with their numbers, and the opt-out. */
async function expectAllRead(content: string | Uint8Array): Promise<void> {
  const { memory, code, err } = await imported(content);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect((await memory.message('k-1'))?.phone).toBe('+4915110000001');
  expect(await memory.register.read(optedOut)).toEqual({ state: 'out' });
}

/** Refuses a file before anything is written. */
async function expectRefused(content: string | Uint8Array, ...texts: string[]): Promise<void> {
  const { path, memory, code, err } = await imported(content);
  expect(code).toBe(1);
  for (const text of texts) expect(err).toContain(text);
  expect(err).not.toMatch(/491511000|\bat .*\.ts:/);
  expect(await memory.message('k-1')).toBeUndefined();
  expect(existsSync(`${path}.import-progress`)).toBe(false);
}

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

describe('a file whose columns are certain', () => {
  it.each<[string, string | Uint8Array]>([
    ['UTF-8', csv()],
    ['a byte order mark', `\ufeff${csv()}`],
    ['two byte order marks', `\ufeff\ufeff${csv()}`],
    ['decomposed letters', csv().normalize('NFD')],
    ['blanks behind a name', renamed('Empfänger', 'Empfänger ')],
    ['blanks before a name', renamed('Empfänger', '  Empfänger')],
    ['a no-break space behind a name', renamed('Empfänger', 'Empfänger\u00a0')],
    ['a zero width space before a name', renamed('id', '\u200bid')],
    ['sep=', `sep=;\r\n${csv()}`],
    ['sep= behind a byte order mark', `\ufeffsep=;\n${csv()}`],
    ['sep= in quotes', `"sep=;"\r\n${csv()}`],
    ['sep= with another character', `sep=^\r\n${csv(names, '^')}`],
    ['commas', csv(names, ',')],
    ['tabs', csv(names, '\t')],
    ['bars', csv(names, '|')],
    [
      'more commas than semicolons in the header',
      renamed('Preis', 'Preis;"a,b,c";d,e,f,g,h').replaceAll('\r\n', ';;\r\n').replace(';;\r\n', '\r\n'),
    ],
    [
      'blanks and quotes around values',
      csv(
        names,
        ' , ',
        lines.map((one) => one.map((value) => `"${value}" `)),
      ),
    ],
    [
      'blanks before quotes',
      csv(
        names.map((name) => `"${name}"`),
        ', ',
      ),
    ],
    [
      'values that are padded',
      csv(
        names,
        '\t',
        lines.map((one) => one.map((value) => `${value}   `)),
      ),
    ],
    ['UTF-16LE', utf16(`\ufeff${csv()}`, false)],
    ['UTF-16BE', utf16(`\ufeff${csv()}`, true)],
    ['UTF-16LE with tabs', utf16(`\ufeff${csv(names, '\t')}`, false)],
    [
      'line breaks of two kinds',
      csv(
        ['Preis', ...names.slice(0, -1)],
        ';',
        lines.map((fields) => [...fields.slice(-1), ...fields.slice(0, -1)]),
      ).replace('\r\n', '\n'),
    ],
    ['line breaks of an old Macintosh', csv().replaceAll('\r\n', '\r')],
    [
      'a further column that occurs twice',
      csv(
        [...names, 'x', 'x'],
        ';',
        lines.map((one) => [...one, '', '']),
      ),
    ],
    [
      'columns without names',
      csv(
        [...names, '', ''],
        ';',
        lines.map((one) => [...one, '', '']),
      ),
    ],
  ])('is read with %s', async (_, content) => expectAllRead(content));
});

describe('a file that is not what it seems', () => {
  it.each<[string, string | Uint8Array, readonly string[]]>([
    [
      'Windows-1252',
      Buffer.from(csv(), 'latin1'),
      [
        'is not UTF-8',
        'the first is line 1',
        'The file is WINDOWS-1252',
        'Columns of the file, read as WINDOWS-1252: "id", "Empfänger"',
        '"Empfänger"',
        'iconv -f WINDOWS-1252 -t UTF-8',
      ],
    ],
    [
      'Mac OS Roman',
      Buffer.from(csv().replace('ä', '\x8a'), 'latin1'),
      ['The file is MACINTOSH', 'iconv -f MACINTOSH'],
    ],
    [
      'one byte that is not UTF-8, in a field that is not read',
      Buffer.concat([
        Buffer.from(csv()),
        Buffer.from('k-3;+4915110000003;Zugestellt;2026-01-10T10:00:00Z;;;\xfc\r\n', 'latin1'),
      ]),
      ['Lines with other bytes: 1 of 4, the first is line 4', 'probably WINDOWS-1252'],
    ],
    [
      'a character that is cut off at the end',
      Buffer.concat([Buffer.from(csv()), Buffer.of(0xc3)]),
      ['is not UTF-8', 'the first is line 4'],
    ],
    ['UTF-16LE without a byte order mark', utf16(csv(), false), ['zero bytes', 'iconv -f UTF-16LE -t UTF-8']],
    ['UTF-16BE without a byte order mark', utf16(csv(), true), ['zero bytes', 'iconv -f UTF-16BE -t UTF-8']],
    ['UTF-16 that is cut off', utf16(`\ufeff${csv()}`, false).subarray(0, -1), ['not UTF-16', 'cut off']],
    [
      'a workbook',
      Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(10)]),
      ['a workbook (.xlsx)', 'CSV UTF-8'],
    ],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), ['Decompress it']],
    ['no bytes', '', ['The file is empty']],
    [
      'a header with an open quote',
      'id;"Empfänger;Status\r\nk-1;+491511000001;x\r\n',
      ['a quote is not closed'],
    ],
  ])('is refused: %s', async (_, content, texts) => expectRefused(content, ...texts));
});

describe('a column that the mapping names and the file lacks', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'other letter case',
      renamed('Empfänger', 'EMPFÄNGER'),
      [
        'no column "Empfänger", which "report.recipient"',
        'Columns of the file: "id", "EMPFÄNGER"',
        'The letter case differs',
      ],
    ],
    [
      'text that was encoded twice',
      renamed('Empfänger', 'EmpfÃ¤nger'),
      ['encoded twice', 'iconv -f UTF-8 -t WINDOWS-1252'],
    ],
    [
      'letters that were lost before',
      renamed('Empfänger', 'Empf\ufffdnger'),
      ['U+FFFD where letters were lost'],
    ],
    [
      'lines above the header',
      `Report of January\r\n\r\n${csv()}`,
      ['Row 2 has this name', 'Remove the row above'],
    ],
    ['a line of PowerShell', `#TYPE System.Object\r\n${csv()}`, ['Row 2 has this name']],
    ['no header', csv().split('\r\n').slice(1).join('\r\n'), ['looks like a row']],
    ['another delimiter', csv(names, ':'), ['The first line has one column']],
    ['a similar name', renamed('Empfänger', 'Empfaenger'), ['Similar: "Empfaenger"']],
    [
      'two columns',
      renamed('id', 'x').replace('Status', 'y'),
      ['no column "id", which "report.messageId" of the mapping names; no column "Status"'],
    ],
    ['no id', renamed('id', 'x'), ['no column "id", which "report.messageId"']],
    ['no status', renamed('Status', 'x'), ['no column "Status", which "report.status"']],
    [
      'neither time',
      renamed('Gesendet', 'x').replace('Erstellt', 'y'),
      ['no column "Gesendet", "Erstellt"', 'report.occurredAt'],
    ],
    [
      'no code, with --opt-outs',
      renamed('Code', 'x'),
      ['no column "Code", which "report.errorCode"', 'remove "report.errorCode" from the mapping'],
    ],
  ])('is refused: %s', async (_, content, texts) => expectRefused(content, ...texts));

  it('shows no values of a file without a header', async () => {
    for (const line of ['k-1;+4915110000001;ok;Hello Alice', 'k-1;;14.01.2026 10:00;Hello Alice']) {
      const { err } = await imported(`${line}\r\n`);
      expect(err).toContain('looks like a row');
      expect(err).not.toMatch(/4915110|Alice|"k-1/);
    }
  });

  it('is refused if "only" needs it, because it would be true for rows to leave out', async () => {
    const by = mappingOf({ only: "Richtung != 'ein'" });
    expect((await imported(csv(), { by })).err).toContain('no column "Richtung", which "only"');
  });

  it('is listed if the reports are right without it', async () => {
    const content = renamed('Code', 'x')
      .replace('Preis', 'y')
      .replace('Gesendet', 'Erstellt2')
      .replace('Erstellt;', 'Gesendet;')
      .replace('Erstellt2', 'Gesendet')
      .replace(';Gesendet;x', ';z;x');
    const { code, result, memory } = await imported(content, { options: [] });
    expect(code).toBe(0);
    expect(result.missingColumns).toEqual([
      { column: 'Erstellt', field: 'report.occurredAt' },
      { column: 'Code', field: 'report.errorCode' },
      { column: 'Preis', field: 'report.price' },
    ]);
    expect(await memory.message('k-1')).toBeDefined();
  });

  it('stops the import of all files before the first is written', async () => {
    const { memory, sms } = importPipeline(mapping);
    const [good, bad] = [write('good.csv', csv()), write('bad.csv', renamed('id', 'x'))];
    const { code, err } = await sms('message', 'import', good, bad, '--mapping', mapping, '--confirm');
    expect(code).toBe(1);
    expect(err).toContain('bad.csv: the file has no column "id"');
    expect(await memory.message('k-1')).toBeUndefined();
  });

  it('is not UTF-8 in the mapping either', async () => {
    const by = mappingOf({ report: { ...report, recipient: '"Empf\ufffdnger"' } });
    expect((await imported(csv(), { by })).err).toContain('The mapping itself is not UTF-8');
  });
});

describe('two columns of one name', () => {
  it.each<[string, readonly string[], string]>([
    ['the same', [...names, 'Status'], 'the columns 3 and 8 have the same name "Status"'],
    ['a blank behind one', [...names, 'Empfänger '], 'the columns 2 and 8 have the same name "Empfänger"'],
    ['composed and decomposed letters', [...names, 'Empfänger'.normalize('NFD')], 'the columns 2 and 8'],
  ])('are refused: %s', async (_, header, text) => {
    const rows = lines.map((one) => [...one, 'Alice']);
    await expectRefused(csv(header, ';', rows), text);
  });

  it('are a rejected row in JSON lines', async () => {
    const text = (to: string) =>
      `{"id":"k-1","Empfänger":"+4915110000001",${to}"Status":"Zugestellt","Gesendet":"2026-01-10T10:00:00Z","Text":"\\"Empfänger\\": x"}\n`;
    const once = await imported(text(''), { file: 'a.jsonl' });
    expect(once.result.outcomes).toMatchObject({ new: 1, rejected: 0 });
    const twice = await imported(text('"Empfänger":"+4915110000009",'), { file: 'a.jsonl' });
    expect(twice.result.problems).toEqual([{ line: 1, reason: 'duplicate-key' }]);
    expect(await twice.memory.message('k-1')).toBeUndefined();
  });
});

/** A row with other values, as the only one of a file. */
const withRow = (id: string, to: string, code = '21', price = '') =>
  csv(names, ';', [[id, to, 'Abgelehnt', '2026-01-10T10:01:00Z', '', code, price]]);

describe('a number that a spreadsheet destroyed', () => {
  it.each([
    ['k-1', '4.47912E+11', 'scientific-notation', 'recipient'],
    ['k-1', '"4,47912E+11"', 'scientific-notation', 'recipient'],
    ['k-1', '1.20E+10', 'scientific-notation', 'recipient'],
    ['k-1', '+4.915E+12', 'scientific-notation', 'recipient'],
    ['k-1', ' 4.47912e+11 ', 'scientific-notation', 'recipient'],
    ['k-1', '4E+11', 'scientific-notation', 'recipient'],
    ['k-1', '4.47912E11', 'scientific-notation', 'recipient'],
    ['k-1', '447.912E+9', 'scientific-notation', 'recipient'],
    ['k-1', "'4.47912E+11", 'scientific-notation', 'recipient'],
    ['k-1', '4915110000001.0', 'number-with-decimals', 'recipient'],
    ['k-1', '"4915110000001,00"', 'number-with-decimals', 'recipient'],
    ['k-1', '="4915110000001"', 'spreadsheet-formula', 'recipient'],
    ['k-1', '#NAME?', 'spreadsheet-error', 'recipient'],
    ['k-1', '########', 'spreadsheet-error', 'recipient'],
    ['1.23457E+17', '+4915110000001', 'scientific-notation', 'messageId'],
    ['"1,23457E+17"', '+4915110000001', 'scientific-notation', 'messageId'],
    ['1E+17', '+4915110000001', 'scientific-notation', 'messageId'],
    ['#VALUE!', '+4915110000001', 'spreadsheet-error', 'messageId'],
    ['="k-1"', '+4915110000001', 'spreadsheet-formula', 'messageId'],
  ])('id %s and recipient %s is a rejected row: %s', async (id, to, reason, field) => {
    const { code, result } = await imported(withRow(id, to));
    expect(code).toBe(1);
    expect(result.problems).toEqual([{ line: 2, reason, field }]);
    expect(result.reasons).toEqual({ [reason]: 1 });
    expect(result.optOuts).toBe(0);
    expect(result.outcomes).toMatchObject({ new: 0, changed: 0, rejected: 1 });
  });

  it.each([
    ['1E17', '+4915110000001'],
    ['12E45-1', '+4915110000001'],
    ['1609459200.0', '+4915110000001'],
    ['k-1', '(0151) 1000.0001'],
  ])('is not suspected: id %s and recipient %s', async (id, to) => {
    const { result } = await imported(withRow(id, to));
    expect(result).toMatchObject({ outcomes: { new: 1, rejected: 0 }, doubts: [] });
  });

  it('is rejected in JSON lines too', async () => {
    const line =
      '{"id":"k-1","Empfänger":4.47912e+11,"Status":"Abgelehnt","Gesendet":"2026-01-10T10:00:00Z","Code":21}\n';
    const { result } = await imported(line, { file: 'a.jsonl' });
    expect(result.problems).toEqual([{ line: 1, reason: 'scientific-notation', field: 'recipient' }]);
    expect(result.outcomes).toMatchObject({ new: 0, changed: 0, rejected: 1 });
  });

  it('includes a code that became a decimal number, so that no opt-out is lost in silence', async () => {
    const { result } = await imported(withRow('k-1', optedOut, '21.0'));
    expect(result.problems).toEqual([{ line: 2, reason: 'number-with-decimals', field: 'errorCode' }]);
    expect((await imported(withRow('k-1', optedOut, '22.0'))).result.outcomes.new).toBe(1);
  });

  it('counts an opt-out without a zone at the latest time that it may be, so that an older START does not win', async () => {
    const at = async (time: string) => {
      const { memory } = await imported(
        csv(names, ';', [['k-1', optedOut, 'Abgelehnt', time, '', '21', '']]),
      );
      return (await memory.register.number(optedOut))?.at;
    };
    expect(await at('2026-01-10 10:00:00')).toBe('2026-01-10T22:00:00.000Z');
    expect(await at('2026-01-10T10:00:00Z')).toBe('2026-01-10T10:00:00.000Z');
  });

  it('of a number that may be two opts both of them out, and is counted once', async () => {
    const by = mappingOf({ numbers: 'mixed', defaultCountry: null });
    const { memory, result } = await imported(withRow('k-1', '4755550119', '21'), { by });
    expect(result.optOuts).toBe(1);
    for (const number of ['4755550119', '+14755550119', '+4755550119'])
      expect(await memory.register.read(number)).toEqual({ state: 'out' });
  });

  it('includes the id of a send, which would join the messages of several', async () => {
    const by = mappingOf({ report: { ...report, sendId: 'Preis', price: null } });
    const { result } = await imported(withRow('k-1', optedOut, '', '1.23457E+17'), { by });
    expect(result.problems).toEqual([{ line: 2, reason: 'scientific-notation', field: 'sendId' }]);
  });

  it('shows why, in which row and how to export again, and no value', async () => {
    files += 1;
    const path = write(`${files}.csv`, withRow('k-1', '4.47912E+11'));
    const { sms } = importPipeline(mapping);
    const { code, out } = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(code).toBe(1);
    expect(out).toContain('Line 2: scientific-notation (recipient)');
    expect(out).toContain('1 row has a number or an id such as 1.2E+10. Its digits are lost.\n');
    expect(out).toContain('format the columns as text');
    expect(out).not.toContain('4.47912');
  });

  it.each([
    ['="4915110000001"', '1 row has a number or an id such as ="12025550143".\n'],
    ['4915110000001.0', '1 row has a number or a code such as 12025550143.0.\n'],
  ])('says nothing about lost digits if there are none: %s', async (to, sentence) => {
    files += 1;
    const path = write(`${files}.csv`, withRow('k-1', to));
    const { sms } = importPipeline(mapping);
    const { out } = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(out).toContain(sentence);
    expect(out).not.toContain('lost');
  });

  it('shows five rejected rows to people, and says that --json lists the others', async () => {
    files += 1;
    const rows = Array.from({ length: 1007 }, () => lines[0]?.with(1, '4.47912E+11') ?? []);
    const path = write(`${files}.csv`, csv(names, ';', rows));
    const { sms } = importPipeline(mapping);
    const run = (...options: string[]) =>
      sms('message', 'import', path, '--mapping', mapping, '--dry-run', ...options);
    const { out } = await run();
    expect(out.match(/^Line \d+: /gm)).toHaveLength(5);
    expect(out).toContain('And 1002 more. --json lists the first 1000.\n');
    const { problems } = JSON.parse((await run('--json')).out).files[0];
    expect([problems.length, problems.at(-1)]).toEqual([
      1000,
      { line: 1001, reason: 'scientific-notation', field: 'recipient' },
    ]);
  });
});

describe('a doubtful value', () => {
  it.each([
    ['no-recipient', withRow('k-1', '')],
    ['recipient-is-no-number', withRow('k-1', 'Alice')],
    ['price-unread', withRow('k-1', '+4915110000001', '', '"0,0075"')],
    ['id-may-be-rounded', withRow('12345678901234500000', '+4915110000001')],
  ])('is counted: %s', async (kind, content) => {
    const { code, result } = await imported(content, { options: [] });
    expect(code).toBe(0);
    expect(result.doubts).toEqual([{ kind, rows: 1, line: 2 }]);
  });

  it('is a recipient that may be two numbers, unless the mapping says how numbers are written', async () => {
    const content = withRow('k-1', '4795550183', '');
    const by = mappingOf({ defaultCountry: 'US' });
    const { result } = await imported(content, { by, options: [] });
    expect(result.doubts).toEqual([{ kind: 'recipient-may-be-two-numbers', rows: 1, line: 2 }]);
    const national = mappingOf({ defaultCountry: 'US', numbers: 'national' });
    expect((await imported(content, { by: national, options: [] })).result.doubts).toEqual([]);
    files += 1;
    const { sms } = importPipeline(by);
    const path = write(`${files}.csv`, content);
    const { out } = await sms('message', 'import', path, '--mapping', by, '--dry-run');
    expect(out).toContain('1 row with a recipient that may be two numbers.');
    expect(out).toContain('Set "numbers" and "defaultCountry" in the mapping.');
  });

  it('is counted where ids of several numbers became one, also over two files', async () => {
    const of = (...numbers: string[]) =>
      csv(
        names,
        ';',
        numbers.map((to) => ['1234567890123450', to, 'Zugestellt', '2026-01-10T10:01:00Z', '', '', '']),
      );
    const paths = [
      write('first.csv', of('+4915110000001', '+4915110000002', '+4915110000002')),
      write('second.csv', of('+4915110000003')),
    ];
    const { sms } = importPipeline(mapping);
    const run = (...options: string[]) =>
      sms('message', 'import', ...paths, '--mapping', mapping, '--confirm', ...options);
    const { out } = await run('--json');
    expect(JSON.parse(out).files.map((one: { doubts: unknown }) => one.doubts)).toEqual([
      [
        { kind: 'id-may-be-rounded', rows: 3, line: 2 },
        { kind: 'id-of-another-number', rows: 2, line: 3 },
      ],
      [
        { kind: 'id-may-be-rounded', rows: 1, line: 2 },
        { kind: 'id-of-another-number', rows: 1, line: 2 },
      ],
    ]);
    expect((await run()).out).toContain(
      '2 rows with the id of a message or a reply that also has another number',
    );
  });
});

describe('a file that is no regular file', () => {
  it('is refused before it is opened, because it can be read once only', async () => {
    const folder = write('x', '').slice(0, -2);
    execFileSync('sh', ['-c', 'mkfifo "$0"', `${folder}/fifo.csv`]);
    symlinkSync('/dev/null', `${folder}/null.csv`);
    const { run } = importPipeline(mapping);
    for (const [path, text] of [
      [`${folder}/fifo.csv`, 'is a pipe or a device'],
      [`${folder}/null.csv`, 'is a pipe or a device'],
      ['/dev/stdin', 'is a pipe or a device'],
      [folder, 'is a folder'],
    ] as const) {
      const { code, err } = await run(path, '--confirm', '--format', 'csv');
      expect(code).toBe(1);
      expect(err).toContain(text);
    }
  });
});
