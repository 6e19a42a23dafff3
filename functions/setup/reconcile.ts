import type { Drift } from '../core/webhook/drift.ts';
import { isSameUrl } from '../core/webhook/service-webhook.ts';
import { type Converged, converge } from './converge.ts';
import type { SetupDependencies } from './dependencies.ts';
import { followWanted } from './follow-wanted.ts';
import type { SetupFailure, SetupOutcome } from './outcome.ts';
import { status } from './status.ts';

/**
 * Makes the service, the stored secret and what is wanted agree: finishes or gives up what an earlier run left, puts right or
 * reports what was changed elsewhere, and rotates a secret that has reached its age. Does nothing before the first
 * registration; after a deactivation it ends what a rotation left, and leaves the rest.
 */
export async function reconcile(dependencies: SetupDependencies): Promise<SetupOutcome> {
  const { state, clock } = dependencies;
  const { wanted, drift } = await state.read();
  if (wanted === undefined) return status(dependencies);
  const at = new Date(clock()).toISOString();
  const run = await (wanted === 'registered' ? agree(dependencies) : settle(dependencies));
  if (!run.ok) {
    // Where the run could not look, what was changed is still so, as far as anybody knows.
    await state.recordReconcile({ at, failure: run.error.kind }, run.drift ?? drift?.kinds ?? []);
    return run;
  }
  await state.recordReconcile({ at }, run.drift);
  return status(dependencies, run.converged);
}

type Agreement =
  | { readonly ok: true; readonly converged: Converged; readonly drift: readonly Drift[] }
  | { readonly ok: false; readonly error: SetupFailure; readonly drift: readonly Drift[] | undefined };

/** Requests may be parked still, and wait for the mark of a rotation to go. */
async function settle(dependencies: SetupDependencies): Promise<Agreement> {
  const { webhookUrl, overlapMs, onDrift } = dependencies;
  const outcome = await converge(dependencies, { webhookUrl, overlapMs, repairs: false });
  // A rotation that died may have told the service our URL after the deactivation.
  if (outcome.ok && onDrift === 'repair' && isSameUrl(outcome.service.url, webhookUrl))
    await followWanted(dependencies);
  return outcome.ok ? { ok: true, converged: outcome, drift: [] } : { ...outcome, drift: [] };
}

async function agree(dependencies: SetupDependencies): Promise<Agreement> {
  const { webhookUrl, overlapMs, onDrift, requestId, rotateAfterMs, clock } = dependencies;
  const goal = { webhookUrl, overlapMs, repairs: onDrift === 'repair' };
  const first = await converge(dependencies, goal);
  const isRepaired = first.ok && goal.repairs;
  await tellDrift(dependencies, first.drift ?? [], isRepaired);
  if (!first.ok) return first;
  const left = isRepaired ? [] : first.drift;
  if (first.setUrl) await followWanted(dependencies);

  const since = first.document?.current.since;
  const isOld =
    rotateAfterMs !== undefined && since !== undefined && clock() - Date.parse(since) >= rotateAfterMs;
  if (!isOld || left.length > 0) return { ok: true, converged: first, drift: left };
  const rotation = { by: `the schedule (${requestId})`, force: false, overlapMs };
  const second = await converge(dependencies, { ...goal, rotation });
  if (!second.ok) return { ...second, drift: left };
  await followWanted(dependencies);
  return { ok: true, converged: second, drift: left };
}

/** One log line for each thing that was found, the first time it is seen; the metric counts each run that finds any. */
async function tellDrift(
  { state, log, count }: SetupDependencies,
  drift: readonly Drift[],
  isRepaired: boolean,
): Promise<void> {
  if (drift.length === 0) return;
  count('webhookDrifted');
  const known = (await state.read()).drift?.kinds ?? [];
  for (const kind of drift) if (!known.includes(kind)) log('WEBHOOK_DRIFTED', { kind, isRepaired });
}
