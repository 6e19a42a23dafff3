import type { Ports } from '../adapters/sms-service/ports.ts';
import type { WebhookReport } from '../core/webhook/registration.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import type { SetupFailure } from './outcome.ts';
import { parseSetupRequest, requestHint } from './request.ts';
import { type Invocation, runAction, type SetupPorts } from './run-action.ts';
import { parseSignals, type SignalPorts, takeSignals } from './signals.ts';

/** The answer to a direct invocation; nothing to the others: a custom resource is answered at its own address. */
export type SetupAnswer = WebhookReport | { readonly error: SetupFailure } | undefined;

/** Serves CloudFormation's custom resource requests, batches of the signals queue, the schedule and direct invocations. */
export async function handle(
  event: unknown,
  invocation: Invocation,
  ports: SetupPorts & Ports & SignalPorts,
): Promise<SetupAnswer> {
  const resourceRequest = parseCustomResourceRequest(event);
  if (resourceRequest !== undefined) {
    await handleCustomResource(resourceRequest, (action) => runAction({ action }, ports, invocation), ports);
    return undefined;
  }
  const signals = parseSignals(event);
  if (signals !== undefined) {
    if (await takeSignals(signals, ports)) await runAction({ action: 'reconcile' }, ports, invocation);
    return undefined;
  }
  const request = parseSetupRequest(event);
  if (request === undefined) return { error: { kind: 'unknown-action', message: requestHint } };
  const outcome = await runAction(request, ports, invocation);
  return outcome.ok ? outcome.report : { error: outcome.error };
}
