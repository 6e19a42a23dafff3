import { pollMs } from '../../output/follow.ts';
import { showProgress } from '../../output/progress.ts';
import type { MoveTask, MoveTasks } from '../../stores/move-tasks.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import { formatAgo } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { isUnderWay, movedCount } from './last-move.ts';
import type { Moved } from './move-by-hand.ts';

/**
 * Starts a move within SQS, if messages wait, and shows its progress until it ends. Ctrl-C ends the output, not the move.
 *
 * @param waiting how many messages are expected
 * @throws CommandFailure while another move of the queue is running
 */
export async function moveWithinSqs(tasks: MoveTasks, waiting: number, context: Context): Promise<Moved> {
  const before = await tasks.latest();
  if (isUnderWay(before)) throw new CommandFailure(underWay(before, context));
  if (waiting === 0) return { moved: 0, state: 'completed', failure: undefined };
  const continues = context.beginWaiting();
  const progress = showProgress(context, { doing: 'Moving', unit: ['message', 'messages'], total: waiting });
  const tolerate = tolerating(context.terminal);
  await start(tasks, before);
  if (context.terminal.isWatched)
    context.terminal.err('SQS moves the messages by itself: Ctrl-C ends this output, not the move.\n');
  let moved = 0;
  while (await continues(pollMs)) {
    const task = await tolerate(() => tasks.latest());
    // SQS may list a new move a moment later.
    if (task === undefined || task.startedAt === before?.startedAt) continue;
    moved = task.moved;
    progress(moved);
    if (!isUnderWay(task)) return { moved, ...endOf(task) };
  }
  return { moved, state: 'running', failure: undefined };
}

/** Starts a move. The SDK repeats a start whose answer was lost; SQS refuses the repetition, because the move is running. */
async function start(tasks: MoveTasks, before: MoveTask | undefined): Promise<void> {
  try {
    await tasks.start();
  } catch (error) {
    const latest = await tasks.latest().catch(() => undefined);
    if (latest === undefined || latest.startedAt === before?.startedAt) throw error;
  }
}

function endOf({ state, failure }: MoveTask): Omit<Moved, 'moved'> {
  if (state === 'completed') return { state, failure: undefined };
  const [ended, problem] =
    state === 'cancelled'
      ? (['cancelled', 'The move was cancelled'] as const)
      : (['failed', `SQS ended the move: ${sanitize(failure ?? 'it gave no reason')}`] as const);
  return { state: ended, failure: `${problem}. The other messages wait; run it again to continue.` };
}

/** Explains why a move cannot start now. */
export function underWay(task: MoveTask, { clock, terminal }: Pick<Context, 'clock' | 'terminal'>): string {
  const started = formatAgo(new Date(task.startedAt).toISOString(), clock(), terminal.zone);
  return `A move of this queue is running already: about ${movedCount(task)} moved, started ${started}. Wait for its end, or end it with --cancel.`;
}
