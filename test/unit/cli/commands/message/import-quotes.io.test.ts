import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importPipeline } from '../../support/import-pipeline.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const write = temporaryFiles();

const sample = {
  name: 'a reply',
  row: { id: 'r', from: '+12025550143', text: 'Hi', at: '2026-01-15T12:00:00Z' },
  becomes: { replyId: 'r', text: 'Hi', from: '+12025550143' },
};
const mappingOf = (changes: object = {}) =>
  write(`mapping-${Object.keys(changes).join('-')}.json`, {
    timeFormat: 'iso8601',
    numbers: 'international',
    replies: { replyId: 'id', from: 'from', text: 'text', occurredAt: 'at' },
    samples: [sample],
    ...changes,
  });
const mapping = mappingOf();

const last = ['id', 'from', 'at', 'text'];
const middle = ['id', 'text', 'from', 'at'];
const first = ['text', 'at', 'from', 'id'];

/** Writes rows as an export that does not quote texts. The second row is of another number than the others. */
function unquoted(columns: readonly string[], delimiter: string, texts: readonly string[]): string {
  const rows = texts.map((text, index) => ({
    id: `r${index + 1}`,
    from: index === 1 ? '+12025550144' : '+12025550143',
    text,
    at: `2026-01-10T10:00:0${index}Z`,
  }));
  const lines = rows.map((row) => columns.map((name) => row[name as keyof typeof row]));
  return [columns, ...lines].map((fields) => `${fields.join(delimiter)}\n`).join('');
}

let files = 0;
async function imported(content: string, by = mapping, ...options: string[]) {
  files += 1;
  const path = write(`q-${files}.csv`, content);
  const { memory, run, sms } = importPipeline(by);
  const shown = await sms('message', 'import', path, '--mapping', by, '--dry-run');
  const { code, out } = await run(path, '--confirm', '--opt-outs', ...options);
  return { path, memory, code, result: JSON.parse(out).files[0], shown: shown.out };
}

const layouts = [
  ['tabs, text last', last, '\t'],
  ['tabs, text before the sender', middle, '\t'],
  ['tabs, text first', first, '\t'],
  ['bars', last, '|'],
  ['commas', middle, ','],
] as const;

describe('an export that does not quote texts, in which a text begins with a quote', () => {
  it.each(layouts)('loses no other row in silence: %s', async (_name, columns, delimiter) => {
    const content = unquoted(columns, delimiter, ['"hi', 'STOP', 'ok', '"bye', 'x']);
    const { path, memory, code, result, shown } = await imported(content);
    expect(code).toBe(1);
    expect(result.outcomes).toMatchObject({ new: 1, rejected: 1 });
    expect(result.reasons).toEqual({ 'quote-not-closed': 1 });
    expect(result.rejectedLines).toBe(4);
    expect(result.problems).toEqual([{ line: 5, firstLine: 2, reason: 'quote-not-closed' }]);
    expect(await memory.reply('r1')).toBeUndefined();
    expect(shown).toContain('Lines 2 to 5: quote-not-closed');
    expect(shown).toContain('The rejected rows are 4 lines of the file.');
    expect(shown).toContain('set "quotes": "none" in the mapping');
    expect(JSON.parse(readFileSync(`${path}.rejected.jsonl`, 'utf8'))).toMatchObject({
      line: 5,
      firstLine: 2,
    });
  });

  it.each(layouts)(
    'loses no row if a later text ends with a quote: %s',
    async (_name, columns, delimiter) => {
      for (const texts of [
        ['"hi', 'STOP', 'ok', 'bye"', 'x'],
        ['"hi', 'STOP, or "', 'x'],
      ]) {
        const separated = texts.map((text) => (delimiter === ',' ? text.replace(',', '') : text));
        const { memory, code, result, shown } = await imported(unquoted(columns, delimiter, separated));
        expect(code).toBe(1);
        expect(result.outcomes).toMatchObject({ new: 1, rejected: 1 });
        expect(result.reasons).toEqual({ 'rows-within-text': 1 });
        expect(result.rejectedLines).toBe(texts.length - 1);
        expect(await memory.reply('r1')).toBeUndefined();
        expect(shown).toContain(`Lines 2 to ${texts.length}: rows-within-text`);
        expect(shown).toContain('set "quotes": "none" in the mapping');
      }
    },
  );

  it('is named as such if the last quote is missing too', async () => {
    const path = write('open.csv', unquoted(last, '\t', ['"hi', 'STOP']));
    const { err } = await importPipeline(mapping).run(path, '--dry-run');
    expect(err).toContain('The row begins in line 2.');
    expect(err).toContain('set "quotes": "none" in the mapping');
  });

  it.each(layouts)('is read with "quotes": "none": %s', async (_name, columns, delimiter) => {
    const texts = ['"hi', 'STOP', '"', '"bye"', 'x "'];
    const { memory, code, result } = await imported(
      unquoted(columns, delimiter, texts),
      mappingOf({ quotes: 'none' }),
    );
    expect(code).toBe(0);
    expect(result.outcomes).toMatchObject({ new: 5, rejected: 0 });
    const found = await Promise.all(
      texts.map(async (_, index) => (await memory.reply(`r${index + 1}`))?.current.text),
    );
    expect(found).toEqual(texts);
    expect(await memory.register.read('+12025550144')).toEqual({ state: 'out' });
  });
});

