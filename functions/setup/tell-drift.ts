import type { Drift } from '../core/webhook/drift.ts';
import type { WebhookState } from '../core/webhook/webhook-state.ts';
import type { SetupDependencies } from './dependencies.ts';

/**
 * Tells what was changed elsewhere: one log line for each thing the first time it is seen; the metric counts each run that
 * finds any.
 *
 * @param before what was known when the run began; what nobody wanted registered is no drift
 */
export function tellDrift(
  { log, count }: SetupDependencies,
  before: WebhookState,
  drift: readonly Drift[],
  isRepaired: boolean,
): void {
  if (drift.length === 0 || before.wanted !== 'registered') return;
  count('webhookDrifted');
  const known = before.drift?.kinds ?? [];
  for (const kind of drift) if (!known.includes(kind)) log('WEBHOOK_DRIFTED', { kind, isRepaired });
}
