import type { WebhookReport } from '../registration/registration.ts';
import type { Ports } from '../runtime/http.ts';
import type { ApiKeyOutcome } from '../sms-service/api-key-store.ts';
import type { CaptureReport } from '../webhook/secret-document.ts';
import { WebhookSecretError } from '../webhook/webhook-secret-store.ts';
import { capture } from './capture.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import { deactivate } from './deactivate.ts';
import { reconcile } from './reconcile.ts';
import { register } from './register.ts';
import {
  type ActionRequest,
  failed,
  parseSetupRequest,
  requestHint,
  type SetupDependencies,
  type SetupFailure,
  type SetupOutcome,
} from './request.ts';
import { rotate } from './rotate.ts';
import { parseSignals, type SignalPorts, takeSignals } from './signals.ts';
import { reportOn, status } from './status.ts';

type UnregisteredPorts = Pick<
  SetupDependencies,
  'store' | 'state' | 'webhookUrl' | 'captureSetting' | 'clock' | 'log'
>;

/**
 * Answers where people enter the webhook in the console of the SMS service: tells what the pipeline knows, and how to do what it
 * cannot. Needs neither the API key nor the service. Never throws.
 */
async function withoutRegistration(
  { action }: ActionRequest,
  ports: UnregisteredPorts,
): Promise<SetupOutcome> {
  if (action !== 'status') return failed('registration-off', whatToDo(ports.webhookUrl));
  try {
    return await reportOn({ service: undefined, document: (await ports.store.read())?.document }, ports);
  } catch (error) {
    const kind = error instanceof WebhookSecretError ? 'secret-store' : 'internal';
    ports.log('SETUP_FAILED', { action, kind });
    if (error instanceof WebhookSecretError) return failed(kind, error.message);
    return failed(
      kind,
      `The ${action} action failed: ${error instanceof Error ? error.name : 'unknown error'}`,
    );
  }
}

function whatToDo(webhookUrl: string): string {
  return `Registration is off (sms:registration): enter or remove ${webhookUrl} in the console of the SMS service, and store the secret that it shows with "webhook store-secret".`;
}

/** What an invocation starts with: the client of the service is made once the API key is known. */
export interface SetupPorts extends Omit<SetupDependencies, 'service' | 'deadline' | 'requestId'> {
  readonly readApiKey: () => Promise<ApiKeyOutcome>;
  /**
   * @param deadline milliseconds since the epoch after which no call goes on
   * @param ended aborted when the invocation has been answered: from then on nothing is sent
   */
  readonly connect: (apiKey: string, deadline: number, ended: AbortSignal) => SetupDependencies['service'];
  /** A signal that aborts after so many milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/** One invocation of the function. */
export interface Invocation {
  readonly requestId: string;
  /** Until the function is stopped. */
  readonly remainingMs: number;
}

/**
 * Runs an action. Never throws and always ends while there is time to tell somebody: a custom resource that does not
 * answer keeps CloudFormation waiting.
 */
export async function runAction(
  request: ActionRequest,
  ports: SetupPorts,
  { requestId, remainingMs }: Invocation,
): Promise<SetupOutcome> {
  const { action } = request;
  const limit = ports.timeoutSignal(Math.floor((remainingMs * 7) / 8));
  const ended = new AbortController();
  const outOfTime = new Promise<SetupOutcome>((resolve) => {
    const message = `The ${action} action ran out of time: the SMS service or AWS was too slow. Run it again.`;
    const end = () => {
      // Lambda freezes what still runs, and lets it go on with the next invocation: it must not rotate then, its mark may be gone.
      ended.abort();
      resolve(failed('out-of-time', message));
    };
    limit.addEventListener('abort', end, { once: true });
  });
  const serviceMs = Math.floor((remainingMs * 3) / 4);
  const performed = perform(request, ports, requestId, serviceMs, ended.signal);
  const outcome = await Promise.race([performed, outOfTime]);
  if (!outcome.ok) {
    ports.log('SETUP_FAILED', { action, kind: outcome.error.kind });
    if (action === 'reconcile') ports.count('reconcileFailed');
  }
  return outcome;
}

async function perform(
  request: ActionRequest,
  ports: SetupPorts,
  requestId: string,
  serviceMs: number,
  ended: AbortSignal,
): Promise<SetupOutcome> {
  try {
    const deadline = ports.clock() + serviceMs;
    const key = await ports.readApiKey();
    if (!key.ok) return await withoutKey(request, ports, { kind: key.kind, message: key.message });
    const service = ports.connect(key.apiKey, deadline, ended);
    return await act(request, { ...ports, service, deadline, requestId });
  } catch (error) {
    if (error instanceof WebhookSecretError) return failed('secret-store', error.message);
    // Whatever it is, its message is not ours and may quote anything.
    const name = error instanceof Error ? error.name : 'unknown error';
    return failed('internal', `The ${request.action} action failed: ${name}`);
  }
}

/** What can be done and told without asking the service. */
async function withoutKey(
  { action }: ActionRequest,
  { store, state, webhookUrl, captureSetting, clock }: SetupPorts,
  failure: SetupFailure,
): Promise<SetupOutcome> {
  // Before anything can fail: a later run follows it.
  if (action === 'deactivate') await state.setWanted('deactivated');
  const document = (await store.read())?.document;
  if (action === 'status')
    return reportOn(
      { service: { failure: failure.message }, document },
      { state, webhookUrl, captureSetting, clock },
    );
  const known = await state.read();
  // Nothing is to be done there either: the key may be gone for good.
  if (action === 'reconcile' && known.wanted === 'deactivated' && document?.rotating === undefined)
    return reportOn(
      { service: { failure: failure.message }, document },
      { state, webhookUrl, captureSetting, clock },
    );
  if (action === 'reconcile')
    await state.recordReconcile({ at: new Date(clock()).toISOString(), failure: failure.kind });
  return failed(failure.kind, failure.message);
}

function act(request: ActionRequest, dependencies: SetupDependencies): Promise<SetupOutcome> {
  switch (request.action) {
    case 'status':
      return status(dependencies);
    case 'register':
      return register(dependencies);
    case 'deactivate':
      return deactivate(dependencies);
    case 'reconcile':
      return reconcile(dependencies);
    case 'rotate':
      return rotate(dependencies, request);
  }
}

/** The answer to a direct invocation; nothing to the others: a custom resource is answered at its own address. */
export type SetupAnswer = WebhookReport | CaptureReport | { readonly error: SetupFailure } | undefined;

export type HandlePorts = SetupPorts &
  Ports &
  SignalPorts & {
    /** Off where people enter the webhook at the service: then the service is never asked. */
    readonly registration: 'on' | 'off';
  };

/** Serves CloudFormation's custom resource requests, batches of the signals queue, the schedule and direct invocations. */
export async function handle(
  event: unknown,
  invocation: Invocation,
  ports: HandlePorts,
): Promise<SetupAnswer> {
  const run = (request: ActionRequest) =>
    ports.registration === 'on' ? runAction(request, ports, invocation) : withoutRegistration(request, ports);
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
  if (request.action === 'capture') return capture(request, ports);
  const outcome = await run(request);
  return outcome.ok ? outcome.report : { error: outcome.error };
}
