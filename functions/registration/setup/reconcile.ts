import { err, ok, type Result } from '../../base/sms-service/request.ts';
import { isSameUrl, sendsHere } from '../webhook-drift.ts';
import type { DesiredState } from '../webhook-state-store.ts';
import { applyPendingDeactivation, status } from './actions.ts';
import { type Converged, converge } from './converge.ts';
import { type RunStart, reportWebhookDrift } from './report-webhook-drift.ts';
import type { SetupFailure, SetupOutcome, SetupPorts } from './request.ts';

/**
 * Makes the service, the stored secret and the desired state agree. It finishes or ends what an earlier run left, repairs or reports
 * changes made elsewhere, and rotates a secret that has reached its age. Before the first registration it does nothing. After a
 * deactivation it only ends what a rotation left.
 */
export async function reconcile(ports: SetupPorts): Promise<SetupOutcome> {
  const { state, clock } = ports;
  const at = new Date(clock()).toISOString();
  const before = await state.read();
  const desiredState = before.desiredState ?? (await inferDesiredState(ports));
  if (desiredState === undefined) return status(ports);
  const start = { at, before: { ...before, desiredState } };
  const run = await (desiredState === 'registered'
    ? reconcileRegistered(ports, start)
    : endRotation(ports, start));
  await state.recordReconcile({ at, ...(run.kind === 'error' && { failure: run.error.kind }) });
  return run.kind === 'ok' ? status(ports, run.value) : run;
}

/** Returns 'registered' if the webhook is registered here and its secret is stored: then the state is newer than both, or was lost. */
async function inferDesiredState({
  service,
  store,
  state,
  webhookUrl,
}: SetupPorts): Promise<DesiredState | undefined> {
  if ((await store.read()) === undefined) return undefined;
  const read = await service.read();
  if (read.kind === 'error' || !isSameUrl(read.value.url, webhookUrl)) return undefined;
  return state.assumeDesiredState('registered');
}

/** The minimum time between two rotations by age: each leaves two versions of the secret, and Secrets Manager keeps about 100 a day. */
const rotateByAgeEveryMs = 6 * 3_600_000;

async function reconcileRegistered(
  ports: SetupPorts,
  start: RunStart,
): Promise<Result<Converged, SetupFailure>> {
  const { state, webhookUrl, overlapMs, onDrift, requestId, rotateAfterMs, clock } = ports;
  const goal = { webhookUrl, overlapMs, repairs: onDrift === 'repair' };
  const first = await converge(ports, goal);
  const { drift } = first;
  const found = drift && { drift, left: first.kind === 'ok' && goal.repairs ? [] : drift };
  await reportWebhookDrift(ports, start, found);
  if (first.kind === 'error') return first;
  if (first.setUrl) await applyPendingDeactivation(ports);

  const since = first.document?.current.since;
  const isOld =
    ports.service.rotates &&
    rotateAfterMs !== undefined &&
    since !== undefined &&
    clock() - Date.parse(since) >= rotateAfterMs;
  const isDue =
    isOld && found?.left.length === 0 && (await state.takeTurn('rotateByAge', rotateByAgeEveryMs, clock()));
  if (!isDue) return ok(first);
  const rotation = { by: `the schedule (${requestId})`, force: false, overlapMs };
  const second = await converge(ports, { ...goal, rotation });
  if (second.kind === 'error') {
    // Another run rotates, or has just rotated.
    const isRotated = second.error.kind === 'overlap' || second.error.kind === 'rotation-under-way';
    return isRotated ? ok(first) : second;
  }
  await applyPendingDeactivation(ports);
  return ok(second);
}

/** Ends a rotation that was under way at the deactivation: parked requests may still wait for its mark to be removed. */
async function endRotation(ports: SetupPorts, start: RunStart): Promise<Result<Converged, SetupFailure>> {
  const { webhookUrl, overlapMs } = ports;
  const outcome = await converge(ports, { webhookUrl, overlapMs, repairs: false });
  await reportWebhookDrift(ports, start, { drift: [], left: [] });
  if (outcome.kind === 'error') return outcome;
  if (!sendsHere(outcome.service, webhookUrl)) return ok(outcome);
  // A rotation that died may have set the URL after the deactivation.
  const failure = await applyPendingDeactivation(ports);
  if (failure !== undefined) return err(failure);
  return ok({ ...outcome, service: { ...outcome.service, url: '' } });
}
