import { converge } from './converge.ts';
import type { SetupDependencies } from './dependencies.ts';
import { followWanted } from './follow-wanted.ts';
import type { SetupOutcome } from './outcome.ts';
import { status } from './status.ts';

/** How a rotation that a person asked for is made. */
export interface RotateOptions {
  /** Also while the secret before the current one is still accepted. */
  readonly force: boolean;
  /** Whether the replaced secret stays accepted for a while; false for one that has leaked. */
  readonly overlap: boolean;
}

/** Has the service make a new signing secret, without a moment in which an event of its own would be refused. */
export async function rotate(dependencies: SetupDependencies, options: RotateOptions): Promise<SetupOutcome> {
  const { webhookUrl, overlapMs, requestId } = dependencies;
  const rotation = {
    by: `the rotate command (${requestId})`,
    force: options.force,
    overlapMs: options.overlap ? overlapMs : 0,
  };
  // Asked for by a person: what was changed elsewhere is taken over first, whatever the schedule would do about it.
  const outcome = await converge(dependencies, { webhookUrl, overlapMs, repairs: true, rotation });
  if (!outcome.ok) return outcome;
  await followWanted(dependencies);
  return status(dependencies, outcome);
}
