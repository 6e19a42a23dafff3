const dayMs = 86_400_000;

/** The day of the seeded events, in the transcripts and in fact: yesterday, so that nothing expires meanwhile. */
const shownDay = Date.parse('2026-01-15');
const realDay = Math.floor(Date.now() / dayMs) * dayMs - dayMs;

/** Days that are further away are those of texts. */
const maxShiftedMs = 60 * dayMs;

/** The clock of commands that read seeded events: 12:30 of their day. */
export const fixedClock = (): number => realDay + 12.5 * 3_600_000;

const days = /\b20\d\d-\d\d-\d\d(?=\D|$)/g;

/** Moves the days within two months of one day to the same days before and after another. */
function moveDays(text: string, from: number, to: number): string {
  return text.replace(days, (day) => {
    const sinceDay = Date.parse(day) - from;
    return Math.abs(sinceDay) > maxShiftedMs ? day : new Date(to + sinceDay).toISOString().slice(0, 10);
  });
}

/** Returns a text of a transcript with the days that the pipeline has. */
export const realTime = (text: string): string => moveDays(text, shownDay, realDay);

/** What differs from run to run, and the name that a transcript has for it. */
export type Names = readonly (readonly [found: string | RegExp, name: string])[];

const everywhere: Names = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:{port}'],
  [/(?<=\bLocalPort +|"LocalPort",[\s|]+"value": ")\d+/g, '{port}'],
  [/(?<=another )\d+ \w+(?: \d+ \w+)?/g, '{duration}'],
  [/\d+(?:\.\d+)? \w+(?: \d+ \w+)?(?= ago)/g, '{duration}'],
  // Other suites add to the history.
  [/(?<=Wrote )\d+ entr(?:y|ies)/g, '{count}'],
  // Those that commands make are counted.
  [/\b(?!\d{8}-0000-4000-8000-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '{uuid}'],
  [/(?<=:secret:[\w-]+-)[0-9a-f]{6}\b/g, '{random}'],
  [/(?<=\bsms-)\d{8}T\d{6}(?=-)/g, '{time}'],
  // The width of a column follows from such a text.
  [/(?<=\{(?:duration|time|uuid)\}(?: \+00:00)?) {2,}(?=\S)/g, '  '],
];

/** Names for pages whose commands read the time of this machine. */
export const durations: Names = [
  [/\b\d+(?:\.\d+)? (?:ms|s|min|h|d)(?: \d+ (?:ms|s|min|h))?\b/g, '{duration}'],
];

const times = /\b(20\d\d-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g;

/**
 * Replaces what differs from run to run.
 *
 * @param lastKnownDay later times are those of this run
 */
export function normalise(text: string, names: Names, lastKnownDay = realDay): string {
  const named = text.replace(times, (time, day: string) => {
    const sinceDay = Date.parse(day) - realDay;
    return Date.parse(day) > lastKnownDay && Math.abs(sinceDay) <= maxShiftedMs ? '{time}' : time;
  });
  return [...names, ...everywhere].reduce(
    (answer, [found, name]) => answer.replaceAll(found, name),
    moveDays(named, realDay, shownDay),
  );
}
