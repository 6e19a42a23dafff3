import type { Drift } from '../webhook/webhook-drift.ts';
import { converge } from './converge.ts';
import { applyPendingDeactivation } from './deactivate.ts';
import { reportWebhookDrift } from './report-webhook-drift.ts';
import { failed, type SetupDependencies, type SetupOutcome } from './request.ts';
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
  const { webhookUrl, overlapMs, requestId, clock } = dependencies;
  const at = new Date(clock()).toISOString();
  const rotation = {
    by: `the rotate command (${requestId})`,
    force: options.force,
    overlapMs: options.overlap ? overlapMs : 0,
  };
  // Asked for by a person: what was changed elsewhere is taken over first, whatever the schedule would do about it.
  const outcome = await converge(dependencies, { webhookUrl, overlapMs, repairs: true, rotation });
  if (!outcome.ok) {
    if (!outcome.hasAdopted) return outcome;
    await tellAdopted(dependencies, at, outcome.drift ?? []);
    const { kind, message } = outcome.error;
    return failed(kind, `The secret had been rotated elsewhere; that one is stored now. ${message}`);
  }
  try {
    if (outcome.hasAdopted) await tellAdopted(dependencies, at, outcome.drift);
    await applyPendingDeactivation(dependencies);
    return await status(dependencies, outcome);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown error';
    return failed(
      'state-table',
      `The secret was rotated, but what is known besides could not be read (${name}).`,
    );
  }
}

/** @param at when the run began */
async function tellAdopted(
  dependencies: SetupDependencies,
  at: string,
  drift: readonly Drift[],
): Promise<void> {
  const { state, clock } = dependencies;
  const before = await state.read();
  if (before.wanted !== 'registered') return;
  const left = drift.filter((kind) => kind !== 'secret-rotated');
  await reportWebhookDrift(dependencies, { at, before }, { drift: [...left, 'secret-rotated'], left });
  await state.recordReconcile({ at: new Date(clock()).toISOString() });
}
