import type { BusEvent } from '../bus/details.ts';
import { busEventId, detailTypes } from '../bus/event-types.ts';
import type { PendingDrift, WebhookState } from '../registration/webhook-state-store.ts';
import { type Drift, driftKinds } from '../webhook/webhook-drift.ts';
import type { SetupDependencies } from './request.ts';

/** A run, as it began. */
export interface RunStart {
  /** ISO 8601; before it looked at the service. */
  readonly at: string;
  /** What was known; what nobody wanted registered is no drift. */
  readonly before: WebhookState;
}

/** What a run found changed elsewhere, and what of it was left so. */
export interface FoundDrift {
  readonly drift: readonly Drift[];
  readonly left: readonly Drift[];
}

/**
 * Notes what was changed elsewhere, and tells it: one log line and one event for each thing the first time it is seen; the metric
 * counts each run that finds any. An event is noted before it is published and until the bus has confirmed it, so that what an
 * earlier run could not publish is published now, with the id it was found with. Never throws: what goes wrong is logged, and the
 * run goes on.
 *
 * @param found undefined where the run could not look: what was changed is still so, as far as anybody knows
 */
export async function reportWebhookDrift(
  dependencies: SetupDependencies,
  start: RunStart,
  found: FoundDrift | undefined,
): Promise<void> {
  const { wanted, pendingDrift = [] } = start.before;
  const drifted = wanted === 'registered' ? found : found && { drift: [], left: [] };
  if (drifted !== undefined && drifted.drift.length > 0) dependencies.count('webhookDrifted');
  const pending = drifted === undefined ? pendingDrift : await note(dependencies, start, drifted);
  await tellPending(pending, dependencies);
}

/** How often a note is tried that another run's came before. */
const mostNotes = 3;

/** @returns all that is to be told */
async function note(
  { state, clock, log }: SetupDependencies,
  { at, before }: RunStart,
  found: FoundDrift,
): Promise<readonly PendingDrift[]> {
  const foundAt = new Date(clock()).toISOString();
  let known = before;
  let pending: readonly PendingDrift[] = [];
  let error: string | undefined = 'another run';
  try {
    for (let notes = 0; notes < mostNotes && error !== undefined; notes++) {
      if (notes > 0) known = await state.read();
      pending = found.drift
        .filter((kind) => !isTold(kind, known, at))
        .map((kind) => pendingDriftOf(kind, !found.left.includes(kind), foundAt));
      // What another run has noted meanwhile stays: it has looked later, or at something else.
      const kinds = notes === 0 ? found.left : withNoted(found, known);
      const isSame = kinds.join() === (known.drift?.kinds ?? []).join();
      if (pending.length === 0 && (isSame || notes > 0)) return known.pendingDrift ?? [];
      const changed = kinds.length === 0 ? undefined : { kinds, since: foundAt };
      const left = isSame ? known.drift : changed;
      if (await state.noteDrift({ left, pending }, known.drift, at)) error = undefined;
    }
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.name : 'unknown';
  }
  // Told all the same: rather a second time, under another id, than never.
  if (error !== undefined) log('STATE_NOT_WRITTEN', { error });
  for (const { kind, isRepaired } of pending) log('WEBHOOK_DRIFTED', { kind, isRepaired });
  return [...(known.pendingDrift ?? []), ...pending];
}

/** Known as left so, or found by another run that was under way at the same time and has put it right. */
function isTold(kind: Drift, { drift, lastTold = {} }: WebhookState, startedAt: string): boolean {
  return drift?.kinds.includes(kind) === true || (lastTold[kind] ?? '') >= startedAt;
}

function withNoted({ drift, left }: FoundDrift, known: WebhookState): readonly Drift[] {
  const noted = (known.drift?.kinds ?? []).filter((kind) => !drift.includes(kind));
  return driftKinds.filter((kind) => left.includes(kind) || noted.includes(kind));
}

/** Pauses between the tries to publish, in milliseconds. */
const pausesMs = [200, 800];

/** How long it is tried, run by run: as long as a stream keeps its records. */
const mostAgeMs = 24 * 3_600_000;

/** Publishes what is pending, while there is time, and forgets what the bus has confirmed or will never take. Never throws. */
async function tellPending(
  pending: readonly PendingDrift[],
  { bus, state, sleep, clock, deadline, log }: SetupDependencies,
): Promise<void> {
  let left = pending;
  let errors: readonly string[] = ['OutOfTime'];
  const refusals: string[] = [];
  for (const pauseMs of [0, ...pausesMs]) {
    if (left.length === 0 || clock() + pauseMs >= deadline) break;
    if (pauseMs > 0) await sleep(pauseMs);
    const outcomes = await bus.publish(left.map(eventOf), () => clock() < deadline);
    left = left.filter((_, index) => (outcomes[index]?.kind ?? 'failed') === 'failed');
    errors = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome.error] : []));
    refusals.push(...outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.error] : [])));
  }
  const events = left.length + refusals.length;
  if (events > 0)
    log('DRIFT_NOT_PUBLISHED', { events, error: [...new Set([...refusals, ...errors])].join(', ') });
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
