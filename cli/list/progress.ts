import type { Clock } from '../../functions/core/clock.ts';
import type { Page } from '../../functions/core/history/listing.ts';
import type { Terminal } from '../context.ts';
import { formatTime } from '../text/time.ts';
import type { EntryFormat } from './entry-format.ts';

/** What a person is told at most once in so long. */
const everyMs = 2_000;

/** Passes pages on, and tells who watches how far the reading has got: a range of many days takes long. */
export async function* tellProgress<T>(
  pages: AsyncIterable<Page<T>>,
  { at }: Pick<EntryFormat<T>, 'at'>,
  { terminal, clock }: { readonly terminal: Terminal; readonly clock: Clock },
): AsyncGenerator<Page<T>, void> {
  let told = clock();
  let count = 0;
  let oldest: T | undefined;
  for await (const page of pages) {
    count += page.entries.length;
    oldest = page.entries.at(-1) ?? oldest;
    const now = clock();
    if (terminal.isWatched && page.next !== undefined && now - told >= everyMs) {
      told = now;
      const reached =
        oldest === undefined ? '' : `, back to ${formatTime(at(oldest), terminal.zone).slice(0, 10)}`;
      terminal.err(`Still reading: ${count} ${count === 1 ? 'entry' : 'entries'} so far${reached}.\n`);
    }
    yield page;
  }
}
