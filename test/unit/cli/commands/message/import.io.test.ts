import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../support/property.ts';
import { type ImportFaults, importPipeline } from '../../support/import-pipeline.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const write = temporaryFiles();

const mapping = write('mapping.json', {
  timeFormat: 'iso8601',
  only: "kind != 'in'",
  report: { messageId: 'id', status: 'state', occurredAt: 'at', recipient: 'to', errorCode: 'code' },
  statuses: { sent: 'sent', ok: 'delivered', bad: 'failed' },
  errors: { 9: 'opted_out' },
  samples: [
    {
      name: 'one',
      row: { id: 'm', state: 'ok', at: '2026-01-15T12:00:00Z' },
      becomes: { status: 'delivered' },
    },
  ],
});

interface Line {
  readonly id: string;
  readonly state: string;
  readonly at?: string;
  readonly to?: string;
  readonly code?: string;
  readonly kind?: string;
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 10) + second * 1000).toISOString();
const line = (id: string, state: string, second: number, more: Partial<Line> = {}): Line => ({
  id,
  state,
  at: at(second),
  to: '+12025550143',
  ...more,
});
const jsonl = (lines: readonly unknown[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('');

const pipeline = (faults?: ImportFaults) => importPipeline(mapping, faults);

const outcomesIn = (out: string) => JSON.parse(out).files[0].outcomes;
let files = 0;
let path = '';
const file = (lines: readonly unknown[]) => write(`rows-${files}.jsonl`, jsonl(lines));
beforeEach(() => {
  files += 1;
  path = '';
});

describe('message import', () => {
  it('stores rows as silent reports of their time, and a second import changes nothing', async () => {
    const { memory, run } = pipeline();
    path = file([line('m-1', 'sent', 0), line('m-1', 'ok', 5), line('r-1', 'ok', 6, { kind: 'in' })]);
    const { code, out } = await run(path, '--confirm');
    expect(code).toBe(0);
    expect(outcomesIn(out)).toEqual({ new: 2, changed: 0, known: 0, leftOut: 1, tooOld: 0, rejected: 0 });
    const message = await memory.message('m-1');
    expect(message).toMatchObject({ firstSeenAt: at(0), phone: '+12025550143' });
    expect(message?.events.get('import:ok')).toEqual({
      eventId: 'import:ok',
      status: 'delivered',
      rank: 110,
      word: 'ok',
      occurredAt: at(5),
      receivedAt: at(5),
      origin: 'import',
      silent: true,
      importIds: [JSON.parse(out).files[0].importId],
    });
    expect(outcomesIn((await run(path, '--confirm')).out)).toMatchObject({ new: 0, known: 2 });
    expect(await memory.message('m-1')).toEqual(message);
    expect(existsSync(`${path}.import-progress`)).toBe(false);
    expect(existsSync(`${path}.rejected.jsonl`)).toBe(false);
  });

  it('requires --source of a pipeline with several, because the ids of rows count only within their source', async () => {
    const { memory, run } = pipeline({ sources: ['main', 'backup'] });
    path = file([line('m-1', 'ok', 0)]);
    expect(await run(path, '--confirm')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--source is required, and names one of main, backup.'),
    });
    expect(await memory.message('m-1')).toBeUndefined();
    await run(path, '--confirm', '--source', 'backup');
    expect(await memory.message('backup/m-1')).toBeDefined();
    expect(await memory.message('m-1')).toBeUndefined();
  });

  it('writes nothing in a dry run, and shows the same counts, words and problems', async () => {
    const { memory, run, sms } = pipeline();
    path = file([
      line('m-1', 'ok', 0),
      line('m-2', 'lost', 1),
      { id: 'm-3', state: 'ok', to: '+12025550143' },
    ]);
    const dry = await run(path, '--dry-run');
    expect(outcomesIn(dry.out)).toMatchObject({ new: 2, rejected: 1 });
    expect(JSON.parse(dry.out).files[0]).toMatchObject({
      words: [
        { word: 'ok', status: 'delivered', isKnown: true, rows: 1 },
        { word: 'lost', status: 'lost', isKnown: false, rows: 1 },
      ],
      problems: [{ line: 3, reason: 'missing-field', field: 'occurredAt' }],
    });
    const { code, out } = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(code).toBe(1);
    expect(out).toContain('Line 3: missing-field (occurredAt)');
    expect(out).toContain('Add 1 unknown word to "statuses"');
    expect(out).not.toContain('2025550143');
    expect(await memory.message('m-1')).toBeUndefined();
    expect(existsSync(`${path}.import-progress`)).toBe(false);
    expect(existsSync(`${path}.rejected.jsonl`)).toBe(false);
  });

  it('keeps rejected rows in a file that only its owner reads, and imports the others', async () => {
    const { memory, run } = pipeline();
    path = file([{ id: 'm-1', state: 'ok', at: 'soon' }, 'text', line('m-2', 'ok', 1)]);
    const { code, out } = await run(path, '--confirm');
    expect(code).toBe(1);
    expect(JSON.parse(out).files[0].rejectedFile).toBe(`${path}.rejected.jsonl`);
    expect(
      readFileSync(`${path}.rejected.jsonl`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one)),
    ).toEqual([
      { line: 1, reason: 'bad-time', field: 'occurredAt', row: { id: 'm-1', state: 'ok', at: 'soon' } },
      { line: 2, reason: 'not-a-json-object', row: 'text' },
    ]);
    expect(statSync(`${path}.rejected.jsonl`).mode & 0o777).toBe(0o600);
    expect(await memory.message('m-2')).toBeDefined();
  });

  it('leaves out rows that are older than the history is kept, and rejects those of the future', async () => {
    const { run } = pipeline({ retentionDays: 3 });
    path = file([line('m-1', 'ok', 0), line('m-2', 'ok', 4 * 86_400), line('m-3', 'ok', 7 * 86_400)]);
    const { out } = await run(path, '--confirm');
    expect(outcomesIn(out)).toMatchObject({ new: 1, tooOld: 1, rejected: 1 });
    expect(JSON.parse(out).files[0].problems).toEqual([
      { line: 3, reason: 'in-the-future', field: 'occurredAt' },
    ]);
  });

  it('opts numbers out only if it was asked to', async () => {
    const { memory, run } = pipeline();
    const phone = '+12025550143';
    path = file([line('m-1', 'bad', 0, { code: '9' })]);
    expect(JSON.parse((await run(path, '--confirm')).out).files[0].optOuts).toBe(1);
    expect(await memory.register.read(phone)).toBeUndefined();
    await run(path, '--confirm', '--opt-outs');
    expect(await memory.register.read(phone)).toEqual({ state: 'out' });
  });

  it('opts numbers out of rows that are too old for the history, because an opt-out does not expire', async () => {
    const { memory, run } = pipeline({ retentionDays: 3 });
    path = file([line('m-1', 'bad', 0, { code: '9' })]);
    const { out } = await run(path, '--confirm', '--opt-outs');
    expect(outcomesIn(out)).toMatchObject({ tooOld: 1 });
    expect(await memory.register.read('+12025550143')).toEqual({ state: 'out' });
    expect(await memory.message('m-1')).toBeUndefined();
  });

  it('marks no report as silent with --publish, and leaves the mark of those that are known', async () => {
    const { memory, run } = pipeline();
    const silent = async (id: string) => (await memory.message(id))?.events.get('import:ok')?.silent;
    path = file([line('m-1', 'ok', 0)]);
    await run(path, '--confirm', '--publish');
    expect(await silent('m-1')).toBeUndefined();
    writeFileSync(path, jsonl([line('m-1', 'ok', 0), line('m-2', 'ok', 0)]));
    expect(outcomesIn((await run(path, '--confirm')).out)).toMatchObject({ new: 1, known: 1 });
    expect(await silent('m-1')).toBeUndefined();
    expect(outcomesIn((await run(path, '--confirm', '--publish')).out)).toMatchObject({ known: 2 });
    expect(await silent('m-2')).toBe(true);
  });

  it('of a line that is not CSV is refused before anything is written', async () => {
    const { memory, run } = pipeline();
    path = write(`broken-${files}.csv`, `id,state,at,to,code,kind\nm-1,ok,${at(0)},,,\nm-2,"ok\n`);
    const { code, err } = await run(path, '--confirm');
    expect(code).toBe(1);
    expect(err).toContain(
      'CSV_QUOTE_NOT_CLOSED): a quote is not closed. The row begins in line 3. Correct the file, and run the command again.',
    );
    expect(await memory.message('m-1')).toBeUndefined();
    expect(existsSync(`${path}.import-progress`)).toBe(false);
  });

  it('asks before it writes', async () => {
    const { run } = pipeline();
    path = file([line('m-1', 'ok', 0)]);
    const { code, err } = await run(path);
    expect(code).toBe(2);
    expect(err).toContain('--confirm imports them');
  });

  it('needs a format that the name of the file shows, or an option', async () => {
    const { run } = pipeline();
    const other = write('rows.txt', 'id,state,at,to,code,kind\nm-1,ok,2026-01-10,,,\n');
    expect((await run(other, '--dry-run')).err).toContain('--format csv or --format jsonl is required');
    expect(outcomesIn((await run(other, '--dry-run', '--format', 'csv')).out)).toMatchObject({ rejected: 1 });
  });
});

