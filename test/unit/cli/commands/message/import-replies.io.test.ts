import { describe, expect, it } from 'vitest';
import { replyOf } from '../../../../../functions/history/message.ts';
import { importPipeline } from '../../support/import-pipeline.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const write = temporaryFiles();

const replies = {
  only: "kind == 'in'",
  replyId: 'id',
  from: 'from',
  to: 'to',
  text: 'body',
  occurredAt: 'at',
};
const report = { messageId: 'id', status: 'state', occurredAt: 'at', recipient: 'to' };
const rules = {
  timeFormat: 'iso8601',
  numbers: 'international',
  statuses: { ok: 'delivered' },
  samples: [
    {
      name: 'one',
      row: { id: 'm', state: 'ok', at: '2026-01-15T12:00:00Z' },
      becomes: { status: 'delivered' },
    },
  ],
};
const replySample = {
  name: 'a reply',
  row: { id: 'r', kind: 'in', from: '+12025550143', body: 'Hi', at: '2026-01-15T12:00:00Z' },
  becomes: { replyId: 'r', text: 'Hi', from: '+12025550143' },
};
const mapping = write('both.json', { ...rules, report, replies, samples: [...rules.samples, replySample] });
const { only: _, replyId: __, ...ofAll } = replies;
const onlyReplies = write('replies.json', {
  ...rules,
  replies: ofAll,
  samples: [{ ...replySample, becomes: { text: 'Hi', from: '+12025550143' } }],
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 10) + second * 1000).toISOString();
const reply = (id: string, body: string, second: number, more: object = {}) => ({
  id,
  kind: 'in',
  from: '+12025550143',
  to: '+12025550100',
  body,
  at: at(second),
  ...more,
});
const message = (id: string, second: number) => ({
  id,
  kind: 'out',
  state: 'ok',
  to: '+12025550144',
  at: at(second),
});

