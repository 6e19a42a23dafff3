import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTime } from '../../../../cli/input/time-argument.ts';
import { formatTime } from '../../../../cli/text/format.ts';
import { assertProperty } from '../../../support/property.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

const read = (text: string, zone = 'America/Sao_Paulo', at = now) =>
  readTime(text, { option: '--since', now: at, zone });

describe('a time', () => {
  it.each([
    ['2026-01-15T12:30:05Z', '2026-01-15T12:30:05.000Z'],
    ['2026-01-15t12:30:05.123456z', '2026-01-15T12:30:05.123Z'],
    ['2026-01-15T12:30:05+05:30', '2026-01-15T07:00:05.000Z'],
    ['2026-01-15T12:30:05,5+0530', '2026-01-15T07:00:05.500Z'],
    ['2026-01-15T12:30-03', '2026-01-15T15:30:00.000Z'],
    ['2026-01-15T12:30:05', '2026-01-15T15:30:05.000Z'],
    // As tables show it.
    ['2026-01-15 12:30:05 -03:00', '2026-01-15T15:30:05.000Z'],
    [' 2026-01-15 12:30 ', '2026-01-15T15:30:00.000Z'],
    ['2026-01-15', '2026-01-15T03:00:00.000Z'],
    ['2024-02-29', '2024-02-29T03:00:00.000Z'],
    ['now', '2026-01-15T12:00:00.000Z'],
    ['today', '2026-01-15T03:00:00.000Z'],
    ['yesterday', '2026-01-14T03:00:00.000Z'],
    ['90s', '2026-01-15T11:58:30.000Z'],
    ['15m', '2026-01-15T11:45:00.000Z'],
    ['2h', '2026-01-15T10:00:00.000Z'],
    ['3d', '2026-01-12T12:00:00.000Z'],
    ['1w', '2026-01-08T12:00:00.000Z'],
  ])('%s is %s for a reader in São Paulo', async (text, iso) => {
    expect(await read(text)).toBe(iso);
  });

  it.each([
    ['2026-02-30', 'does not exist'],
    ['2025-02-29', 'does not exist'],
    ['2026-01-15T25:00', 'does not exist'],
    ['2026-01-15T12:00:60Z', 'does not exist'],
    ['2026-01-15T12:00+99:00', 'is not a valid time'],
    ['2026-01', 'is not a valid time'],
    ['tomorrow', 'is not a valid time'],
    ['2', 'is not a valid time'],
    ['-2h', 'is not a valid time'],
    ['2M', 'is not a valid time'],
    ['', 'is not a valid time'],
    ['999999w', 'is out of range'],
    ['0000-01-01', 'is out of range'],
  ])('%j is rejected with the accepted forms', async (text, problem) => {
    const refused = read(text);
    await expect(refused).rejects.toMatchObject({ name: 'UsageError' });
    await expect(refused).rejects.toThrow(`--since "${text}" ${problem}. Expected ISO 8601 (2026-01-15, `);
    await expect(refused).rejects.toThrow('90s, 15m, 2h, 3d, 1w');
  });
});

describe('a day', () => {
  it.each([
    // Midnight is left out.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2025-03-09', 'America/Havana', '2025-03-09T05:00:00.000Z'],
    // Midnight comes twice.
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
    // The day before midnight came twice, in the hour before.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    // A day that never was there.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s begins at %s', async (day, zone, iso) => {
    expect(await read(day, zone)).toBe(iso);
  });

  const zones = [
    'America/Sao_Paulo',
    'America/Havana',
    'Atlantic/Azores',
    'Asia/Beirut',
    'Australia/Lord_Howe',
  ];

  it('begins with its first moment, in every zone and whenever one asks', async () => {
    const instant = fc.date({
      min: new Date('1995-01-01'),
      max: new Date('2037-01-01'),
      noInvalidDate: true,
    });
    await assertProperty(
      fc.asyncProperty(instant, instant, fc.constantFrom(...zones), async (day, asked, zone) => {
        const dateOf = (ms: number) =>
          new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(ms);
        const date = dateOf(day.getTime());
        const begin = Date.parse(await read(date, zone, asked.getTime()));
        expect(dateOf(begin)).toBe(date);
        expect(dateOf(begin - 1) < date).toBe(true);
        expect(await read('today', zone, day.getTime())).toBe(new Date(begin).toISOString());
        expect(await read('yesterday', zone, day.getTime())).toBe(await read(dateOf(begin - 1), zone));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a local time', () => {
  it.each([
    ['that comes twice is the first one', '2025-11-02T01:30', '2025-11-02T05:30:00.000Z'],
    ['that is left out is an hour later', '2025-03-09T02:30', '2025-03-09T07:30:00.000Z'],
  ])('%s, in whatever season one asks', async (_, text, iso) => {
    for (const asked of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])
      expect(await read(text, 'America/New_York', Date.parse(asked))).toBe(iso);
  });

  it("is the reader's day", async () => {
    const anywhere = fc
      .date({ min: new Date('1995-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
      .map((date) => Math.floor(date.getTime() / 1000) * 1000);
    /** Two hours before and after the clocks change, in each of the zones. */
    const atChange = fc
      .tuple(
        fc.constantFrom('2026-11-01T06:00Z', '2026-03-08T07:00Z', '2026-10-25T01:00Z', '2025-11-02T05:00Z'),
        fc.integer({ min: -7200, max: 7200 }),
      )
      .map(([change, seconds]) => Date.parse(change) + seconds * 1000);
    const zones = fc.constantFrom('Asia/Kathmandu', 'America/Havana', 'America/New_York', 'Europe/Berlin');
    await assertProperty(
      fc.asyncProperty(fc.oneof(anywhere, atChange), zones, async (ms, zone) => {
        const iso = new Date(ms).toISOString();
        expect(await read(formatTime(iso, zone), zone)).toBe(iso);
      }),
      { numRuns: 300 },
    );
  });
});
