import { err, ok, type Result } from '../../base/sms-service/request.ts';
import { sendsHere } from '../webhook-drift.ts';
import { applyPendingDeactivation, logRegistered, status } from './actions.ts';
import { type Converged, converge } from './converge.ts';
import { type RunStart, reportWebhookDrift } from './report-webhook-drift.ts';
import type { SetupFailure, SetupOutcome, SetupPorts } from './request.ts';

/**
 * Makes the service, the stored secret and the desired state agree. It finishes or ends what an earlier run left, repairs or reports
 * changes made elsewhere, and rotates a secret that has reached its age. A first registration that has failed is tried again, even if
 * changes made elsewhere are only reported. After a deactivation it only ends what a rotation left.
 */
export async function reconcile(ports: SetupPorts): Promise<SetupOutcome> {
  const { state, clock } = ports;
  const at = new Date(clock()).toISOString();
  const before = await state.read();
  // The schedule begins after the custom resource has asked to register. Without a desired state, that failed before it was stored.
  const desiredState = before.desiredState ?? (await state.assumeDesiredState('registered'));
  if (desiredState === 'deactivated') {
    const ended = await endRotation(ports, { at, before });
    await state.recordReconcile({ at, ...(ended.kind === 'error' && { failure: ended.error.kind }) });
    return ended.kind === 'ok' ? status(ports, ended.value) : ended;
  }
  const run = await reconcileRegistered(ports, { at, before });
  if (run.kind === 'error') await state.recordReconcile({ at, failure: run.error.kind });
  else {
    await state.recordReconcile({ at });
    if (before.registeredAt === undefined) await state.recordRegistered(at);
  }
  return run.kind === 'ok' ? status(ports, run.value) : run;
}

/** The minimum time between two rotations by age: each leaves two versions of the secret, and Secrets Manager keeps about 100 a day. */
const rotateByAgeEveryMs = 6 * 3_600_000;

async function reconcileRegistered(
  ports: SetupPorts,
  start: RunStart,
): Promise<Result<Converged, SetupFailure>> {
  const { state, webhookUrl, overlapMs, onDrift, requestId, rotateAfterMs, clock } = ports;
  const isFirst = start.before.registeredAt === undefined;
  const goal = { webhookUrl, overlapMs, repairs: isFirst || onDrift === 'repair' };
  const first = await converge(ports, goal);
  const { drift } = first;
  const found = drift && { drift, left: first.kind === 'ok' && goal.repairs ? [] : drift };
  await reportWebhookDrift(ports, start, found);
  if (first.kind === 'error') return first;
  if (isFirst) logRegistered(ports, first);
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
