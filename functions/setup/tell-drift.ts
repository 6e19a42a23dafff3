import type { BusEvent } from '../core/bus/bus-event.ts';
import { detailTypes } from '../core/bus/detail-types.ts';
import { busEventId } from '../core/bus/event-id.ts';
import type { Drift } from '../core/webhook/drift.ts';
import type { WebhookState } from '../core/webhook/webhook-state.ts';
import type { SetupDependencies } from './dependencies.ts';

/**
 * Tells what was changed elsewhere: one log line and one event for each thing the first time it is seen; the metric counts each
 * run that finds any. Never throws: what cannot be published is logged, and the run goes on.
 *
 * @param before what was known when the run began; what nobody wanted registered is no drift
 */
export async function tellDrift(
  dependencies: SetupDependencies,
  before: WebhookState,
  drift: readonly Drift[],
  isRepaired: boolean,
): Promise<void> {
  const { log, count, clock } = dependencies;
  if (drift.length === 0 || before.wanted !== 'registered') return;
  count('webhookDrifted');
  const known = before.drift?.kinds ?? [];
  const fresh = drift.filter((kind) => !known.includes(kind));
  for (const kind of fresh) log('WEBHOOK_DRIFTED', { kind, isRepaired });
  const foundAt = new Date(clock()).toISOString();
  await publish(
    fresh.map((kind) => driftEvent(kind, isRepaired, foundAt)),
    dependencies,
  );
}

/** Pauses between the tries to publish, in milliseconds. */
const pausesMs = [200, 800];

async function publish(
  events: readonly BusEvent[],
  { bus, sleep, clock, deadline, log }: SetupDependencies,
): Promise<void> {
  let left = events;
  const pauses = pausesMs.values();
  while (left.length > 0) {
    const outcomes = await bus.publish(left);
    left = left.filter((_, index) => outcomes[index]?.outcome !== 'published');
    if (left.length === 0) return;
    const pause = pauses.next().value;
    if (pause === undefined || clock() + pause >= deadline) {
      const errors = outcomes.flatMap((outcome) => (outcome.outcome === 'published' ? [] : [outcome.error]));
      log('DRIFT_NOT_PUBLISHED', { events: left.length, error: [...new Set(errors)].join(', ') });
      return;
    }
    await sleep(pause);
  }
}

function driftEvent(kind: Drift, isRepaired: boolean, foundAt: string): BusEvent {
  return {
    detailType: detailTypes.webhookDrifted,
    detail: { version: 1, eventId: busEventId('drift', kind, foundAt), kind, isRepaired, foundAt },
  };
}
