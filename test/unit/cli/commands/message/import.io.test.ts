import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
    });
    expect(outcomesIn((await run(path, '--confirm')).out)).toMatchObject({ new: 0, known: 2 });
    expect(await memory.message('m-1')).toEqual(message);
    expect(existsSync(`${path}.import-progress`)).toBe(false);
    expect(existsSync(`${path}.rejected.jsonl`)).toBe(false);
  });

  it('requires --source of a pipeline with several, because nothing removes rows of the wrong one', async () => {
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

  it('by a line that is not CSV has stored the rows before it, and is repeated with the corrected file', async () => {
    const { memory, run } = pipeline();
    const csv = (end: string) => [
      'id,state,at,to,kind',
      ...rows.slice(0, 1500).map(({ id, state, at: time }) => `${id},${state},${time},,`),
      end,
    ];
    path = write(`broken-${files}.csv`, csv('m-1500,"ok\n').join('\n'));
    const { code, err } = await run(path, '--confirm');
    expect(code).toBe(1);
    expect(err).toContain('1500 rows are done');
    expect(err).toContain(
      'CSV_QUOTE_NOT_CLOSED): a quote is not closed. The row begins in line 1502. Correct the file, and import it with --restart',
    );
    expect(await memory.message('m-1499')).toBeDefined();
    writeFileSync(path, csv(`m-1500,ok,${at(1500)},,`).join('\n'));
    const again = await run(path, '--confirm', '--restart');
    expect(outcomesIn(again.out)).toMatchObject({ new: 1, known: 1500 });
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
