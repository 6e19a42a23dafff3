import { describe, expect, it } from 'vitest';
import { proposeTimeZone, type SeenTime } from '../../../discovery/event-times.ts';

const rules = { timeFormat: ['iso8601', 'javascript', 'compact', 'smpp'] as const, timeZone: null };

/** Times that the service wrote, each with the time of the receipt in UTC. */
const seen = (...times: readonly (readonly [text: string, receivedAt: string | undefined])[]): SeenTime[] =>
  times.map(([text, receivedAt]) => ({ text, receivedAt }));

const of = (times: readonly SeenTime[], timeZone: string | null = null) =>
  proposeTimeZone(times, { ...rules, timeFormat: [...rules.timeFormat], timeZone });

describe('the zone of captured times', () => {
  it.each<[string, SeenTime[], string, RegExp]>([
    [
      'India, from the local time of a gateway',
      seen(['2026-01-15 17:30:00', '2026-01-15T12:00:03Z'], ['2026-01-15 18:00:00', '2026-01-15T12:30:40Z']),
      '+05:30',
      /^these times look like UTC\+05:30: the name of the zone, such as "America\/New_York", is better/,
    ],
    [
      'South Africa, whose time a service writes for every country',
      seen(['20260115140000', '2026-01-15T12:00:09Z']),
      '+02:00',
      /UTC\+02:00/,
    ],
    [
      'New York, as a JavaScript date without its zone',
      seen(['Thu Jan 15 2026 07:00:00', '2026-01-15T12:00:01Z']),
      '-05:00',
      /UTC-05:00/,
    ],
    [
      'UTC itself',
      seen(['2026-01-15 12:00:00', '2026-01-15T12:00:01Z']),
      'UTC',
      /^these times look like UTC: in winter London looks the same$/,
    ],
    [
      'New York across the change of its clocks',
      seen(
        ['2026-10-31 08:00:00', '2026-10-31T12:00:01Z'],
        ['2026-11-01 07:00:00', '2026-11-01T12:00:01Z'],
        ['2026-11-02 07:00:00', '2026-11-02T12:00:01Z'],
      ),
      '-05:00',
      /UTC-04:00 before 2026-11-01 and like UTC-05:00 after it, as where the clocks change: only the name/,
    ],
    [
      'one that a delayed report does not hide',
      seen(['2026-01-15 07:00:00', '2026-01-15T12:00:01Z'], ['2026-01-15 07:00:00', '2026-01-15T13:07:31Z']),
      '-05:00',
      /UTC-05:00 \(1 of 2 times\)/,
    ],
  ])('is found for %s, as a guess', (_, times, value, note) => {
    const { zone, doubt } = of(times);
    expect(zone).toMatchObject({ key: 'events.timeZone', value, isCertain: false });
    expect(zone?.note).toMatch(note);
    expect(doubt).toBe('its times have no zone');
  });

  it.each<[string, SeenTime[], RegExp]>([
    ['without receipts', seen(['2026-01-15 12:00:00', undefined]), /do not say when they were received/],
    [
      'with receipts at no constant distance',
      seen(['2026-01-15 12:00:00', '2026-01-15T15:07:30Z'], ['2026-01-15 12:00:00', '2026-01-15T17:22:10Z']),
      /their distance to the receipts differs/,
    ],
    [
      'with a zone for each status, as in Vonage/vonage-php-sdk-core#173',
      seen(['2601151000', '2026-01-15T10:00:20Z'], ['2601151200', '2026-01-15T10:00:21Z']),
      /several zones: UTC\+00:00, UTC\+02:00/,
    ],
  ])('stays unknown %s', (_, times, note) => {
    const { zone, doubt } = of(times);
    expect(zone).toMatchObject({ value: null, isCertain: false });
    expect(zone?.note).toMatch(note);
    expect(doubt).toBeDefined();
  });

  it('is nothing to propose where the times name it, or the zone of the contract fits', () => {
    expect(of(seen(['2026-01-15T12:00:00Z', '2026-01-15T12:00:01Z']))).toEqual({});
    const times = seen(['2026-01-15 07:00:00', '2026-01-15T12:00:01Z']);
    expect(of(times, 'America/New_York')).toEqual({});
    expect(of(times, 'America/Denver').zone).toMatchObject({ value: '-05:00', isCertain: false });
  });

  it('is doubted where the times name UTC and are of another zone, as in IFRCGo/cbs#594', () => {
    const { zone, doubt } = of(
      seen(
        ['2018-04-04T22:09:37+00:00', '2018-04-04T20:09:37Z'],
        ['2018-04-04T22:19:37+00:00', '2018-04-04T20:19:39Z'],
      ),
    );
    expect(zone).toBeUndefined();
    expect(doubt).toBe(
      'its times name a zone, and are +02:00 away from the receipts: does the service write local times?',
    );
  });

  it('is doubted at one Unix time of a local clock, and not at a time far away from its receipt', () => {
    const unix = (text: string) =>
      proposeTimeZone(seen([text, '2026-01-15T12:00:09Z']), { timeFormat: 'unix-seconds', timeZone: null });
    expect(unix('1768498200').doubt).toContain('+05:30 away from the receipts');
    expect(unix('1768478400')).toEqual({});
    expect(unix('1493735509')).toEqual({});
  });
});
