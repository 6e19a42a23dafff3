import { expect, it, vi } from 'vitest';
import { awaitSetup, showProgress } from '../../../../cli/output/progress.ts';

/** Shows work and returns its lines. @param done the units that are done at each second, from the second 0 on */
function linesOf(
  work: Partial<Parameters<typeof showProgress>[1]>,
  done: readonly number[],
  isWatched = true,
) {
  const lines: string[] = [];
  let seconds = 0;
  const err = (text: string) => void lines.push(`${seconds} s: ${text}`);
  const terminal = { out: err, err, isWatched };
  const progress = showProgress(
    {
      terminal: terminal as unknown as Parameters<typeof showProgress>[0]['terminal'],
      clock: () => seconds * 1000,
    },
    { doing: 'Counting', unit: ['entry', 'entries'], ...work },
  );
  for (const count of done) {
    progress(count);
    seconds += 1;
  }
  return lines;
}

const seconds = (count: number, each: (second: number) => number) =>
  Array.from({ length: count }, (_, second) => each(second));

it('is first shown after two seconds, then ever more rarely, and to a terminal only', () => {
  const done = seconds(130, (second) => second * 1000);
  const shownAt = (lines: readonly string[]) => lines.map((line) => Number.parseInt(line, 10));
  expect(shownAt(linesOf({}, done))).toEqual([2, 6, 14, 30, 60, 90, 120]);
  expect(linesOf({}, done)[1]).toBe('6 s: Counting: 6000 entries, 1000 a second.\n');
  expect(linesOf({}, done, false)).toEqual([]);
});

it.each([
  [{ total: 100 }, [0, 1, 1], 'Counting: 1 of about 100 entries, 0.5 a second, about 3 min 18 s left.'],
  [
    { total: 100, before: 60 },
    [60, 70, 80],
    'Counting: 80 of about 100 entries, 10 a second, about 2.0 s left.',
  ],
  [{ total: 100 }, [0, 0, 0], 'Counting: 0 of about 100 entries, 0.0 a second.'],
  [{ total: 100 }, [0, 0, 101], 'Counting: 101 entries, 51 a second.'],
  [{}, [0, 0, 1], 'Counting: 1 entry, 0.5 a second.'],
])('says the rate, and the time left of a known total: %o', (work, done, line) => {
  expect(linesOf(work, done)).toEqual([`2 s: ${line}\n`]);
});

it.each([
  [true, 2000, 1],
  [true, 1999, 0],
  [false, 5000, 0],
])(
  'of a wait for the setup function, watched %s, shows after %i ms %i lines',
  async (isWatched, ms, count) => {
    vi.useFakeTimers();
    try {
      const lines: string[] = [];
      const answer = new Promise((resolve) => setTimeout(() => resolve('answer'), ms + 1));
      const shown = awaitSetup({ isWatched, err: (text) => void lines.push(text) }, answer);
      await vi.advanceTimersByTimeAsync(ms + 10_000);
      expect([await shown, lines.length]).toEqual(['answer', count]);
    } finally {
      vi.useRealTimers();
    }
  },
);
