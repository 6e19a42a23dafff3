import type { BusEvent } from '../core/bus/bus-event.ts';
import { detailTypes } from '../core/bus/detail-types.ts';
import { busEventId } from '../core/bus/event-id.ts';
import type { Drift } from '../core/webhook/drift.ts';
import type { PendingDrift, WebhookState } from '../core/webhook/webhook-state.ts';
import type { SetupDependencies } from './dependencies.ts';

/**
 * Tells what was changed elsewhere: one log line and one event for each thing the first time it is seen; the metric counts each
 * run that finds any. An event is noted before it is published and until the bus has confirmed it, so that what an earlier run
 * could not publish is published now, with the id it was found with. Never throws: what goes wrong is logged, and the run goes on.
 *
 * @param before what was known when the run began; what nobody wanted registered is no drift
 */
export async function tellDrift(
  dependencies: SetupDependencies,
  before: WebhookState,
  drift: readonly Drift[],
  isRepaired: boolean,
): Promise<void> {
  const isFound = drift.length > 0 && before.wanted === 'registered';
  if (isFound) dependencies.count('webhookDrifted');
  const pending = isFound ? await note(dependencies, before, drift, isRepaired) : (before.pendingDrift ?? []);
  await tellPending(pending, dependencies);
}

/** How often a note is tried that another run's came before. */
const mostNotes = 3;

/** @returns all that is to be told */
async function note(
  { state, clock, log }: SetupDependencies,
  before: WebhookState,
  drift: readonly Drift[],
  isRepaired: boolean,
): Promise<readonly PendingDrift[]> {
  const foundAt = new Date(clock()).toISOString();
  let { drift: known, pendingDrift = [] } = before;
  let pending: readonly PendingDrift[] = [];
  let error: string | undefined = 'another run';
  try {
    for (let notes = 0; notes < mostNotes && error !== undefined; notes++) {
      if (notes > 0) ({ drift: known, pendingDrift = [] } = await state.read());
      pending = drift
        .filter((kind) => known?.kinds.includes(kind) !== true)
        .map((kind) => pendingDriftOf(kind, isRepaired, foundAt));
      if (pending.length === 0) return pendingDrift;
      const left = leftOf(known, drift, isRepaired, foundAt);
      if (await state.noteDrift({ left, pending }, known)) error = undefined;
    }
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.name : 'unknown';
  }
  // Told all the same: rather a second time, under another id, than never.
  if (error !== undefined) log('STATE_NOT_WRITTEN', { error });
  for (const { kind } of pending) log('WEBHOOK_DRIFTED', { kind, isRepaired });
  return [...pendingDrift, ...pending];
}

function leftOf(
  known: WebhookState['drift'],
  drift: readonly Drift[],
  isRepaired: boolean,
  foundAt: string,
): WebhookState['drift'] {
  const kinds = isRepaired ? (known?.kinds ?? []).filter((kind) => !drift.includes(kind)) : drift;
  if (kinds.length === 0) return undefined;
  return kinds.join() === known?.kinds.join() ? known : { kinds, since: foundAt };
}

/** Pauses between the tries to publish, in milliseconds. */
const pausesMs = [200, 800];

/** How long it is tried, run by run: as long as a stream keeps its records. */
const mostAgeMs = 24 * 3_600_000;

/** Publishes what is pending, while there is time, and forgets what the bus has confirmed. Never throws. */
export async function tellPending(
  pending: readonly PendingDrift[],
  { bus, state, sleep, clock, deadline, log }: SetupDependencies,
): Promise<void> {
  let left = pending;
  let errors: readonly string[] = ['OutOfTime'];
  for (const pauseMs of [0, ...pausesMs]) {
    if (left.length === 0 || clock() + pauseMs >= deadline) break;
    if (pauseMs > 0) await sleep(pauseMs);
    const outcomes = await bus.publish(left.map(eventOf));
    left = left.filter((_, index) => outcomes[index]?.outcome !== 'published');
    errors = outcomes.flatMap((outcome) => (outcome.outcome === 'published' ? [] : [outcome.error]));
  }
  if (left.length > 0)
    log('DRIFT_NOT_PUBLISHED', { events: left.length, error: [...new Set(errors)].join(', ') });
  const over = pending.filter(
    (detail) => !left.includes(detail) || clock() - Date.parse(detail.foundAt) >= mostAgeMs,
  );
  try {
    await state.forgetPendingDrift(over);
  } catch (error) {
    log('STATE_NOT_WRITTEN', { error: error instanceof Error ? error.name : 'unknown' });
  }
}

function pendingDriftOf(kind: Drift, isRepaired: boolean, foundAt: string): PendingDrift {
  return { version: 1, eventId: busEventId('drift', kind, foundAt), kind, isRepaired, foundAt };
}

function eventOf(detail: PendingDrift): BusEvent {
  return { detailType: detailTypes.webhookDrifted, detail };
}
