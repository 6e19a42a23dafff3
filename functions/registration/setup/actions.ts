import { errorName } from '../../base/basics.ts';
import { describeError, err, ok, type Result } from '../../base/sms-service/request.ts';
import { type Drift, type ServiceWebhook, sendsHere } from '../webhook-drift.ts';
import { reportWebhook, type WebhookFacts } from '../webhook-report.ts';
import { type Converged, converge } from './converge.ts';
import { reportWebhookDrift } from './report-webhook-drift.ts';
import {
  type RotateRequest,
  type SetupFailure,
  type SetupOutcome,
  type SetupPorts,
  serviceFailure,
  type UnconnectedPorts,
} from './request.ts';

/** The service's webhook, or why it could not be read, and the stored document. */
type CurrentWebhook = Pick<WebhookFacts, 'service' | 'document'>;

/**
 * Reports where the service sends events, whether the stored secret is the service's, and the rest of the state. Reads the service and
 * the store, unless the caller has just done so. If the service does not answer, the report says why.
 */
export async function status(ports: SetupPorts, known?: CurrentWebhook): Promise<SetupOutcome> {
  return reportOn(known ?? (await readBothSides(ports)), ports);
}

async function readBothSides({ service, store }: SetupPorts): Promise<CurrentWebhook> {
  const read = await service.read();
  return {
    service: read.kind === 'ok' ? read.value : { failure: describeError(read.error) },
    document: (await store.read())?.document,
  };
}

export async function reportOn(current: CurrentWebhook, ports: UnconnectedPorts): Promise<SetupOutcome> {
  const { webhookUrl } = ports;
  const now = ports.clock();
  const state = await ports.state.read();
  const mismatchesLastHour = await ports.state.mismatchesLastHour(now);
  return ok(reportWebhook({ ...current, webhookUrl, state, mismatchesLastHour }, now));
}

/**
 * Makes the service send events to this pipeline, and stores the secret that signs them. The secret is stored first, so that the first
 * event can be verified. Never rotates. It is idempotent, so it also repairs drift.
 */
export async function register(ports: SetupPorts): Promise<SetupOutcome> {
  const { state, webhookUrl, overlapMs, clock } = ports;
  const start = { at: new Date(clock()).toISOString(), before: await state.read() };
  await state.setDesiredState('registered');
  const outcome = await converge(ports, { webhookUrl, overlapMs, repairs: true });
  const { drift } = outcome;
  await reportWebhookDrift(ports, start, drift && { drift, left: outcome.kind === 'ok' ? [] : drift });
  if (outcome.kind === 'error') return outcome;
  logRegistered(ports, outcome);
  if (!outcome.setUrl) ports.log('WEBHOOK_UNCHANGED');
  if (outcome.setUrl) await applyPendingDeactivation(ports);
  const at = new Date(clock()).toISOString();
  await state.recordReconcile({ at });
  if (start.before.registeredAt === undefined) await state.recordRegistered(at);
  return status(ports, outcome);
}

/** Logs what registering has changed. Another address that is replaced may be that of another pipeline, which needs it. */
export function logRegistered({ log }: SetupPorts, { drift, setUrl }: Converged): void {
  if (drift.includes('url-changed')) log('WEBHOOK_REPLACED');
  if (setUrl) log('WEBHOOK_REGISTERED');
}

/**
 * Makes the service stop sending events to this pipeline. It leaves a webhook with another URL alone: the report's state is then
 * `elsewhere`. The stored secret remains, for requests that are still under way.
 */
export async function deactivate(ports: SetupPorts): Promise<SetupOutcome> {
  const { service, store, state, webhookUrl } = ports;
  // Written before the call: a concurrent run reads it after its own last call.
  await state.setDesiredState('deactivated');
  const read = await service.read();
  if (read.kind === 'error') return err(serviceFailure(read.error));
  let webhook = read.value;
  if (sendsHere(webhook, webhookUrl)) {
    const deactivated = await stopEvents(ports);
    if (deactivated.kind === 'error') return deactivated;
    webhook = deactivated.value;
  } else if (webhook.url !== '') ports.log('WEBHOOK_NOT_OURS');
  return status(ports, { service: webhook, document: (await store.read())?.document });
}

/** Makes the service send no events, and checks its answer: it may keep a URL. */
async function stopEvents({ service, log }: SetupPorts): Promise<Result<ServiceWebhook, SetupFailure>> {
  const set = await service.deactivate();
  if (set.kind === 'error') return err(serviceFailure(set.error));
  if (set.value.url !== '' || set.value.hasWrongSettings !== undefined)
    return err({
      kind: 'unexpected-answer',
      message: 'set webhook: the SMS service answered with a URL that is not empty',
    });
  log('WEBHOOK_DEACTIVATED');
  return set;
}

/**
 * Deactivates the webhook again if a deactivation was requested while this run set the URL. Called after the URL was set: a
 * deactivation stores the desired state before its own calls, so either this run sees it or its calls come later.
 *
 * @returns why it failed; a later run tries again
 */
export async function applyPendingDeactivation(ports: SetupPorts): Promise<SetupFailure | undefined> {
  if ((await ports.state.read()).desiredState !== 'deactivated') return undefined;
  const deactivated = await stopEvents(ports);
  if (deactivated.kind === 'ok') return undefined;
  ports.log('SETUP_FAILED', { action: 'deactivate', kind: deactivated.error.kind });
  return deactivated.error;
}

/** Makes the service create a new signing secret. No event of the service is rejected meanwhile. */
export async function rotate(
  ports: SetupPorts,
  { force, overlap }: Omit<RotateRequest, 'action'>,
): Promise<SetupOutcome> {
  const { service, webhookUrl, overlapMs, requestId, clock } = ports;
  if (!service.rotates) {
    const refused = await service.rotate(webhookUrl);
    return refused.kind === 'error' ? err(serviceFailure(refused.error)) : status(ports);
  }
  const at = new Date(clock()).toISOString();
  const by = `the rotate command (${requestId})`;
  const rotation = { by, force, overlapMs: overlap ? overlapMs : 0 };
  // A person asks for it, so changes made elsewhere are adopted first, even if reconciling only reports them.
  const outcome = await converge(ports, { webhookUrl, overlapMs, repairs: true, rotation });
  if (outcome.kind === 'error') {
    if (!outcome.hasAdopted) return outcome;
    await reportAdopted(ports, at, outcome.drift ?? []);
    const { kind, message } = outcome.error;
    return err({
      kind,
      message: `The secret had been rotated elsewhere; that one is stored now. ${message}`,
    });
  }
  try {
    if (outcome.hasAdopted) await reportAdopted(ports, at, outcome.drift);
    await applyPendingDeactivation(ports);
    return await status(ports, outcome);
  } catch (error) {
    return err({
      kind: 'state-table',
      message: `The secret was rotated, but the state of the webhook could not be read (${errorName(error)}).`,
    });
  }
}

/** Reports a secret that was rotated elsewhere and that this run has stored. @param at when the run began */
async function reportAdopted(ports: SetupPorts, at: string, drift: readonly Drift[]): Promise<void> {
  const { state, clock } = ports;
  const before = await state.read();
  if (before.desiredState !== 'registered') return;
  const left = drift.filter((kind) => kind !== 'secret-rotated');
  await reportWebhookDrift(ports, { at, before }, { drift: [...left, 'secret-rotated'], left });
  await state.recordReconcile({ at: new Date(clock()).toISOString() });
}