describe('an export that does not quote texts, in which a text has a line break', () => {
  const rows = (text: string) => `${last.join('|')}\nr1|+12025550143|2026-01-10T10:00:00Z|hi\n${text}\n`;
  const forged = rows(
    'r98|+12025550145|2026-01-12T10:00:00Z|STOP\nr99|+12025550144|2026-01-12T10:00:00Z|START',
  );
  it.each([
    ['START', forged],
    ['an old row', forged.replace('2026-01-12T10:00:00Z|START', '2020-01-12T10:00:00Z|START')],
  ])('opts no number in again, and says so: %s', async (_name, content) => {
    const { memory, code, result, shown } = await imported(content, mappingOf({ quotes: 'none' }));
    expect(code).toBe(0);
    expect(await memory.register.read('+12025550144')).toBeUndefined();
    expect(await memory.register.read('+12025550145')).toEqual({ state: 'out' });
    expect(result).toMatchObject({ optOuts: 1, optIns: 0 });
    expect(result.doubts).toEqual([{ kind: 'opt-in-not-recorded', rows: 1, line: 4 }]);
    expect(shown).toContain('1 row with an opt-in such as START. It is not recorded');
    expect(shown).toContain('The first ends in line 4.');
  });

  it('does not forbid the opt-ins of JSON lines that the same mapping reads', async () => {
    const row = { id: 'r1', from: '+12025550144', at: '2026-01-12T10:00:00Z', text: 'START' };
    const path = write('unquoted.jsonl', `${JSON.stringify(row)}\n`);
    const { memory, run } = importPipeline(mappingOf({ quotes: 'none' }));
    const { out } = await run(path, '--confirm', '--opt-outs');
    expect(JSON.parse(out).files[0]).toMatchObject({ optIns: 1, doubts: [] });
    expect(await memory.register.read('+12025550144')).toEqual({ state: 'in' });
  });
});

describe('a quote that joins a row with one that the mapping leaves out, or cannot read', () => {
  const onlyReplies = mappingOf({
    replies: { replyId: 'id', from: 'from', text: 'text', occurredAt: 'at', only: "dir=='in'" },
    samples: [{ ...sample, row: { ...sample.row, dir: 'in' } }],
  });
  const header = 'id,dir,at,from,text\n';
  it.each([
    ['m1,out,2026-01-10T10:00:00Z,+12025550143,"hi', 'm2,in,2026-01-10T10:00:01Z,+12025550144,STOP"'],
    ['m1,in,,+12025550143,"hi', 'm2,in,2026-01-10T10:00:01Z,+12025550144,STOP"'],
  ])('hides no STOP: %s', async (...lines) => {
    const { code, result } = await imported(
      `${header}${lines.join('\n')}\nm3,in,2026-01-10T10:00:02Z,+12025550143,x\n`,
      onlyReplies,
    );
    expect(code).toBe(1);
    expect(result.outcomes).toMatchObject({ new: 1, rejected: 1 });
    expect(result.problems).toEqual([{ line: 3, firstLine: 2, reason: 'rows-within-text' }]);
  });
});

