import { tzOffset } from '@date-fns/tz/tzOffset';

/** The formats of times, in the order in which a text is tried: no later format reads what an earlier one writes until 2033. */
export const timeFormats = [
  'iso8601',
  'rfc2822',
  'dotted',
  'javascript',
  'compact',
  'smpp',
  'unix-seconds',
  'unix-milliseconds',
] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** One format, or several if a service writes its times in several. */
export type TimeFormats = TimeFormat | readonly TimeFormat[];

/** A time that was read. */
export interface ReadTime {
  /** ISO 8601 in UTC to the millisecond, so that text order is time order. */
  readonly iso: string;
  /**
   * How its zone is known: the text has it (a Unix time is in UTC), or the contract names it. If the zone is `assumed`, the text was read as
   * UTC. A `clock-change` repeats the hour that the text names, or leaves it out.
   */
  readonly zone: 'written' | 'named' | 'assumed' | 'clock-change';
}

const year1970 = 0;
const year3000 = Date.UTC(3000, 0);

/**
 * Reads a time in one of the contract's formats.
 *
 * @param timeZone the zone of a time that has none: a name such as `America/New_York`, or an offset such as `+05:30`; null if it is unknown
 * @returns undefined for any other text
 */
export function readTime(formats: TimeFormats, text: string, timeZone: string | null): ReadTime | undefined {
  const written = withPlus(text);
  for (const format of typeof formats === 'string' ? [formats] : timeFormats) {
    const fields = formats.includes(format) ? readers[format](written) : undefined;
    const read = fields && toUtc(fields, timeZone);
    if (read !== undefined && read.time >= year1970 && read.time < year3000)
      return { iso: new Date(read.time).toISOString(), zone: read.zone };
  }
  return undefined;
}

/** Reads a time as {@link readTime} does. @returns ISO 8601 in UTC to the millisecond */
export function parseTime(
  formats: TimeFormats,
  text: string,
  timeZone: string | null = null,
): string | undefined {
  return readTime(formats, text, timeZone)?.iso;
}

