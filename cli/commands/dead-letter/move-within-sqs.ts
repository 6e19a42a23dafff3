import { pollMs } from '../../output/follow.ts';
import { showProgress } from '../../output/progress.ts';
import type { MoveTask, MoveTasks } from '../../stores/move-tasks.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { tolerating } from '../../target/polling.ts';
import { formatAgo, formatCount } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import type { Moved } from './move-by-hand.ts';

/**
 * Starts a move within SQS, if messages wait, and shows its progress until it ends. Ctrl-C ends the output, not the move.
 *
 * @param waiting how many messages are expected
 * @throws CommandFailure while another move of the queue is running
 */
export async function moveWithinSqs(tasks: MoveTasks, waiting: number, context: Context): Promise<Moved> {
  const before = await tasks.latest();
  if (before !== undefined && isUnderWay(before)) throw new CommandFailure(underWay(before, context));
  if (waiting === 0) return { moved: 0, state: 'completed', failure: undefined };
  const continues = context.beginWaiting();
  const progress = showProgress(context, { doing: 'Moving', unit: ['message', 'messages'], total: waiting });
  const tolerate = tolerating(context.terminal);
  await tasks.start();
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

function isUnderWay({ state }: MoveTask): boolean {
  return state === 'running' || state === 'cancelling';
}

function endOf({ state, failure }: MoveTask): Omit<Moved, 'moved'> {
  if (state === 'completed') return { state, failure: undefined };
  const [ended, problem] =
    state === 'cancelled'
      ? (['cancelled', 'The move was cancelled'] as const)
      : (['failed', `SQS ended the move: ${sanitize(failure ?? 'it gave no reason')}`] as const);
  return { state: ended, failure: `${problem}. The other messages wait; run it again to continue.` };
}

function underWay({ moved, total, startedAt }: MoveTask, { clock, terminal }: Context): string {
  const count =
    total === undefined ? formatCount(moved, 'message') : `${moved} of ${formatCount(total, 'message')}`;
  const started = formatAgo(new Date(startedAt).toISOString(), clock(), terminal.zone);
  return `A move of this queue is running already: about ${count} moved, started ${started}. Wait for its end, or end it with --cancel.`;
}
