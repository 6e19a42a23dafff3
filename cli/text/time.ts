const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time where the reader is: `2026-01-15 09:00:05 -03:00`.
 *
 * @param iso ISO 8601
 * @param zone IANA name, for example "America/Sao_Paulo"
 */
export function formatTime(iso: string, zone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`;
}

/**
 * A duration in the units a person would name: `120 ms`, `2.1 s`, `3 min 5 s`, `2 d 4 h`; the sign is left out.
 *
 * @param milliseconds between two times
 */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < second) return `${Math.round(length)} ms`;
  if (length < 10 * second) return `${(Math.floor(length / 100) / 10).toFixed(1)} s`;
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return inUnits(length, minute, 'min', second, 's');
  if (length < day) return inUnits(length, hour, 'h', minute, 'min');
  return inUnits(length, day, 'd', hour, 'h');
}

function inUnits(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small);
  return `${Math.floor(length / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
