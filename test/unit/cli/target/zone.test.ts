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
  ])('with TZ=%s on a machine in %s is %s', (variable, ofMachine, zone) => {
    expect(readerZone(variable, ofMachine)).toBe(zone);
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
