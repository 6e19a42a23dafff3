import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import type { MoveTask } from '../../stores/move-tasks.ts';
import { sanitize } from '../../text/sanitize.ts';

/** The newest move of a queue by SQS, as JSON shows it. */
export const lastMove = z
  .object({
    state: z.enum(['running', 'cancelling', 'completed', 'cancelled', 'failed']),
    moved: z.int(),
    total: z.int().nullable(),
    failure: z.string().nullable(),
  })
  .nullable()
  .describe('The last move within SQS; null without one, and on this machine.');

type LastMove = NonNullable<z.output<typeof lastMove>>;

export function viewMove(task: MoveTask | undefined): LastMove | null {
  if (task === undefined) return null;
  const { state, moved, total = null, failure = null } = task;
  return { state, moved, total, failure };
}

/** Returns whether SQS still moves messages. It allows one move of a queue at a time. */
export function isUnderWay(
  task: MoveTask | undefined,
): task is MoveTask & { readonly state: 'running' | 'cancelling' } {
  return task?.state === 'running' || task?.state === 'cancelling';
}

/** Formats how many messages were moved: `1 of 3 messages`. */
export function movedCount({ moved, total }: Pick<MoveTask | LastMove, 'moved' | 'total'>): string {
  return total === undefined || total === null
    ? formatCount(moved, 'message')
    : `${moved} of ${formatCount(total, 'message')}`;
}

/** Formats a move: `failed, about 1 of 3 messages moved: AccessDenied`. */
export function describeMove(move: LastMove): string {
  const reason = move.failure === null ? '' : `: ${sanitize(move.failure)}`;
  return `${move.state}, about ${movedCount(move)} moved${reason}`;
}
