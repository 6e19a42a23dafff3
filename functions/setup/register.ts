import { converge } from './converge.ts';
import { applyPendingDeactivation } from './deactivate.ts';
import { reportWebhookDrift } from './report-webhook-drift.ts';
import type { SetupDependencies, SetupOutcome } from './request.ts';
import { status } from './status.ts';

/**
 * Makes the service send events to us and stores the secret it signs them with: the secret first, so that the first event
 * can be verified. Never rotates. Doing it again changes nothing, so it is also the repair of whatever has drifted.
 */
export async function register(dependencies: SetupDependencies): Promise<SetupOutcome> {
  const { state, webhookUrl, overlapMs, log, clock } = dependencies;
  const start = { at: new Date(clock()).toISOString(), before: await state.read() };
  await state.setWanted('registered');
  const outcome = await converge(dependencies, { webhookUrl, overlapMs, repairs: true });
  const { drift } = outcome;
  await reportWebhookDrift(dependencies, start, drift && { drift, left: outcome.ok ? [] : drift });
  if (!outcome.ok) return outcome;
  if (outcome.drift.includes('url-changed')) log('WEBHOOK_REPLACED');
  log(outcome.setUrl ? 'WEBHOOK_REGISTERED' : 'WEBHOOK_UNCHANGED');
  if (outcome.setUrl) await applyPendingDeactivation(dependencies);
  await state.recordReconcile({ at: new Date(clock()).toISOString() });
  return status(dependencies, outcome);
}
