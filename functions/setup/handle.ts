import type { Ports } from '../adapters/sms-service/ports.ts';
import type { WebhookReport } from '../core/webhook/registration.ts';
import { handleCustomResource, parseCustomResourceRequest } from './custom-resource.ts';
import type { SetupFailure } from './outcome.ts';
import { actionNames, isAction, runAction, type SetupPorts } from './run-action.ts';

/** The answer to `{ "action": ... }`; nothing to a custom resource, which is answered at its own address. */
export type SetupAnswer = WebhookReport | { readonly error: SetupFailure } | undefined;

/**
 * Serves CloudFormation's custom resource requests and direct invocations.
 *
 * @param remainingMs until the function is stopped
 */
export async function handle(
  event: unknown,
  remainingMs: number,
  ports: SetupPorts & Ports,
): Promise<SetupAnswer> {
  const request = parseCustomResourceRequest(event);
  if (request !== undefined) {
    await handleCustomResource(request, (action) => runAction(action, ports, remainingMs), ports);
    return undefined;
  }
  const action = typeof event === 'object' && event !== null && 'action' in event ? event.action : undefined;
  if (!isAction(action)) {
    const message = `Expected {"action": ${actionNames.map((name) => `"${name}"`).join(' | ')}}`;
    return { error: { kind: 'unknown-action', message } };
  }
  const outcome = await runAction(action, ports, remainingMs);
  return outcome.ok ? outcome.report : { error: outcome.error };
}
