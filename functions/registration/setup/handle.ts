import { err } from '../../base/sms-service/request.ts';
import { invocationLimitMs } from '../secret/secret-document.ts';
import type { WebhookReport } from '../webhook-report.ts';
import { deactivate, register, reportOn, rotate, status } from './actions.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import { reconcile } from './reconcile.ts';
import {
  type ActionRequest,
  parseSetupRequest,
  requestHint,
  type SetupFailure,
  type SetupOutcome,
  thrownFailure,
  type UnconnectedPorts,
} from './request.ts';
import { callService } from './service-call.ts';
import { parseSignals, takeSignals } from './signals.ts';

/** The answer to a direct invocation. The others get none: a custom resource is answered at its own URL. */
export type SetupAnswer =
  | WebhookReport
  | { readonly answer: unknown }
  | { readonly error: SetupFailure }
  | undefined;

/** Serves CloudFormation's custom resource requests, batches of the signals queue, the schedule and direct invocations. */
export async function handle(event: unknown, ports: UnconnectedPorts): Promise<SetupAnswer> {
  const resourceRequest = parseCustomResourceRequest(event);
  if (resourceRequest !== undefined) {
    await handleCustomResource(resourceRequest, (action) => runAction({ action }, ports), ports);
    return undefined;
  }
  const signals = parseSignals(event);
  if (signals !== undefined) {
    if (await takeSignals(signals, ports)) await runAction({ action: 'reconcile' }, ports);
    return undefined;
  }
  const request = parseSetupRequest(event);
  if (request === undefined) return { error: { kind: 'unknown-action', message: requestHint } };
  if (request.action === 'call') return callService(request, ports);
  const outcome = await runAction(request, ports);
  return outcome.kind === 'ok' ? outcome.value : { error: outcome.error };
}

/** The deadline leaves this much of an invocation, in milliseconds: a step that has begun ends, and the outcome is stored. */
export const reservedMs = invocationLimitMs / 4;

/** An action that still runs this long before the invocation ends, in milliseconds, is answered as out of time. */
const answerMs = invocationLimitMs / 8;

/**
 * Runs an action. Never throws, and always ends while there is time to answer: a custom resource without an answer keeps
 * CloudFormation waiting.
 */
export async function runAction(request: ActionRequest, ports: UnconnectedPorts): Promise<SetupOutcome> {
  if (ports.registration === 'off') return runWithoutRegistration(request, ports);
  const { action } = request;
  const limit = ports.timeoutSignal(Math.max(0, ports.deadline.remainingMs() + reservedMs - answerMs));
  const ended = new AbortController();
  const outOfTime = new Promise<SetupOutcome>((resolve) => {
    const message = `The ${action} action ran out of time: the SMS service or AWS was too slow. Run it again.`;
    const end = () => {
      // Lambda freezes the process, and it goes on with the next invocation. It must not rotate then: its mark may be gone.
      ended.abort();
      resolve(err({ kind: 'out-of-time', message }));
    };
    limit.addEventListener('abort', end, { once: true });
  });
  const outcome = await Promise.race([runWithoutLimit(request, ports, ended.signal), outOfTime]);
  if (outcome.kind === 'error') {
    ports.log('SETUP_FAILED', { action, kind: outcome.error.kind });
    // An operator who has not stored the first secret yet has not finished the setup: nothing is broken.
    const isUnfinished = outcome.error.kind === 'secret-missing';
    if (action === 'reconcile' && !isUnfinished) ports.count('reconcileFailed');
  }
  return outcome;
}

/** @param ended aborted once the action is answered: from then on nothing is sent to the service */
async function runWithoutLimit(
  request: ActionRequest,
  unconnected: UnconnectedPorts,
  ended: AbortSignal,
): Promise<SetupOutcome> {
  try {
    const key = await unconnected.readApiKey();
    if (key.kind === 'error') return await runWithoutKey(request, unconnected, key.error);
    const ports = { ...unconnected, service: unconnected.connect(key.value, ended) };
    switch (request.action) {
      case 'status':
        return await status(ports);
      case 'register':
        return await register(ports);
      case 'deactivate':
        return await deactivate(ports);
      case 'reconcile':
        return await reconcile(ports);
      case 'rotate':
        return await rotate(ports, request);
    }
  } catch (error) {
    return err(thrownFailure(request.action, error));
  }
}

/** Does the part of an action that needs no call of the service. */
async function runWithoutKey(
  { action }: ActionRequest,
  ports: UnconnectedPorts,
  failure: SetupFailure,
): Promise<SetupOutcome> {
  const { store, state, clock } = ports;
  // A later run follows it, so it is written before anything can fail.
  if (action === 'deactivate') await state.setDesiredState('deactivated');
  if (action === 'register') await state.setDesiredState('registered');
  const document = (await store.read())?.document;
  const report = () => reportOn({ service: { failure: failure.message }, document }, ports);
  if (action === 'status') return report();
  if (action === 'reconcile') {
    const { desiredState } = await state.read();
    // After a deactivation the key may be gone for good, and there is nothing left to do.
    if (desiredState === 'deactivated' && document?.rotating === undefined) return report();
    await state.recordReconcile({ at: new Date(clock()).toISOString(), failure: failure.kind });
  }
  return err(failure);
}

/**
 * Answers while people enter the webhook in the console of the SMS service. It reports the stored facts, and for the other actions it
 * says what to do by hand. It needs neither the API key nor the service. Never throws.
 */
async function runWithoutRegistration(
  { action }: ActionRequest,
  ports: UnconnectedPorts,
): Promise<SetupOutcome> {
  const { webhookUrl, store, log } = ports;
  if (action !== 'status')
    return err({
      kind: 'registration-off',
      message: `Registration is off (sms:registration): enter or remove ${webhookUrl} in the console of the SMS service, and store the secret that it shows with "webhook store-secret".`,
    });
  try {
    return await reportOn({ service: undefined, document: (await store.read())?.document }, ports);
  } catch (error) {
    const failure = thrownFailure(action, error);
    log('SETUP_FAILED', { action, kind: failure.kind });
    return err(failure);
  }
}
