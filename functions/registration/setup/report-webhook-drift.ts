import { mainSource } from '../../../contract/events/source-id.ts';
import { errorName } from '../../base/basics.ts';
import { busEventId } from '../../publish/index.ts';
import { type BusEvent, detailTypes } from '../../publish/shapes.ts';
import type { Drift } from '../webhook-drift.ts';
import type { WebhookState } from '../webhook-state-store.ts';
import type { SetupPorts } from './request.ts';

export interface RunStart {
  /** When the run began, before it read anything; ISO 8601. */
  readonly at: string;
  /** The state that the run has read. There is drift only after the webhook was registered. */
  readonly before: WebhookState;
}

/** The changes made elsewhere that a run has found, and those that it has left as they are. */
export interface FoundDrift {
  readonly drift: readonly Drift[];
  readonly left: readonly Drift[];
}

/**
 * Reports changes made elsewhere. A change is reported once, by the run that finds it first: with one log line and one event. The metric
 * counts every run that finds a change. Never throws: a failure is logged, and the run goes on.
 *
 * @param found undefined if the run could not compare; then the noted drift remains
 */
export async function reportWebhookDrift(
  ports: SetupPorts,
  { at, before }: RunStart,
  found: FoundDrift | undefined,
): Promise<void> {
  if (found === undefined) return;
  const { drift, left } = before.registeredAt === undefined ? { drift: [], left: [] } : found;
  if (drift.length > 0) ports.count('webhookDrifted');
  const noted = before.drift?.kinds ?? [];
  const isNotedAsLeft = left.join() === noted.join();
  const isNew = drift.filter((kind) => !noted.includes(kind));
  if (isNotedAsLeft && isNew.length === 0) return;

  const foundAt = new Date(ports.clock()).toISOString();
  const changed = left.length === 0 ? undefined : { kinds: left, since: foundAt };
  if (!(await note(isNotedAsLeft ? before.drift : changed, at, foundAt, ports))) return;
  const events = isNew.map((kind) => {
    const isRepaired = !left.includes(kind);
    ports.log('WEBHOOK_DRIFTED', { kind, isRepaired });
    const ofSource = ports.source === mainSource ? {} : { source: ports.source };
    const eventId = busEventId('drift', ...Object.values(ofSource), kind, foundAt);
    const detail = { version: 1 as const, eventId, ...ofSource, kind, isRepaired, foundAt };
    return { detailType: detailTypes.webhookDrifted, detail };
  });
  await publish(events, ports);
}

/** @returns false if another run has noted drift since this one began: then that run reports */
async function note(
  left: WebhookState['drift'],
  startedAt: string,
  notedAt: string,
  { state, log }: SetupPorts,
): Promise<boolean> {
  try {
    return await state.noteDrift(left, startedAt, notedAt);
  } catch (error) {
    // A second report is better than none.
    log('STATE_NOT_WRITTEN', { error: errorName(error) });
    return true;
  }
}

const retryPausesMs = [200, 800];

/** Publishes events while there is time. It keeps none for the next run: what the bus does not confirm is logged. */
async function publish(
  events: readonly BusEvent[],
  { bus, sleep, deadline, log }: SetupPorts,
): Promise<void> {
  const errors = new Map(events.map((event) => [event, 'OutOfTime']));
  let pending = events;
  for (const pauseMs of [0, ...retryPausesMs]) {
    if (pending.length === 0 || deadline.remainingMs() <= pauseMs) break;
    if (pauseMs > 0) await sleep(pauseMs);
    const outcomes = await bus.publish(pending, deadline);
    for (const [index, event] of pending.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kind === 'published') errors.delete(event);
      else errors.set(event, outcome?.error ?? 'NoAnswer');
    }
    pending = pending.filter((_, index) => outcomes[index]?.kind === 'failed');
  }
  if (errors.size > 0)
    log('DRIFT_NOT_PUBLISHED', { events: errors.size, error: [...new Set(errors.values())].join(', ') });
}
