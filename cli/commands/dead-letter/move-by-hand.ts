import { formatCount } from '../../../functions/base/basics.ts';
import { showProgress } from '../../output/progress.ts';
import type { DeadLetterQueue } from '../../stores/dead-letter-queue.ts';
import type { Context } from '../../target/context.ts';
import { explainOrName } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';

/** How many messages are moved between two checks for Ctrl-C; a round takes a second or two. */
export const roundSize = 100;

/** The result of a move. */
export interface Moved {
  readonly moved: number;
  /** A move within SQS may be running still. */
  readonly state: 'completed' | 'running' | 'cancelled' | 'failed';
  /** Why messages were not moved; undefined if all were, or will be. */
  readonly failure: string | undefined;
}

/** Receives, sends and deletes messages, up to a maximum. It ends early on Ctrl-C. */
export async function moveByHand(
  queue: DeadLetterQueue,
  destinationUrl: string,
  max: number,
  context: Context,
): Promise<Moved> {
  const continues = context.beginWaiting();
  const progress = showProgress(context, { doing: 'Moving', unit: ['message', 'messages'], total: max });
  let moved = 0;
  while (moved < max) {
    const round = await moveRound(queue, destinationUrl, Math.min(roundSize, max - moved));
    moved += round.moved;
    progress(moved);
    if (round.failure !== undefined) return { moved, state: 'failed', failure: round.failure };
    if (round.moved === 0) break;
    if (moved < max && !(await continues(0)))
      return {
        moved,
        state: 'cancelled',
        failure: 'Interrupted: the other messages were not moved. Run it again to continue.',
      };
  }
  return { moved, state: 'completed', failure: undefined };
}

async function moveRound(
  queue: DeadLetterQueue,
  destinationUrl: string,
  max: number,
): Promise<Omit<Moved, 'state'>> {
  try {
    const letters = await queue.receive(max);
    const { sent, failure, deleteErrors } = await queue.move(letters, destinationUrl);
    const unsent = letters.length - sent;
    const problems: string[] = [];
    if (unsent > 0)
      problems.push(
        `Not sent, and still in the queue: ${formatCount(unsent, 'message')}. ${explainOrName(failure)}`,
      );
    if (deleteErrors.length > 0)
      problems.push(
        `Some were sent and could not be deleted (${deleteErrors.map(sanitize).join(', ')}): they are in both queues. The next redrive sends them again, which changes nothing.`,
      );
    return { moved: sent, failure: problems.length === 0 ? undefined : problems.join('\n') };
  } catch (error) {
    return { moved: 0, failure: explainOrName(error) };
  }
}