describe('what an import shows before it writes', () => {
  const table = (out: string) => JSON.parse(out).files[0].fields;

  it('is each field of the mapping: rows with a value, rows that are read exactly, and examples', async () => {
    const { memory, run, sms } = pipeline();
    path = file([
      line('m-1', 'ok', 0, { code: '9' }),
      line('m-2', 'lost', 1, { to: 'Anna from the office' }),
      line('m-3', 'ok', 2, { to: '' }),
      { ...line('m-4', 'ok', 3), at: 'soon' },
      line('r-1', 'ok', 4, { kind: 'in' }),
    ]);
    const expected = [
      { field: 'report.messageId', rows: 3, exact: 3, examples: [m('m-1'), m('m-2')] },
      {
        field: 'report.recipient',
        rows: 2,
        exact: 1,
        examples: [
          { cell: '•••0143', becomes: '•••0143 (US)' },
          { cell: 'a text of 20 characters', becomes: 'a text of 20 characters' },
        ],
      },
      {
        field: 'report.status',
        rows: 3,
        exact: 2,
        examples: [{ cell: 'ok', becomes: 'delivered' }, m('lost')],
      },
      {
        field: 'report.occurredAt',
        rows: 4,
        exact: 3,
        examples: [m(at(0)), m(at(1)), { cell: 'soon' }],
      },
      { field: 'report.errorCode', rows: 1, exact: 1, examples: [{ cell: '9', becomes: 'opted_out' }] },
    ];
    expect(table((await run(path, '--dry-run')).out)).toEqual(expected);
    const { out } = await sms('message', 'import', path, '--mapping', mapping);
    expect(out).toContain('report.errorCode   1     1      9 → opted_out');
    expect(out).not.toMatch(/Anna|2025550143/);
    expect(await memory.message('m-1')).toBeUndefined();
    expect(table((await run(path, '--confirm')).out)).toEqual(expected);
  });

  it('is what the question comes after, and a no writes nothing', async () => {
    const shown: string[] = [];
    const terminal = {
      out: (text: string) => void shown.push(text),
      ask: async (question: string) => {
        shown.push(question);
        return 'n';
      },
    };
    const { memory, ask } = pipeline();
    path = file([line('m-1', 'ok', 0)]);
    expect(await ask(terminal, path)).toMatchObject({ code: 1 });
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain('How the mapping reads');
    expect(shown[1]).toContain('Go on?');
    expect(await memory.message('m-1')).toBeUndefined();
  });

  it('shows no text of a person and no number, whichever column a field names', async () => {
    const { run } = pipeline();
    const text = 'Hi, this is Anna';
    path = file([
      { id: '+12025550143', state: text, at: at(0), to: text, code: text },
      { id: `${text}: call me at (202) 555-0144 please, thank you`, state: 'ok', at: text, to: '', code: '' },
      { id: 'm', state: 'ok', at: '(202) 555-0145', to: '', code: '' },
    ]);
    const { out } = await run(path, '--dry-run');
    expect(JSON.stringify(table(out))).not.toMatch(/Anna|202\D{0,3}555\D?01/);
  });

  it.each([
    ['14.02.2026 09:30', '14.02.2026 09:30'],
    ['2/14/26', '2/14/26'],
    ['2025550143', '•••0143'],
  ])(
    'shows the time %s as %s if it cannot be read, because its format has to be corrected',
    async (time, shown) => {
      const { run } = pipeline();
      path = file([{ ...line('m-1', 'ok', 0), at: time }]);
      expect(table((await run(path, '--dry-run')).out)[3].examples).toEqual([{ cell: shown }]);
    },
  );

  it('lists the columns that the mapping does not read', async () => {
    const { run, sms } = pipeline();
    path = write(`extra-${files}.csv`, `id,state,Body,at,to,code,kind,,Body\nm-1,ok,x,${at(0)},,,,,\n`);
    const columns = ['Body', '(column 8)', 'Body (column 9)'];
    expect(JSON.parse((await run(path, '--dry-run')).out).files[0].unreadColumns).toEqual(columns);
    const { out } = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(out).toContain(`Columns that the mapping does not read: ${columns.join(', ')}\n`);
    path = file([line('m-1', 'ok', 0), { ...line('m-2', 'ok', 0), name: 'x' }]);
    expect(JSON.parse((await run(path, '--dry-run')).out).files[0].unreadColumns).toEqual(['name']);
  });

  const m = (text: string) => ({ cell: text, becomes: text });
});