let files = 0;
const file = (rows: readonly object[]) =>
  write(`rows-${++files}.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const resultOf = (out: string) => JSON.parse(out).files[0];

describe('rows that are replies', () => {
  it('are stored as replies beside the reports of the same file, and a second import changes nothing', async () => {
    const { memory, run } = importPipeline(mapping);
    const path = file([message('m-1', 0), reply('r-1', 'When do you open?', 5)]);
    const { code, out } = await run(path, '--confirm');
    expect(code).toBe(0);
    expect(resultOf(out).outcomes).toMatchObject({ new: 2, leftOut: 0, rejected: 0 });
    expect(await memory.message('m-1')).toBeDefined();
    const stored = await memory.reply('r-1');
    expect(stored?.current).toMatchObject({
      from: '+12025550143',
      to: '+12025550100',
      text: 'When do you open?',
      occurredAt: at(5),
      receivedAt: at(5),
      origin: 'import',
      importIds: [resultOf(out).importId],
    });
    expect(resultOf((await run(path, '--confirm')).out).outcomes).toMatchObject({ new: 0, known: 2 });
    expect(await memory.reply('r-1')).toEqual(stored);
  });

  it('have the same id in each import if the file has none', async () => {
    const { memory, run } = importPipeline(onlyReplies);
    const rows = [reply('', 'Hi', 0), reply('', 'Hi', 1), reply('', 'Hi', 1, { from: '+12025550144' })];
    expect(resultOf((await run(file(rows), '--confirm')).out).outcomes).toMatchObject({ new: 3 });
    const again = await run(file([...rows, reply('', 'Hello', 1)]), '--confirm');
    expect(resultOf(again.out).outcomes).toMatchObject({ new: 1, known: 3 });
    const { entries } = await memory.replies({ since: at(-1), until: at(9) }, { limit: 10 });
    expect(entries).toHaveLength(4);
    for (const { replyId } of entries) expect(replyId).toMatch(/^import:[\w-]{43}$/);
  });

  it('are known if the webhook received them, whose version stays the current one', async () => {
    const { memory, run } = importPipeline(mapping);
    const received = { kind: 'sms.reply', replyId: 'r-1', eventId: 'e1', from: '+12025550143' } as const;
    await memory.storeReply(replyOf({ ...received, text: 'Hi', occurredAt: at(0) }, at(2)));
    const { out } = await run(file([reply('r-1', 'Hi', 9)]), '--confirm');
    expect(resultOf(out).outcomes).toMatchObject({ new: 0, changed: 0, known: 1 });
    const stored = await memory.reply('r-1');
    expect(stored?.current).toMatchObject({ eventId: 'e1', occurredAt: at(0) });
    expect([...(stored?.olderVersions.values() ?? [])]).toMatchObject([{ origin: 'import' }]);
  });

  it('opt numbers out and in again only with --opt-outs', async () => {
    const { memory, run } = importPipeline(mapping);
    const path = file([
      reply('r-1', 'STOP', 0),
      reply('r-2', 'Stop', 1, { from: '+12025550144' }),
      reply('r-3', 'START', 2, { from: '+12025550144' }),
      reply('r-4', 'Hi', 3, { from: '+12025550145' }),
    ]);
    expect(resultOf((await run(path, '--confirm')).out).optOuts).toBe(2);
    expect(await memory.register.read('+12025550143')).toBeUndefined();
    const { out } = await run(path, '--confirm', '--opt-outs');
    expect(await memory.register.read('+12025550143')).toEqual({ state: 'out' });
    expect(await memory.register.read('+12025550144')).toEqual({ state: 'in' });
    expect(await memory.register.read('+12025550145')).toBeUndefined();
    const number = await memory.register.number('+12025550143');
    expect(number?.statements).toMatchObject([
      { by: 'person', state: 'out', replyId: 'r-1', at: at(0), importId: resultOf(out).importId },
    ]);
    expect(number).not.toHaveProperty('importId');
  });

  it.each([
    // A wrong zone makes times of today seem to be ahead of the clock, which is at noon.
    ['a START that is ahead of the clock', 'START', '2026-01-15T18:00:00Z', '2026-01-15T12:00:01.000Z'],
    ['a START that is ahead, after a STOP', 'START', '2026-01-15T18:00:00Z', '2026-01-15T06:00:00.000Z'],
    ['a START without a zone', 'START', '2026-01-15T02:00:00', '2026-01-15T02:30:00.000Z'],
    [
      'a START without a zone, and its earliest time',
      'START',
      '2026-01-15T02:00:00',
      '2026-01-14T13:00:00.000Z',
    ],
  ])('do not overturn a STOP of the webhook: %s', async (_name, text, time, stopAt) => {
    const { memory, run } = importPipeline(mapping);
    const path = file([reply('r-1', text, 0, { at: time })]);
    const { out } = await run(path, '--confirm', '--opt-outs');
    expect(resultOf(out)).toMatchObject({ optOuts: 0, optIns: 1 });
    const phone = '+12025550143';
    await memory.register.record({
      phone,
      state: 'out',
      at: stopAt,
      by: 'person',
      replyId: 's',
      eventId: 's',
    });
    expect(await memory.register.read(phone)).toEqual({ state: 'out' });
  });

  it('count at no time after now, and the result says how many times are ahead of the clock', async () => {
    const { memory, run, sms } = importPipeline(mapping);
    const path = file([
      reply('r-1', 'STOP', 0, { at: '2026-01-15T12:03:00Z' }),
      reply('r-2', 'START', 0, { at: '2026-01-16T02:30:00Z', from: '+12025550144' }),
      reply('r-3', 'STOP', 0, { at: '2026-01-15T12:00:00Z', from: '+12025550145' }),
    ]);
    const dryRun = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(dryRun.out).toContain('2 rows with a time that is ahead of the clock.');
    expect(dryRun.out).toContain('2 rows say that the number opted out. --opt-outs records that.');
    expect(dryRun.out).toContain('1 row says that the number opted in again. --opt-outs records that.');
    const { doubts } = resultOf((await run(path, '--confirm', '--opt-outs')).out);
    expect(doubts).toEqual([{ kind: 'time-ahead', rows: 2, line: 1 }]);
    for (const phone of ['+12025550143', '+12025550144', '+12025550145'])
      expect((await memory.register.number(phone))?.at).toBe('2026-01-15T12:00:00.000Z');
  });

  it('are not received after now, so that a join of a copy does not refuse them, and stay known later', async () => {
    const { memory, run } = importPipeline(mapping);
    const ahead = '2026-01-15T20:00:00.000Z';
    const path = file([{ ...message('m-1', 0), at: ahead }, reply('r-1', 'Hi', 0, { at: ahead })]);
    await run(path, '--confirm');
    const [report] = [...((await memory.message('m-1'))?.events.values() ?? [])];
    for (const entry of [report, (await memory.reply('r-1'))?.current])
      expect(entry).toMatchObject({ occurredAt: ahead, receivedAt: '2026-01-15T12:00:00.000Z' });
    expect(resultOf((await run(path, '--confirm')).out).outcomes).toMatchObject({ known: 2 });
  });

  it('are doubtful if their id has another sender, in the history or in the same file', async () => {
    const { memory, run } = importPipeline(mapping);
    const received = { kind: 'sms.reply', replyId: 'r-1', eventId: 'e1', from: '+12025550144' } as const;
    await memory.storeReply(replyOf({ ...received, text: 'Hello', occurredAt: at(0) }, at(2)));
    const rows = [
      // The id of a message is another one.
      { ...message('r-2', 0), to: '+12025550149' },
      reply('r-1', 'Hi', 1),
      reply('r-2', 'Hi', 2),
      reply('r-2', 'Hi again', 3, { from: '+12025550145' }),
      reply('r-2', 'Hi too', 4, { from: 'whatsapp:+12025550143' }),
    ];
    const dryRun = await run(file(rows), '--dry-run');
    expect(resultOf(dryRun.out).doubts).toEqual([{ kind: 'id-of-another-number', rows: 2, line: 2 }]);
  });

  it('publish nothing, and with --publish only what the history did not have', async () => {
    const { writes, run } = importPipeline(mapping);
    await run(file([reply('r-1', 'Hi', 0)]), '--confirm');
    await run(file([reply('r-1', 'Hi', 0), reply('r-2', 'Hi', 0)]), '--confirm', '--publish');
    expect(writes).toEqual([
      { replyId: 'r-1', isQuiet: true },
      { replyId: 'r-1', isQuiet: true },
      { replyId: 'r-2', isQuiet: false },
    ]);
  });

  it('are rejected if a number or the time cannot be read, and named by their place in the table', async () => {
    const { run, sms } = importPipeline(mapping);
    const path = file([
      reply('r-1', 'Call me at 202 555 0145', 0),
      reply('r-2', 'Hi', 0, { from: '1.2E+10' }),
      reply('r-3', 'Hi', 0, { at: '' }),
      reply('r-4', 'Hi', 0, { from: 'Anna' }),
    ]);
    const { out } = await run(path, '--dry-run');
    const { problems, doubts, fields } = resultOf(out);
    expect(problems).toEqual([
      { line: 2, reason: 'scientific-notation', field: 'from' },
      { line: 3, reason: 'missing-field', field: 'occurredAt' },
    ]);
    expect(doubts).toEqual([{ kind: 'sender-is-no-number', rows: 1, line: 4 }]);
    expect(fields.find(({ field }: { field: string }) => field === 'replies.from')).toEqual({
      field: 'replies.from',
      rows: 3,
      exact: 1,
      examples: [{ cell: '•••0143', becomes: '•••0143 (US)' }, { cell: '•••+10' }],
    });
    expect(fields.find(({ field }: { field: string }) => field === 'replies.text')).toEqual({
      field: 'replies.text',
      rows: 2,
      exact: 2,
      examples: [],
    });
    const shown = await sms('message', 'import', path, '--mapping', mapping, '--dry-run');
    expect(`${shown.out}${shown.err}`).not.toMatch(/Anna|Call me|2025550143/);
  });

  it.each<[string, string, object]>([
    ['no part', 'expected "report", "replies" or both', {}],
    ['both without "replies.only"', 'replies.only: expected an expression', { report, replies: ofAll }],
    ['"only" without "report"', 'use "replies.only"', { only: 'id', replies: ofAll }],
  ])('need a mapping that chooses them: %s', async (name, text, changes) => {
    const { run } = importPipeline(write(`wrong-${name.length}.json`, { ...rules, ...changes }));
    const { code, err } = await run(file([reply('r-1', 'Hi', 0)]), '--dry-run');
    expect(code).toBe(1);
    expect(err).toContain(text);
  });
});

it('a STOP of digits that may be two numbers opts both of them out, and a START neither of them in', async () => {
  const mixed = write('mixed.json', {
    ...rules,
    numbers: 'mixed',
    report,
    replies,
    samples: [...rules.samples, replySample],
  });
  const { memory, run } = importPipeline(mixed);
  const from = '4755550119';
  const rows = [reply('r-1', 'STOP', 0, { from }), reply('r-2', 'START', 5, { from })];
  const file = write('in-doubt.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect((await run(file, '--confirm', '--opt-outs')).code).toBe(0);
  const states = await Promise.all(
    ['+14755550119', '+4755550119', from].map(async (number) => (await memory.register.read(number))?.state),
  );
  expect(states).toEqual(['out', 'out', 'in']);
});