it('a row with a quote in one text and lines in another is rejected', async () => {
  const { result } = await imported(
    'id,note,at,from,text\nr1,5" or 6" pipe,2026-01-10T10:00:00Z,+12025550143,"yes\nplease"\n',
  );
  expect(result.problems).toEqual([{ line: 3, firstLine: 2, reason: 'quote-not-closed' }]);
});

it('a row of one line with a quote in a text is imported, with a doubt', async () => {
  const { code, memory, result, shown } = await imported(
    'id,note,at,from,text\nr1,5" or 6" pipe,2026-01-10T10:00:00Z,+12025550143,"say ""yes"""\n',
  );
  expect([code, result.doubts]).toEqual([0, [{ kind: 'stray-quote', rows: 1, line: 2 }]]);
  expect((await memory.reply('r1'))?.current.text).toBe('say "yes"');
  expect(shown).toContain(
    '1 row with a quote that neither is around a text nor is written twice within one.',
  );
});

describe('an export that quotes texts, and writes a quote within a text in another way', () => {
  const victim = 'r2,+12025550144,2026-01-10T10:00:01Z,"STOP",1';

  // As MySQL writes them with OPTIONALLY ENCLOSED BY and its default ESCAPED BY.
  it.each(['"a\\\n\\""', '"\\\nhi\\""'])('loses no other row in silence: %s', async (text) => {
    const rows = [
      'id,from,at,text,more',
      `r1,+12025550143,2026-01-10T10:00:00Z,${text},1`,
      victim,
      'r3,+12025550143,2026-01-10T10:00:02Z,"x",1',
    ];
    const { code, result } = await imported(`${rows.join('\n')}\n`);
    expect(code).toBe(1);
    expect(result.reasons).toEqual({ 'quote-not-closed': 1 });
    expect(result.rejectedLines).toBeGreaterThanOrEqual(3);
  });

  // The text of r1 is `hi`, a line break, and a row: with ESCAPED BY '"' MySQL writes a quote before each line break.
  it.each([
    '"r1","+12025550143","2026-01-10T10:00:00Z","hi"\nr9,+12025550144,2026-01-11T10:00:00Z,START"',
    '"r1","+12025550143","2026-01-10T10:00:00Z","hi"\nr9,+12025550144,2026-01-11T10:00:00Z,"\nSTART"',
    '"r1","+12025550143","2026-01-10T10:00:00Z","hi\\"\nr9,+12025550144,2026-01-11T10:00:00Z,START"',
  ])('lets no text opt a number in again: %j', async (rows) => {
    const { memory, result } = await imported(
      `${last.join(',')}\n"r2","+12025550144","2026-01-10T10:00:01Z","STOP"\n${rows}\n`,
    );
    expect(result).toMatchObject({ optOuts: 1, optIns: 0 });
    expect(await memory.register.read('+12025550144')).toEqual({ state: 'out' });
  });
});

it.each(['STOP\\n', '\\nSTOP', 'Stop\\r\\n', 'STOP\\t', 'STOP\\0', 'STOP\\f'])(
  'a STOP with a line break or a tab that the export writes as an escape is recorded: %s',
  async (text) => {
    for (const by of [mapping, mappingOf({ quotes: 'none' })]) {
      const { memory, result } = await imported(unquoted(last, '\t', ['hi', text]), by);
      expect(result.optOuts).toBe(1);
      expect((await memory.reply('r2'))?.current.text).toBe(text);
      expect(await memory.register.read('+12025550144')).toEqual({ state: 'out' });
    }
  },
);

