import { describe, expect, it } from 'vitest';
import { mismatchId, type NotedMismatch } from '../../../../../contract/drift/drift-watch.ts';
import { commandLine } from '../../support/harness.ts';

const novelties: NotedMismatch[] = [
  {
    ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: 'held' },
    ...{ shape: '{"data":{"status":"string"}}\u001b[2J', foundAt: '2026-01-15T08:00:00.000Z' },
  },
  {
    ...{ kind: 'field-missing', field: 'events.status.sendId', expected: 'string', found: 'nothing' },
    ...{ shape: '{"data":{"id":"string"}}', foundAt: '2026-01-14T08:00:00.000Z' },
  },
];

function pipeline(noted: readonly NotedMismatch[] = novelties) {
  const asked: string[][] = [];
  const drift = async () => async (days: readonly string[]) => {
    asked.push([...days]);
    return noted.map((novelty) => ({
      day: novelty.foundAt.slice(0, 10),
      novelties: new Map([[mismatchId(novelty), novelty]]),
    }));
  };
  return { asked, ...commandLine({ connection: { drift } }) };
}

describe('contract drift', () => {
  it('shows expected and received values, the keys of an event, and advice', async () => {
    const { sms, asked } = pipeline();
    const { code, out, err } = await sms('contract', 'drift');
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'Events deviate from the contract in 2 ways since 2026-01-08 (UTC)',
      '',
      '   LAST SEEN   DAYS  FIELD                 EXPECTED       RECEIVED',
      '1  2026-01-15  1     statuses              a listed word  "held"',
      '2  2026-01-14  1     events.status.sendId  string         nothing',
      '',
      'The keys of one event each, with the types of their values:',
      '1  {"data":{"status":"string"}}',
      '2  {"data":{"id":"string"}}',
      '',
      '→ Define the word under "statuses" of the contract.',
      '→ Fix the expression if the service moved the field. If the field is optional, add a sample without it.',
      '',
    ]);
    expect(asked).toEqual([['15', '14', '13', '12', '11', '10', '09', '08'].map((day) => `2026-01-${day}`)]);
  });

  it('writes JSON', async () => {
    const { out } = await pipeline().sms('contract', 'drift', '--since', 'today', '--json');
    const [status, missing] = JSON.parse(out).entries;
    expect(status).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: 'held' },
      ...{ days: ['2026-01-15'], shape: novelties[0]?.shape },
    });
    expect(missing).not.toHaveProperty('word');
  });

  it('lists a repeated mismatch once, with its days and its newest shape, the newest first', async () => {
    const held = (day: number, shape: string) => ({
      ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: 'held' },
      ...{ shape, foundAt: `2026-01-${day}T12:00:00.000Z` },
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
});