describe('a file without a row to import', () => {
  const header = 'id,state,at,to,code,kind';
  it.each<[string, string, string]>([
    ['empty.csv', '', 'The file is empty'],
    ['header.csv', `${header}\n`, 'the file has no row. Nothing was imported.'],
    ['blank.jsonl', '\n\n', 'the file has no row. Nothing was imported.'],
    [
      'left-out.csv',
      `${header}\nm-1,ok,${at(0)},,,in\nm-2,ok,${at(0)},,,in\n`,
      '"only" of the mapping leaves out all 2 rows. Nothing was imported.',
    ],
  ])('%s is a failure, in a dry run too', async (name, content, message) => {
    const { memory, run } = pipeline();
    const empty = write(`${files}-${name}`, content);
    const rows = file([line('m-1', 'ok', 0)]);
    for (const option of ['--dry-run', '--confirm']) {
      const { code, out, err } = await run(rows, option).then(() => run(empty, option));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(message);
    }
    expect(await memory.message('m-2')).toBeUndefined();
  });

  it('stops the import of all files, before the first is written', async () => {
    const { memory, sms } = pipeline();
    const [rows, empty] = [file([line('m-1', 'ok', 0)]), write(`${files}-none.jsonl`, '')];
    expect(await sms('message', 'import', rows, empty, '--mapping', mapping, '--confirm')).toMatchObject({
      code: 1,
    });
    expect(await memory.message('m-1')).toBeUndefined();
  });
});

