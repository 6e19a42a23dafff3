import { describe, expect, it } from 'vitest';
import { mismatchId, type NotedMismatch } from '../../../../../contract/drift/drift-watch.ts';
import { commandLine } from '../../support/harness.ts';

const mismatches: NotedMismatch[] = [
  {
    kind: 'status',
    field: 'statuses',
    expected: 'a listed word',
    found: 'string',
    word: 'held',
    shape: '{"data":{"status":"string"}}\u001b[2J',
    foundAt: '2026-01-15T08:00:00.000Z',
  },
  {
    kind: 'field-missing',
    field: 'events.status.sendId',
    expected: 'string',
    found: 'nothing',
    shape: '{"data":{"id":"string"}}',
    foundAt: '2026-01-14T08:00:00.000Z',
  },
];

function pipeline(noted: readonly NotedMismatch[] = mismatches) {
  const asked: string[][] = [];
  const drift = async () => async (days: readonly string[]) => {
    asked.push([...days]);
    return noted.map((mismatch) => ({
      day: mismatch.foundAt.slice(0, 10),
      mismatches: new Map([[mismatchId(mismatch), mismatch]]),
    }));
  };
  return { asked, ...commandLine({ connection: { drift } }) };
}

describe('contract drift', () => {
  it('lists a repeated mismatch once, with its days and its newest shape, the newest first', async () => {
    const held = (day: number, shape: string) => ({
      kind: 'status',
      field: 'statuses',
      expected: 'a listed word',
      found: 'string',
      word: 'held',
      shape,
      foundAt: `2026-01-${day}T12:00:00.000Z`,
    });
    const gone = { ...held(13, '{}'), word: 'gone' };
    const noted = [held(13, '1'), gone, held(15, '3'), held(14, '2')] as NotedMismatch[];
    const summaryOf = async (days: readonly NotedMismatch[]) =>
      JSON.parse((await pipeline(days).sms('contract', 'drift', '--json')).out).entries;
    const summary = await summaryOf(noted);
    expect(summary).toMatchObject([
      { word: 'held', days: ['2026-01-15', '2026-01-14', '2026-01-13'], shape: '3' },
      { word: 'gone', days: ['2026-01-13'], shape: '{}' },
    ]);
    expect(await summaryOf(noted.toReversed())).toEqual(summary);
    expect(summary[0]).not.toHaveProperty('foundAt');
  });

  it('names the source where several have mismatches', async () => {
    const [first, second] = mismatches;
    if (first === undefined || second === undefined) throw new Error('two mismatches');
    const { out } = await pipeline([first, { ...second, source: 'backup' }]).sms('contract', 'drift');
    expect(out).toMatch(/ SOURCE +LAST SEEN[\s\S]*\n1 +main [\s\S]*\n2 +backup /);
    expect((await pipeline().sms('contract', 'drift')).out).not.toContain('SOURCE');
  });

  it('shows one source alone with --source', async () => {
    const [first, second] = mismatches;
    if (first === undefined || second === undefined) throw new Error('two mismatches');
    const { sms } = pipeline([first, { ...second, source: 'backup' }]);
    const entriesOf = async (source: string) =>
      JSON.parse((await sms('contract', 'drift', '--source', source, '--json')).out).entries;
    expect(await entriesOf('main')).toMatchObject([{ word: 'held' }]);
    expect(await entriesOf('backup')).toMatchObject([{ source: 'backup', kind: 'field-missing' }]);
  });

  it('exits with 0 when no event deviates', async () => {
    expect(await pipeline([]).sms('contract', 'drift', '--since', '2d')).toEqual({
      code: 0,
      out: 'No event since 2026-01-13 (UTC) deviates from the contract and its samples.\n',
      err: '',
    });
  });

  it('reads at most the days that are kept', async () => {
    const { sms, asked } = pipeline();
    await sms('contract', 'drift', '--since', '2020-01-01');
    expect(asked[0]).toHaveLength(91);
  });

  it('advises on each kind of value that was kept as received, one line each', async () => {
    const unread = (found: string, field: string): NotedMismatch => ({
      kind: 'unread',
      field,
      found,
      expected: 'a value',
      example: '•••0119',
      events: 3,
      shape: '{}',
      foundAt: '2026-01-15T08:00:00.000Z',
    });
    const { out } = await pipeline([
      unread('ambiguous-number', 'events.reply.from'),
      unread('unreadable-number', 'events.status.recipient'),
      unread('looks-like-UTC-05:00', 'events.reply.occurredAt'),
      unread('no-zone', 'events.status.occurredAt'),
      unread('no-currency', 'events.status.price'),
      unread('missing', 'events.reply.text'),
      unread('unreadable-value', 'events.status.segments'),
      unread('of-a-later-version', 'events.status.network'),
    ]).sms('contract', 'drift');
    const advice = out.split('\n').filter((line) => line.startsWith('→'));
    expect(advice.map((line) => line.slice(2).split(':')[0]).sort()).toEqual([
      'Ambiguous numbers',
      'Missing values',
      'Other values',
      'Prices',
      'Times',
      'Unreadable numbers',
    ]);
    for (const setting of ['defaultCountry', 'numbers', 'timeZone', 'currency'])
      expect(advice.join(' ')).toContain(setting);
  });
});
