export type Language = 'en' | 'pt-BR';

interface TimeTexts {
  /** In the viewer's zone. */
  readonly shown: string;
  /** In UTC, or in the zone of the browser if the viewer's is UTC. */
  readonly other: string;
}

/** Returns the zone of the browser: "America/Sao_Paulo". */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: Language, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${language} ${zone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      // A Brazilian writes 29/11/2026. The English form must not be read with the month first.
      ...(language === 'en' ? { day: 'numeric', month: 'short' } : { day: '2-digit', month: '2-digit' }),
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
  formats.set(key, format);
  return format;
}

/**
 * Returns a time in the viewer's zone and in another one. A text that is no time is returned as it is. Creating a format is slow, so formats are kept.
 *
 * @param time ISO 8601
 * @param zone the viewer's; undefined for that of the browser
 */
export function timeTexts(time: string, language: Language, zone?: string): TimeTexts {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return { shown: time, other: time };
  const otherZone = zone === 'UTC' ? browserZone() : 'UTC';
  return {
    shown: formatOf(language, zone).format(date),
    other: `${formatOf(language, otherZone).format(date)} ${otherZone}`,
  };
}

/**
 * Returns a time with its offset from UTC, for paper: `29 Nov 2026, 16:01:22 (UTC−03:00)`.
 *
 * @param zone the viewer's; undefined for that of the browser
 */
export function timeWithOffset(time: string, language: Language, zone?: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    date,
  );
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? '';
  return `${timeTexts(time, language, zone).shown} (UTC${offset.replace('-', '−')})`;
}

/** Returns the day of a time in the viewer's zone, for headings. */
export function dayText(time: string, language: Language, zone?: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
  }).format(date);
}

/** Returns the time between two times, whichever is first: "3 s", "2 min 5 s", "1 h 3 min". */
export function durationText(one: string, other: string): string {
  const all = Math.round(Math.abs(Date.parse(other) - Date.parse(one)) / 1000);
  if (Number.isNaN(all)) return '';
  const [days, hours, minutes] = [
    Math.floor(all / 86_400),
    Math.floor(all / 3600) % 24,
    Math.floor(all / 60) % 60,
  ];
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'min'],
    [all % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  const shown = parts.slice(first === -1 ? 3 : first).slice(0, 2);
  return shown
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}
