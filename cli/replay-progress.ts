import type { Terminal, Wait } from './context.ts';
import type { ReplayProgress } from './replay-access.ts';
import { sanitize } from './text/sanitize.ts';
import { formatTime } from './text/time.ts';
import { tolerating } from './tolerate.ts';

/** Between two looks. */
const pollMs = 2_000;

const ended: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export interface ReplayWatching {
  /** Whether to look until it ends, or once. */
  readonly follow: boolean;
  readonly wait: () => Wait;
  /** IANA name of the reader's time zone. */
  readonly zone: string;
  readonly terminal: Pick<Terminal, 'err'>;
}

/** Says how a replay goes, each time that changes; gives how it was last. Looks that fail in passing are made again. */
export async function watchReplay(
  look: () => Promise<ReplayProgress>,
  say: (line: string) => void,
  { follow, wait, zone, terminal }: ReplayWatching,
): Promise<ReplayProgress> {
  let last = await look();
  let said = lineOf(last, zone);
  say(said);
  if (!follow || ended.has(last.state)) return last;
  const goesOn = wait();
  const tolerate = tolerating(terminal);
  while (!ended.has(last.state) && (await goesOn(pollMs))) {
    last = (await tolerate(look)) ?? last;
    const line = lineOf(last, zone);
    if (line !== said) say(line);
    said = line;
  }
  return last;
}

function lineOf({ state, reachedAt }: ReplayProgress, zone: string): string {
  const reached = reachedAt === undefined ? '' : `, up to ${formatTime(reachedAt, zone)}`;
  return `${sanitize(state)}${reached}`;
}
