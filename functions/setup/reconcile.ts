import type { DesiredState } from '../registration/webhook-state-store.ts';
import { isSameUrl } from '../webhook/webhook-drift.ts';
import { type Converged, converge } from './converge.ts';
import { applyPendingDeactivation } from './deactivate.ts';
import { type RunStart, reportWebhookDrift } from './report-webhook-drift.ts';
import type { SetupDependencies, SetupFailure, SetupOutcome } from './request.ts';
import { status } from './status.ts';

/**
 * Makes the service, the stored secret and what is wanted agree: finishes or gives up what an earlier run left, puts right or
 * reports what was changed elsewhere, and rotates a secret that has reached its age. Does nothing before the first
 * registration; after a deactivation it ends what a rotation left, and leaves the rest.
 */
export async function reconcile(dependencies: SetupDependencies): Promise<SetupOutcome> {
  const { state, clock } = dependencies;
  const known = await state.read();
  const wanted = known.wanted ?? (await wantedByWhatIsThere(dependencies));
  if (wanted === undefined) return status(dependencies);
  const at = new Date(clock()).toISOString();
  const run = await (wanted === 'registered'
    ? agree(dependencies, { at, before: { ...known, wanted } })
    : settle(dependencies, { at, before: known }));
  await state.recordReconcile({ at, ...(!run.ok && { failure: run.error.kind }) });
  if (!run.ok) return run;
  return status(dependencies, run.converged);
}

/** How often a rotation by age is tried, at most: each leaves two versions of the secret, and a day keeps about a hundred. */
const rotateByAgeEveryMs = 6 * 3_600_000;

type Agreement =
  | { readonly ok: true; readonly converged: Converged }
  | { readonly ok: false; readonly error: SetupFailure };

/** A webhook that is registered here, its secret stored, was wanted: the state is newer than it, or was lost. */
async function wantedByWhatIsThere({
  service,
  store,
  state,
  webhookUrl,
}: SetupDependencies): Promise<DesiredState | undefined> {
  if ((await store.read()) === undefined) return undefined;
  const read = await service.readWebhook();
  if (!read.ok || !isSameUrl(read.value.url, webhookUrl)) return undefined;
  return state.assumeWanted('registered');
}

/** Requests may be parked still, and wait for the mark of a rotation to go. */
async function settle(dependencies: SetupDependencies, start: RunStart): Promise<Agreement> {
  const { webhookUrl, overlapMs } = dependencies;
  const outcome = await converge(dependencies, { webhookUrl, overlapMs, repairs: false });
  await reportWebhookDrift(dependencies, start, { drift: [], left: [] });
  if (!outcome.ok) return outcome;
  if (!isSameUrl(outcome.service.url, webhookUrl)) return { ok: true, converged: outcome };
  // A rotation that died may have told the service our URL after the deactivation.
  const failure = await applyPendingDeactivation(dependencies);
  if (failure !== undefined) return { ok: false, error: failure };
  return { ok: true, converged: { ...outcome, service: { ...outcome.service, url: '' } } };
}

async function agree(dependencies: SetupDependencies, start: RunStart): Promise<Agreement> {
  const { state, webhookUrl, overlapMs, onDrift, requestId, rotateAfterMs, clock } = dependencies;
  const goal = { webhookUrl, overlapMs, repairs: onDrift === 'repair' };
  const first = await converge(dependencies, goal);
  const { drift } = first;
  const found = drift && { drift, left: first.ok && goal.repairs ? [] : drift };
  await reportWebhookDrift(dependencies, start, found);
  if (!first.ok) return first;
  if (first.setUrl) await applyPendingDeactivation(dependencies);

  const since = first.document?.current.since;
  const isOld =
    rotateAfterMs !== undefined && since !== undefined && clock() - Date.parse(since) >= rotateAfterMs;
  const isDue =
    isOld && found?.left.length === 0 && (await state.takeTurn('rotateByAge', rotateByAgeEveryMs, clock()));
  if (!isDue) return { ok: true, converged: first };
  const rotation = { by: `the schedule (${requestId})`, force: false, overlapMs };
  const second = await converge(dependencies, { ...goal, rotation });
  // Somebody else rotates, or has just done so: it is not this one's turn.
  if (!second.ok && (second.error.kind === 'overlap' || second.error.kind === 'rotation-under-way'))
    return { ok: true, converged: first };
  if (!second.ok) return second;
  await applyPendingDeactivation(dependencies);
  return { ok: true, converged: second };
}
