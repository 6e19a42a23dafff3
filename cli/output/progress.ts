import { type Clock, formatCount, formatDuration } from '../../functions/base/basics.ts';
import type { Terminal } from '../target/context.ts';

/** What a command does for longer than people wait without a sign. */
export interface Work {
  /** `Exporting` */
  readonly doing: string;
  readonly unit: readonly [one: string, many: string];
  /** The expected number of units, if it is known. */
  readonly total?: number | undefined;
  /** How many units were done before this run. */
  readonly before?: number;
}

/**
 * Shows the progress. It writes to stderr if that is a terminal, first after two seconds, then ever more rarely.
 *
 * @param done how many units are done, with those before this run
 * @param note follows the counts: `as far as 2026-01-15`
 */
export type Progress = (done: number, note?: string) => void;

/** Adds up and shows the units that are done. */
export function countProgress(...work: Parameters<typeof showProgress>): (more: number) => void {
  const progress = showProgress(...work);
  let done = 0;
  return (more) => {
    done += more;
    progress(done);
  };
}

const firstPauseMs = 2_000;
const maxPauseMs = 30_000;

/** Says on stderr, if that is a terminal, that the setup function takes longer than two seconds to answer. */
export function awaitSetup<T>(
  { isWatched, err }: Pick<Terminal, 'err' | 'isWatched'>,
  answer: Promise<T>,
): Promise<T> {
  const show = () =>
    err('Waiting for the setup function, which calls the SMS service: at most 90 seconds.\n');
  const timer = isWatched ? setTimeout(show, firstPauseMs) : undefined;
  return answer.finally(() => clearTimeout(timer));
}

export function showProgress(
  { terminal, clock }: { readonly terminal: Pick<Terminal, 'err' | 'isWatched'>; readonly clock: Clock },
  { doing, unit: [one, many], total, before = 0 }: Work,
): Progress {
  const startedAt = clock();
  let shownAt = startedAt;
  let pauseMs = firstPauseMs;
  return (done, note) => {
    const now = clock();
    if (!terminal.isWatched || now - shownAt < pauseMs) return;
    shownAt = now;
    pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    const perSecond = ((done - before) * 1000) / (now - startedAt);
    // A total is an estimate, which the work may exceed.
    const isWithin = total !== undefined && done <= total;
    const parts = [
      isWithin ? `${done} of about ${formatCount(total, one, many)}` : formatCount(done, one, many),
      `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second`,
      ...(isWithin && done < total && perSecond > 0
        ? [`about ${formatDuration(Math.ceil((total - done) / perSecond) * 1000)} left`]
        : []),
      ...(note === undefined ? [] : [note]),
    ];
    terminal.err(`${doing}: ${parts.join(', ')}.\n`);
  };
}