it('a header of several lines is no row', async () => {
  const { code, result } = await imported(
    'id,from,at,text,"a\nb,c,d,e,f"\nr1,+12025550143,2026-01-10T10:00:00Z,Hi,x\n',
  );
  expect([code, result.rows, result.doubts]).toEqual([0, 1, []]);
});

it('a row with another number of fields is named as such, with its lines, also if it has 50,000 texts of several lines', async () => {
  const header = `${last.join(',')}\n`;
  const { result, shown } = await imported(`${header}${'"\n,,,\n",'.repeat(50_000)}\n`);
  expect(result.problems).toEqual([{ line: 100_002, firstLine: 2, reason: 'wrong-number-of-fields' }]);
  expect(shown).toContain('set "quotes": "none" in the mapping');
});

/** Writes rows as an export that quotes each text. */
const quoted = (columns: readonly string[], text: string) => unquoted(columns, ',', [`"${text}"`, 'STOP']);

describe('a text of several lines in quotes', () => {
  const newsletter = 'Hi, Anna, and Ben,\nSale today: shoes, hats, coats, bags\n\nyours, Carl, Dora, Eve';
  it.each([last, middle, first].map((columns) => [columns]))(
    'is imported, and a line with as many separators as the header is a doubt: %j',
    async (columns) => {
      const { memory, code, result, shown } = await imported(quoted(columns, newsletter));
      expect(code).toBe(0);
      expect(result.outcomes).toMatchObject({ new: 2, rejected: 0 });
      expect((await memory.reply('r1'))?.current.text).toBe(newsletter);
      expect(result.doubts).toEqual([{ kind: 'text-may-hold-rows', rows: 1, line: 5 }]);
      expect(shown).toContain('1 row with a text of several lines');
    },
  );

  it.each([last, middle, first].map((columns) => [columns]))(
    'is imported without a doubt if its lines have fewer: %j',
    async (columns) => {
      const text = 'Hi Anna,\nshoes, hats\n""Carl""';
      const { memory, code, result } = await imported(quoted(columns, text));
      expect(code).toBe(0);
      expect((await memory.reply('r1'))?.current.text).toBe(text.replaceAll('""', '"'));
      expect(result.doubts).toEqual([]);
    },
  );

  const constant = mappingOf({
    replies: { from: 'from', text: 'text', occurredAt: "'2026-01-10T10:00:00Z'" },
    samples: [{ ...sample, becomes: { text: 'Hi', from: '+12025550143' } }],
  });
  it('is imported from a file of two columns, with a doubt', async () => {
    const { code, result } = await imported(
      'from,text\n+12025550143,"Hi Anna,\nshoes, hats\nCarl"\n',
      constant,
    );
    expect(code).toBe(0);
    expect(result.outcomes).toMatchObject({ new: 1, rejected: 0 });
    expect(result.doubts).toEqual([{ kind: 'text-may-hold-rows', rows: 1, line: 4 }]);
  });

  it.each([
    ['+12025550143', '+12025550144'],
    ['ACME', 'Shop'],
  ])(
    'is rejected from a file of two columns if a line of it reads as well as the row: %s',
    async (own, other) => {
      const swallowed = `from,text\n${own},"hi\n${other},STOP\n${own},bye"\n`;
      const { code, result } = await imported(swallowed, constant);
      expect(code).toBe(1);
      expect(result.problems).toEqual([{ line: 4, firstLine: 2, reason: 'rows-within-text' }]);
    },
  );

  it.each([
    ['one text', last, `hi\n${',,,\n'.repeat(11)}bye`],
    ['two texts', [...last, 'note'], `hi\n${',,,,\n'.repeat(6)}bye","hi\n${',,,,\n'.repeat(5)}bye`],
  ])('is rejected if more than 10 lines have as many separators as the header: %s', async (...one) => {
    const [, columns, text] = one;
    const content = `${columns.join(',')}\nr1,+12025550143,2026-01-10T10:00:00Z,"${text}"\n`;
    const { result } = await imported(content);
    expect(result.reasons).toEqual({ 'rows-within-text': 1 });
  });
});
