import type { Drift } from '../core/webhook/drift.ts';
import { converge } from './converge.ts';
import type { SetupDependencies } from './dependencies.ts';
import { followWanted } from './follow-wanted.ts';
import { failed, type SetupOutcome } from './outcome.ts';
import { status } from './status.ts';
import { tellDrift } from './tell-drift.ts';

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
  if (!outcome.ok) {
    if (!outcome.hasAdopted) return outcome;
    await tellAdopted(dependencies, outcome.drift ?? []);
    const { kind, message } = outcome.error;
    return failed(kind, `The secret had been rotated elsewhere; that one is stored now. ${message}`);
  }
  try {
    if (outcome.hasAdopted) await tellAdopted(dependencies, outcome.drift);
    await followWanted(dependencies);
    return await status(dependencies, outcome);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown error';
    return failed(
      'state-table',
      `The secret was rotated, but what is known besides could not be read (${name}).`,
    );
  }
}

async function tellAdopted(dependencies: SetupDependencies, drift: readonly Drift[]): Promise<void> {
  const { state, clock } = dependencies;
  const before = await state.read();
  if (before.wanted !== 'registered') return;
  await tellDrift(dependencies, before, ['secret-rotated'], true);
  const left = drift.filter((kind) => kind !== 'secret-rotated');
  await state.recordReconcile({ at: new Date(clock()).toISOString() }, left);
}
