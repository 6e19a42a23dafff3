import { describe, expect, it } from 'vitest';
import { fakeCounters, send } from '../../support/counters.ts';
import { commandLine } from '../../support/harness.ts';

async function insights(...options: string[]) {
  const { calls, connection } = fakeCounters();
  const outcome = await commandLine({ connection }).sms('insights', ...options);
  return { ...outcome, calls };
}

describe('insights', () => {
  it('are those of the last 24 hours, hour by hour', async () => {
    const { code, out, calls } = await insights();
    expect(code).toBe(0);
    expect(calls).toEqual([[Date.UTC(2026, 0, 14, 12), Date.UTC(2026, 0, 15, 12)]]);
    expect(out).toMatch(/HOUR \(America\/Sao_Paulo\) +MESSAGES/);
    expect(out).toMatch(/2026-01-15 08:00:00 -03:00 +3 +1 \(50\.0 %\)/);
    expect(out).toContain(
      '3 messages, 2 with an outcome: 1 delivered (50.0 %), 1 failed (50.0 %), 1 pending; 50 % within 4.',
    );
  });

  it('of more than two days are those of days in UTC', async () => {
    const { out, calls } = await insights('--since', '7d');
    expect(calls).toEqual([['2026-01-08', '2026-01-16']]);
    expect(out).toMatch(/2026-01-15 +3 /);
  });

  it.each([
    [[], /^start,messages,.*\r\n2026-01-15T11:00:00\.000Z,3,1,1,1,1,0,4\d\d\d,4\d\d\d,4\d\d\d,0,,0\r\n$/],
    [['--by', 'country'], /^start,country,.*\r\n2026-01-15T11:00:00\.000Z,US,3,/],
    [['--by', 'source'], /^start,source,.*\r\n2026-01-15T11:00:00\.000Z,main,3,/],
    [['--by', 'status'], /^start,status,messages\r\n2026-01-15T11:00:00\.000Z,sent,1\r\n/],
    [['--by', 'reason'], /^start,reason,code,messages\r\n2026-01-15T11:00:00\.000Z,unreachable,30003,1\r\n$/],
  ])('are written as CSV with %j', async (options, csv) => {
    expect((await insights('--csv', ...options)).out).toMatch(csv);
  });

  it('compare the sources, or are those of the source that --source names', async () => {
    const quarter = { start: send.first, country: 'US' };
    const { connection } = fakeCounters({
      quarters: async () => [
        { ...quarter, source: 'main', tally: { delivered: 1, undelivered: 3 } },
        { ...quarter, source: 'backup', tally: { delivered: 9, sent: 1 } },
      ],
    });
    const show = async (...options: string[]) =>
      (await commandLine({ connection }).sms('insights', ...options)).out;
    const text = await show('--by', 'source');
    expect(text).toMatch(/SOURCE +MESSAGES.*backup +10 +9 \(100\.0 %\).*main +4 +1 \(25\.0 %\)/s);
    expect(text).toContain('14 messages, 13 with an outcome: 10 delivered');
    expect(await show('--source', 'backup')).toContain(
      '10 messages, 9 with an outcome: 9 delivered (100.0 %)',
    );
    const { total } = JSON.parse(await show('--by', 'source', '--source', 'main', '--json'));
    expect(total).toMatchObject({ messages: 4, sources: [{ source: 'main', messages: 4 }] });
  });

  it('show segments and spend if any are known, in the table, in the line and in CSV', async () => {
    const tally = { delivered: 3, segments: 5, 'priced#USD': 2, 'spend#USD': 39_500, 'priced#EUR': 1 };
    const { connection } = fakeCounters({
      quarters: async () => [
        { start: send.first, country: 'US', source: 'main', tally: { ...tally, 'spend#EUR': 66_600 } },
      ],
    });
    const show = async (...options: string[]) =>
      (await commandLine({ connection }).sms('insights', ...options)).out;
    const text = await show('--by', 'country');
    expect(text).toMatch(/SEGMENTS +SPEND/);
    expect(text).toMatch(/US .* 5 +0\.0395 USD \+ 0\.0666 EUR/);
    expect(text).toContain('5 segments; 0.0395 USD + 0.0666 EUR for 3 messages with a price.');
    expect(await show('--csv')).toMatch(/,5,0\.0395 USD \+ 0\.0666 EUR,3\r\n$/);
    expect((await insights()).out).not.toMatch(/SEGMENTS|SPEND|segment/);
  });

  it('are shown again when the total changes', async () => {
    const tallies = [send.tally, send.tally, { delivered: 3 }];
    const { connection } = fakeCounters({
      quarters: async () => [
        { start: send.first, country: 'US', source: 'main', tally: tallies.shift() ?? {} },
      ],
    });
    const pauses: number[] = [];
    const wait = async (ms: number) => {
      pauses.push(ms);
      return tallies.length > 0;
    };
    const { out } = await commandLine({ connection, wait }).sms('insights', '--follow');
    const totals = out.trimEnd().split('\n');
    expect(totals).toHaveLength(2);
    // Each read costs up to 500 read units.
    expect(new Set(pauses)).toEqual(new Set([10_000]));
    expect(totals[1]).toContain('3 messages: 3 delivered (100.0 %), 0 failed, 0 pending');
  });

  it.each([
    [['--interval', 'hour', '--since', '30d'], 'hours of at most 8 days can be shown'],
    [['--since', '500d'], 'days of at most 400 days can be shown'],
    [['--by', 'number'], 'country'],
  ])('refuse %j with exit code 2', async (options, problem) => {
    const { code, err, calls } = await insights(...options);
    expect([code, calls]).toEqual([2, []]);
    expect(err).toContain(problem);
  });
});