/** A query or a form whose "+" was not encoded has a blank in front of an offset: `12:00:05 05:30`. */
function withPlus(text: string): string {
  return text.replace(/(?<=:\d\d(?:[.,]\d+)?|GMT) (?=\d\d:?\d\d(?: \(|$))/, '+');
}

/** Writes a time in the contract's format, in the first of several. */
export function renderTime(
  formats: TimeFormats,
  iso: string,
  timeZone: string | null = null,
): string | number {
  const time = Date.parse(iso);
  const local = () => new Date(time + (timeZone === null ? 0 : offsetMs(timeZone, time))).toISOString();
  switch (typeof formats === 'string' ? formats : formats[0]) {
    case 'unix-seconds':
      return time / 1000;
    case 'unix-milliseconds':
      return time;
    case 'rfc2822':
      return new Date(time).toUTCString().replace('GMT', '+0000');
    case 'dotted':
      return local().replace(/^(\d{4})-(\d\d)-(\d\d)T([\d:]{8}).*$/, '$3.$2.$1 $4');
    case 'javascript':
      return new Date(time).toUTCString().replace(/^(...), (..) (...) (.*) GMT$/, '$1 $3 $2 $4 GMT+0000');
    case 'compact':
      return local().slice(0, 19).replace(/\D/g, '');
    case 'smpp':
      return local().slice(2, 16).replace(/\D/g, '');
    default:
      return iso;
  }
}

/** A time as a text names it: milliseconds since 1970 as if it were UTC, and its offset from UTC if the text has one. */
interface WrittenTime {
  readonly local: number;
  readonly offsetMs: number | undefined;
}

function toUtc(
  { local, offsetMs: written }: WrittenTime,
  timeZone: string | null,
): { time: number; zone: ReadTime['zone'] } {
  if (written !== undefined) return { time: local - written, zone: 'written' };
  if (timeZone === null) return { time: local, zone: 'assumed' };
  const times = timesOf(local, timeZone);
  const [first = local - offsetMs(timeZone, local)] = times;
  return { time: first, zone: times.length === 1 ? 'named' : 'clock-change' };
}

const dayMs = 86_400_000;

/** Lists the times at which clocks of a zone show a time, in order: two in the hour that a change repeats, and none in the one that it leaves out. */
function timesOf(local: number, timeZone: string): readonly number[] {
  const offsets = [local - dayMs, local + dayMs].map((time) => offsetMs(timeZone, time));
  const times = [...new Set(offsets)].map((offset) => local - offset);
  return times.filter((time) => time + offsetMs(timeZone, time) === local).sort((a, b) => a - b);
}

function offsetMs(timeZone: string, time: number): number {
  return tzOffset(timeZone, new Date(time)) * 60_000;
}

/** Returns whether a text is a zone: a name of the IANA database, or an offset such as `+05:30`. */
export function isTimeZone(text: string): boolean {
  if (/^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(text)) return true;
  // Other forms of offsets depend on the version of Node.js.
  return /^[A-Za-z]/.test(text) && !Number.isNaN(tzOffset(text, new Date(0)));
}

const offset = /([+-])(\d{2}):?(\d{2})?/.source;
const clock = /(\d{2}):(\d{2})(?::(\d{2}))?/.source;

/** The blank or T before the time is missing in some reports (`2016-03-3019:33:06`). */
const iso8601 = new RegExp(
  `^(\\d{4})-(\\d{2})-(\\d{2})[Tt ]?${clock}(?:[.,](\\d{1,9}))?(?: ?(?:([Zz]|UTC|GMT)|${offset}))?$`,
);
/** RFC 2822, section 3.3, without comments. A zone by letters is UTC. */
const rfc2822 = new RegExp(
  `^(?:[A-Z][a-z]{2}, )?(\\d{1,2}) ([A-Z][a-z]{2}) (\\d{4}) ${clock} ?(?:(GMT|UTC?|Z)|${offset})$`,
);
/** The day first, with points, as in most of Europe: `14.01.2026 10:00:07`. JavaScript has a comma and no zeros: `14.1.2026, 10:00:07`. */
const dotted = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}),? ${clock}$`);
/** What JavaScript writes (ECMA-262, Date.prototype.toString): `Thu Jan 15 2026 12:00:05 GMT+0530 (India Standard Time)`. */
const javascript = new RegExp(
  `^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\\d{2}) (\\d{4}) ${clock}(?: (?:GMT|UTC)(?:${offset})?)?(?: \\([^()]*\\))?$`,
);
/** YYYYMMDDhhmmss. */
const compact = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
/** The dates of an SMPP delivery receipt: YYMMDDhhmm, optionally with seconds (SMPP 3.4, appendix B). */
const smpp = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const readers: Readonly<Record<TimeFormat, (text: string) => WrittenTime | undefined>> = {
  iso8601: fromIso,
  rfc2822: fromRfc2822,
  dotted: fromDotted,
  javascript: fromJavascript,
  compact: (text) => fromFields(compact.exec(text)?.slice(1), []),
  smpp: fromSmpp,
  'unix-seconds': (text) => fromUnix(text, 1000),
  'unix-milliseconds': (text) => fromUnix(text, 1),
};

function fromUnix(text: string, unitMs: number): WrittenTime | undefined {
  if (!/^\d{1,14}(\.\d{1,9})?$/.test(text)) return undefined;
  return { local: Math.floor(Number(text) * unitMs), offsetMs: 0 };
}

function fromIso(text: string): WrittenTime | undefined {
  const match = iso8601.exec(text);
  if (match === null) return undefined;
  const [, , , , , , , fraction = '', utc, ...zone] = match;
  const read = fromFields(match.slice(1, 7), utc === undefined ? zone : ['+', '00', '00']);
  return read && { ...read, local: read.local + Number(fraction.padEnd(3, '0').slice(0, 3)) };
}

function fromRfc2822(text: string): WrittenTime | undefined {
  const [, day, name = '', year, hour, minute, second, utc, ...zone] = rfc2822.exec(text) ?? [];
  const month = String(months.indexOf(name) + 1);
  return fromFields([year, month, day, hour, minute, second], utc === undefined ? zone : ['+', '00', '00']);
}

function fromDotted(text: string): WrittenTime | undefined {
  const [, day, month, year, ...rest] = dotted.exec(text) ?? [];
  return fromFields([year, month, day, ...rest], []);
}

function fromJavascript(text: string): WrittenTime | undefined {
  const [, name = '', day, year, hour, minute, second, ...zone] = javascript.exec(text) ?? [];
  const month = String(months.indexOf(name) + 1);
  const isUtc = zone[0] === undefined && / (?:GMT|UTC)/.test(text);
  return fromFields([year, month, day, hour, minute, second], isUtc ? ['+', '00', '00'] : zone);
}

function fromSmpp(text: string): WrittenTime | undefined {
  const [, year, ...rest] = smpp.exec(text) ?? [];
  return fromFields([`20${year}`, ...rest], []);
}

type Fields = readonly (string | undefined)[];

/** @param fields year, month, day, hour, minute and second @param zone the sign, hours and minutes of the offset; empty without one */
function fromFields(fields: Fields | undefined, [sign, ...offsetFields]: Fields): WrittenTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (fields ?? []).map((part) =>
    Number(part ?? 0),
  );
  const [offsetHours = 0, offsetMinutes = 0] = offsetFields.map((part) => Number(part ?? 0));
  // A leap second (60) counts as the second after it, as in Unix time.
  if (!(year >= 1970 && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 60))
    return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const offsetTotal = (sign === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  return {
    local: Date.UTC(year, month - 1, day, hour, minute, second),
    offsetMs: sign === undefined ? undefined : offsetTotal,
  };
}