describe('an id with several recipients', () => {
  it('is counted within one file, also over a thousand rows and in a dry run', async () => {
    const { run, sms } = pipeline();
    const others = Array.from({ length: 1500 }, (_, index) => line(`n-${index}`, 'ok', index));
    path = file([line('m-1', 'sent', 0), ...others, line('m-1', 'ok', 5, { to: '+12025550144' })]);
    const doubts = [{ kind: 'id-of-another-number', rows: 1, line: 1502 }];
    const dry = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(dry.out).toContain('1 row with the id of a message or a reply that also has another number.');
    for (const option of ['--dry-run', '--confirm'])
      expect(JSON.parse((await run(path, option)).out).files[0].doubts).toEqual(doubts);
  });
});

describe('the id of an import', () => {
  const idIn = (out: string) => JSON.parse(out).files[0].importId;

  it('follows from the file, the mapping and the source, so that each run of it has the same', async () => {
    const { run, sms } = pipeline({ sources: ['main', 'backup'] });
    path = file([line('m-1', 'ok', 0)]);
    const id = idIn((await run(path, '--dry-run', '--source', 'main')).out);
    expect(id).toMatch(/^imp-[0-9a-f]{32}$/);
    const shown = await sms('message', 'import', path, '--mapping', mapping, '--dry-run', '--source', 'main');
    expect(shown.out).toContain(`(import ${id})`);
    for (const options of [['--confirm'], ['--confirm', '--opt-outs'], ['--confirm', '--publish']])
      expect(idIn((await run(path, '--source', 'main', ...options)).out)).toBe(id);
    expect(idIn((await run(path, '--dry-run', '--source', 'backup')).out)).not.toBe(id);
    const other = file([line('m-1', 'ok', 1)]);
    expect(idIn((await run(other, '--dry-run', '--source', 'main')).out)).not.toBe(id);
  });

  it('is shown at the end, with the command that removes the import', async () => {
    const { sms } = pipeline();
    path = file([line('m-1', 'ok', 0)]);
    const { out } = await sms('message', 'import', path, '--mapping', mapping, '--confirm');
    expect(out).toMatch(
      /The import is complete\. To remove it again: sms message import --undo imp-\w{32}\n/,
    );
  });

  it('of another import of the same rows is joined to the reports, which are known', async () => {
    const { memory, run } = pipeline();
    path = file([line('m-1', 'ok', 0)]);
    const first = idIn((await run(path, '--confirm')).out);
    const { out } = await run(file([line('m-1', 'ok', 0), line('m-2', 'ok', 0)]), '--confirm');
    expect(outcomesIn(out)).toMatchObject({ new: 1, known: 1 });
    const event = (await memory.message('m-1'))?.events.get('import:ok');
    expect(event?.importIds).toEqual([first, idIn(out)].sort());
    expect(event?.copies).toBeUndefined();
  });
});

