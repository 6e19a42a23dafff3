import { describe, expect, it } from 'vitest';
import { readerZone } from '../../../../cli/target/zone.ts';

describe('the time zone of the reader', () => {
  it.each([
    [undefined, 'Europe/Berlin', 'Europe/Berlin'],
    [undefined, 'Etc/Unknown', 'UTC'],
    [undefined, 'undefined', 'UTC'],
    ['', 'Etc/Unknown', 'UTC'],
    [':', 'Etc/Unknown', 'UTC'],
    [':UTC', 'undefined', 'UTC'],
    ['UTC', 'UTC', 'UTC'],
    [':Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'],
    ['/usr/share/zoneinfo/Europe/Berlin', 'undefined', 'Europe/Berlin'],
    [':/usr/share/zoneinfo/America/New_York', 'undefined', 'America/New_York'],
    ['Etc/GMT+3', 'Etc/GMT+3', 'Etc/GMT+3'],
    ['posix/Europe/Berlin', 'undefined', 'Europe/Berlin'],
    ['UTC0', 'undefined', 'UTC'],
  ])('with TZ=%s on a machine in %s is %s', (variable, ofMachine, zone) => {
    expect(readerZone(variable, ofMachine)).toBe(zone);
  });

  it.each([
    [':/etc/localtime', '/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['/etc/localtime', '/usr/share/zoneinfo/Etc/UTC', 'UTC'],
    [':/etc/localtime', undefined, 'America/New_York'],
  ])('with TZ=%s, which leads to %s, is %s', (variable, file, zone) => {
    expect(readerZone(variable, 'America/New_York', () => file)).toBe(zone);
  });

  it.each(['Foo/Bar', 'CET-1CEST', 'UTC+3', '<+03>-3', 'Europe/Berlin\r', ' Europe/Berlin', 'Etc/Unknown'])(
    'with TZ=%s is refused by name',
    (variable) => {
      expect(() => readerZone(variable, 'undefined')).toThrow(
        `TZ is ${JSON.stringify(variable)}, which is no name of a time zone. Set TZ to a name such as Europe/Berlin or UTC, or unset it.`,
      );
    },
  );
});
