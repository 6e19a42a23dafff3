import { err } from '../../base/sms-service/request.ts';
import type { WebhookReport } from '../registration/webhook-report.ts';
import { invocationLimitMs } from '../secret/secret-document.ts';
import { deactivate, register, reportOn, rotate, status } from './actions.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import { reconcile } from './reconcile.ts';
import {
  type ActionRequest,
  parseSetupRequest,
  requestHint,
  type SetupFailure,
  type SetupOutcome,
  type SetupPorts,
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
  const run = (request: ActionRequest) =>
    ports.registration === 'on' ? runAction(request, ports) : withoutRegistration(request, ports);
  const resourceRequest = parseCustomResourceRequest(event);
  if (resourceRequest !== undefined) {
    await handleCustomResource(resourceRequest, (action) => run({ action }), ports);
    return undefined;
  }
  const signals = parseSignals(event);
  if (signals !== undefined) {
    if (await takeSignals(signals, ports)) await run({ action: 'reconcile' });
    return undefined;
  }
  const request = parseSetupRequest(event);
  if (request === undefined) return { error: { kind: 'unknown-action', message: requestHint } };
  if (request.action === 'call') return callService(request, ports);
  const outcome = await run(request);
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
  const outcome = await Promise.race([perform(request, ports, ended.signal), outOfTime]);
  if (outcome.kind === 'error') {
    ports.log('SETUP_FAILED', { action, kind: outcome.error.kind });
    if (action === 'reconcile') ports.count('reconcileFailed');
  }
  return outcome;
}

async function perform(
  request: ActionRequest,
  ports: UnconnectedPorts,
  ended: AbortSignal,
): Promise<SetupOutcome> {
  try {
    const key = await ports.readApiKey();
    if (key.kind === 'error') return await withoutKey(request, ports, key.error);
    return await act(request, { ...ports, service: ports.connect(key.value, ended) });
  } catch (error) {
    return err(thrownFailure(request.action, error));
  }
}

function act(request: ActionRequest, ports: SetupPorts): Promise<SetupOutcome> {
  switch (request.action) {
    case 'status':
      return status(ports);
    case 'register':
      return register(ports);
    case 'deactivate':
      return deactivate(ports);
    case 'reconcile':
      return reconcile(ports);
    case 'rotate':
      return rotate(ports, request);
  }
}

/** Does the part of an action that needs no call of the service. */
async function withoutKey(
  { action }: ActionRequest,
  ports: UnconnectedPorts,
  failure: SetupFailure,
): Promise<SetupOutcome> {
  const { store, state, clock } = ports;
  // A later run follows it, so it is written before anything can fail.
  if (action === 'deactivate') await state.setWanted('deactivated');
  if (action === 'register') await state.setWanted('registered');
  const document = (await store.read())?.document;
  const report = () => reportOn({ service: { failure: failure.message }, document }, ports);
  if (action === 'status') return report();
  if (action === 'reconcile') {
    const { wanted } = await state.read();
    // After a deactivation the key may be gone for good, and there is nothing left to do.
    if (wanted === 'deactivated' && document?.rotating === undefined) return report();
    await state.recordReconcile({ at: new Date(clock()).toISOString(), failure: failure.kind });
  }
  return err(failure);
}

/**
 * Answers while people enter the webhook in the console of the SMS service. It reports the stored facts, and for the other actions it
 * says what to do by hand. It needs neither the API key nor the service. Never throws.
 */
async function withoutRegistration(
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