describe('message import --undo', () => {
  const id = 'imp-0123456789abcdef0123456789abcdef';
  const removed = {
    messagesDeleted: 2,
    messagesKept: 1,
    repliesDeleted: 0,
    repliesKept: 0,
    statements: 1,
    unreadable: 0,
  };
  const undone = new Map([[id, removed]]);

  it('shows what it removed, in text and as JSON', async () => {
    const { sms } = pipeline({ undone });
    const text = await sms('message', 'import', '--undo', id, '--confirm');
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toBe(
      `Import ${id}\n2 messages are deleted, because only the import had them.\n1 message keeps its other reports, as if the import had never been.\n1 opt-out or opt-in is removed.\nThe import is undone. The figures still count what was deleted: sms insights rebuild corrects them.\n`,
    );
    const dry = await sms('message', 'import', '--undo', id, '--dry-run', '--json');
    expect(JSON.parse(dry.out)).toEqual({ dryRun: true, importId: id, ...removed });
  });

  it('fails for an id of which the history has nothing', async () => {
    const { sms } = pipeline({ undone });
    const { code, err } = await sms(
      'message',
      'import',
      '--undo',
      'imp-00000000000000000000000000000000',
      '--confirm',
    );
    expect(code).toBe(1);
    expect(err).toContain('The history has nothing of the import imp-00000000000000000000000000000000.');
  });

  it.each<[string[], string]>([
    [['--undo', id], `What the import ${id} added is removed from the history`],
    [
      ['--undo', 'A-1', '--confirm'],
      'Expected the id of an import, such as imp-0123456789abcdef0123456789abcdef.',
    ],
    [['old.csv', '--undo', id, '--confirm'], '--undo removes an import by its id, so it accepts no files.'],
    [['--undo', id, '--mapping', 'm.json'], "'--undo <id>' cannot be used with option '--mapping <file>'"],
    [['--confirm'], 'Expected a file to import, or --undo and the id of an import.'],
    [['old.csv', '--confirm'], '--mapping is required: how a row becomes a report.'],
  ])('%j is refused', async (words, message) => {
    const { sms } = pipeline({ undone });
    const { code, err } = await sms('message', 'import', ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

it('an opt-out at a time without a zone is recorded as late as it may be, and not in the future', async () => {
  const { memory, run } = pipeline();
  path = file([
    line('m-1', 'bad', 0, { at: '2026-01-15T11:00:00', code: '9' }),
    line('m-2', 'bad', 0, { at: '2026-01-14T11:00:00', code: '9', to: '+12025550144' }),
  ]);
  await run(path, '--confirm', '--opt-outs');
  const { entries } = await memory.optOuts({}, { limit: 10 });
  expect(entries.map(({ phone, at: time }) => `${phone} ${time}`).sort()).toEqual([
    '+12025550143 2026-01-15T12:00:00.000Z',
    '+12025550144 2026-01-14T23:00:00.000Z',
  ]);
});

it('an opt-out is recorded before its report is stored, because a repeated import takes a stored report for known', async () => {
  const { memory, run } = pipeline({ failsAfter: 0 });
  path = file([line('m-1', 'bad', 0, { code: '9' })]);
  expect((await run(path, '--confirm', '--opt-outs')).code).toBe(1);
  expect(await memory.register.read('+12025550143')).toEqual({ state: 'out' });
});

describe('an interrupted import', () => {
  const rows = Array.from({ length: 2500 }, (_, index) => line(`m-${index}`, 'ok', index));

  it('continues after its last checkpoint, with the counts of both runs', async () => {
    const { memory, run, interrupted } = pipeline();
    path = file([{ broken: true }, ...rows]);
    const first = await interrupted(path, '--confirm');
    expect(first.code).toBe(1);
    expect(first.err).toContain(
      '1000 rows are done. The same command continues there if the file is unchanged.',
    );
    const { err, out } = await run(path, '--confirm');
    expect(err).toContain('Continuing after 1000 rows');
    expect(outcomesIn(out)).toMatchObject({ new: 2500, known: 0, rejected: 1 });
    expect(readFileSync(`${path}.rejected.jsonl`, 'utf8').trimEnd().split('\n')).toHaveLength(1);
    for (const { id } of rows) expect(await memory.message(id)).toBeDefined();
  });

  it('begins again after an undo, also if its first rows are too old to say so', async () => {
    const old = Array.from({ length: 1200 }, (_, index) =>
      line(`old-${index}`, 'ok', 0, { at: '2001-01-01T00:00:00Z' }),
    );
    path = file([...old, ...rows]);
    const { interrupted } = pipeline();
    await interrupted(path, '--confirm');
    expect((await interrupted(path, '--confirm')).err).toContain('2000 rows are done');
    // An undo leaves a history without the rows.
    const { out, err } = await pipeline().run(path, '--confirm');
    expect(err).toContain('no longer in the history, so the import begins again');
    expect(outcomesIn(out)).toMatchObject({ new: 2500, tooOld: 1200 });
  });

  it('stores nothing twice that was written after the checkpoint', async () => {
    const { run, stopFailing } = pipeline({ failsAfter: 1200 });
    path = file(rows);
    expect((await run(path, '--confirm')).code).toBe(1);
    stopFailing();
    const { out } = await run(path, '--confirm');
    expect(JSON.parse(out).files[0].rows).toBe(2500);
    expect(outcomesIn(out).new + outcomesIn(out).known).toBe(2500);
    expect(outcomesIn(out).known).toBeGreaterThanOrEqual(200);
  });

  it('writes rows that it rejected after the checkpoint only once', async () => {
    const { run, interrupted } = pipeline();
    path = file([{ broken: 1 }, ...rows.slice(0, 1200), { broken: 2 }]);
    await interrupted(path, '--confirm');
    // The process ended after it wrote rows of the next chunk, and before its checkpoint.
    appendFileSync(`${path}.rejected.jsonl`, '{"line":1202,"reason":"bad-sta');
    expect(outcomesIn((await run(path, '--confirm')).out)).toMatchObject({ new: 1200, rejected: 2 });
    const rejected = readFileSync(`${path}.rejected.jsonl`, 'utf8').trimEnd().split('\n');
    expect(rejected.map((text) => JSON.parse(text).row)).toEqual([{ broken: 1 }, { broken: 2 }]);
  });

  it('is not continued if the rows that it rejected are missing', async () => {
    const { run, interrupted } = pipeline();
    path = file([{ broken: 1 }, ...rows]);
    await interrupted(path, '--confirm');
    writeFileSync(`${path}.rejected.jsonl`, '');
    const { code, err } = await run(path, '--confirm');
    expect(code).toBe(1);
    expect(err).toContain(`${path}.rejected.jsonl is missing or was cut since the interruption.`);
  });

  it('is not continued with another file or other options, but --restart begins again', async () => {
    const { run, interrupted } = pipeline();
    path = file(rows);
    await interrupted(path, '--confirm');
    const other = await run(path, '--confirm', '--publish');
    expect(other.code).toBe(1);
    expect(other.err).toContain('the mapping, --publish or --opt-outs has changed since');
    writeFileSync(path, jsonl(rows.slice(0, 1500)));
    expect((await run(path, '--confirm')).err).toContain('the file has changed since');
    expect(outcomesIn((await run(path, '--confirm', '--restart')).out)).toMatchObject({
      new: 500,
      known: 1000,
    });
    writeFileSync(`${path}.import-progress`, '{}');
    expect((await run(path, '--confirm')).err).toContain('--restart begins from the first row');
  });
});

describe('the history after an import', () => {
  it('is the fold of the rows, whatever their order, their repeats and the interruptions', async () => {
    const arbitrary = fc.record({
      id: fc.constantFrom('m-1', 'm-2', 'm-3'),
      state: fc.constantFrom('sent', 'ok', 'bad', 'odd'),
      second: fc.nat({ max: 5 }),
      code: fc.constantFrom('', '9'),
    });
    await assertProperty(
      fc.asyncProperty(
        fc.array(arbitrary, { minLength: 1, maxLength: 12 }),
        fc.nat(12),
        async (drawn, cut) => {
          const lines = drawn.map(({ id, state, second, code }) => line(id, state, second, { code }));
          const { memory, run, stopFailing } = pipeline({ failsAfter: cut });
          files += 1;
          const rest = file(lines);
          await run(rest, '--confirm');
          stopFailing();
          await run(rest, '--confirm', '--restart');
          await run(file([...lines, ...lines].toReversed()), '--confirm');
          const expected = foldByHand(lines);
          for (const [id, reports] of expected) {
            const events = (await memory.message(id))?.events ?? new Map();
            const stored = [...events].map(([eventId, { occurredAt }]) => `${eventId} ${occurredAt}`);
            expect(stored.sort()).toEqual([...reports].map((one) => one.join(' ')).sort());
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  /** Of equal reports of a message the earliest counts. */
  function foldByHand(lines: readonly Line[]): Map<string, Map<string, string>> {
    const folded = new Map<string, Map<string, string>>();
    for (const { id, state, code, at: time = '' } of lines) {
      const reports = folded.get(id) ?? new Map<string, string>();
      const eventId = code === '' ? `import:${state}` : `import:${state}:${code}`;
      const known = reports.get(eventId);
      if (known === undefined || time < known) reports.set(eventId, time);
      folded.set(id, reports);
    }
    return folded;
  }
});

describe('rows that change messages of the history', () => {
  it('are published by --publish alone, and the command says so', async () => {
    const { sms } = pipeline();
    const publishing = ['message', 'import', '--mapping', mapping, '--confirm', '--publish'];
    const silent = ['message', 'import', '--mapping', mapping];
    expect((await sms(...publishing, file([line('m-1', 'sent', 0)]))).code).toBe(0);
    path = write('changes.jsonl', jsonl([line('m-1', 'ok', 5), line('m-2', 'ok', 6)]));
    const dry = await sms(...silent, path, '--dry-run');
    expect(dry.out).toContain(
      '1 row changes what the history had, and no event on the bus says so. --publish publishes new and changed rows.',
    );
    const done = await sms(...silent, path, '--confirm');
    expect(done.out).toContain(
      '1 row changed what the history had, and no event on the bus says so: subscribers may still have the earlier state. To publish it, undo this import, and import the file again with --publish.',
    );
    expect((await sms(...publishing, path)).out).not.toContain('no event on the bus');
  });
});
