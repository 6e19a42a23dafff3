import type { Ports } from '../adapters/sms-service/ports.ts';
import type { CaptureReport } from '../core/webhook/capture.ts';
import type { WebhookReport } from '../core/webhook/registration.ts';
import { capture } from './capture.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import type { SetupFailure } from './outcome.ts';
import { type ActionRequest, parseSetupRequest, requestHint } from './request.ts';
import { type Invocation, runAction, type SetupPorts } from './run-action.ts';
import { parseSignals, type SignalPorts, takeSignals } from './signals.ts';
import { withoutRegistration } from './without-registration.ts';

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
