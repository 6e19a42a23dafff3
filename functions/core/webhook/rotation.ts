import { isSameUrl, needsRegistration, type ServiceWebhook } from './registration.ts';
import { markLeadMs, rotationLimitMs } from './rotation-timing.ts';
import {
  type RotationMark,
  type SecretDocument,
  withMark,
  withNewSecret,
  withoutMark,
} from './secret-document.ts';

/**
 * The rotation protocol, pure: from what is stored and what the service says, what to do next. A run looks at both anew
 * before each step, stores only what replaces the version it has seen, and may end after any step: the next run goes on from
 * what it finds. docs/rotation.md draws it.
 */

/** What a run is to bring about. */
export interface Goal {
  readonly webhookUrl: string;
  /** How long a secret that is replaced without a mark stays accepted, in milliseconds. */
  readonly overlapMs: number;
  /** Whether what somebody changed elsewhere is put right; what this pipeline began itself always is. */
  readonly repairs: boolean;
  /** A rotation that is to be made. */
  readonly rotation?: RotationRequest;
}

export interface RotationRequest {
  /** Names this run and no other. */
  readonly by: string;
  /** Also while the secret before the current one is still accepted. */
  readonly force: boolean;
  /** How long the replaced secret stays accepted, in milliseconds; 0 drops it at once. */
  readonly overlapMs: number;
}

/** How far the rotation of this run has come. */
export type RotationProgress =
  | { readonly at: 'not-begun' }
  /** The mark is stored. */
  | { readonly at: 'marked'; readonly replaces: string }
  /** The service was asked to rotate: it did, it refused, or nobody knows. */
  | { readonly at: 'asked'; readonly replaces: string; readonly answer: 'done' | 'refused' | 'unknown' };

/** What a run sees before a step. */
export interface Situation {
  readonly document: SecretDocument | undefined;
  readonly service: ServiceWebhook;
  readonly progress: RotationProgress;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Why the document is stored anew. */
export type StoreReason =
  /** The first secret. */
  | 'first-secret'
  /** The service's secret changed under a mark: somebody's rotation is over. */
  | 'rotation-finished'
  /** The service's secret changed without a mark: somebody rotated it elsewhere. */
  | 'secret-rotated-elsewhere'
  /** A mark stood too long and the service's secret is still the old one. */
  | 'rotation-abandoned'
  | 'rotation-begun'
  | 'rotation-refused';

export type RotationFailure =
  /** Another run rotates. */
  | { readonly kind: 'rotation-under-way'; readonly since: string; readonly by: string }
  /** The secret before the current one is still accepted. */
  | { readonly kind: 'overlap'; readonly validUntil: string }
  /** The service does not send to this pipeline. */
  | { readonly kind: 'not-registered' }
  /** The service refused. */
  | { readonly kind: 'refused' }
  /** The service answered as if it had rotated, and its secret is the same. */
  | { readonly kind: 'not-rotated' }
  /** This run's mark is gone and the secret is the same: it took too long and was given up by another run. */
  | { readonly kind: 'overtaken' };

export type Step =
  | { readonly do: 'store'; readonly document: SecretDocument; readonly reason: StoreReason }
  | { readonly do: 'pause'; readonly ms: number }
  | { readonly do: 'set-webhook'; readonly rotates: boolean }
  /** Nobody knows yet whether the service rotated: look again, or leave the mark to the next run. */
  | { readonly do: 'look-again' }
  | { readonly do: 'end'; readonly rotated: boolean }
  | { readonly do: 'fail'; readonly failure: RotationFailure };

/** Decides the next step. What the service's secret tells comes first, then the rotation, then the URL. */
export function nextStep(situation: Situation, goal: Goal): Step {
  const { document, service, now } = situation;
  const settled = settle(document, service.secret, now, goal);
  if (settled !== undefined) return settled;
  const { rotation } = goal;
  if (rotation !== undefined) return nextRotationStep(situation, goal, rotation);
  if (goal.repairs && needsRegistration(service, goal.webhookUrl))
    return { do: 'set-webhook', rotates: false };
  return { do: 'end', rotated: false };
}

/** What is to be stored because of what the service's secret is; undefined where nothing is. */
function settle(
  document: SecretDocument | undefined,
  serviceSecret: string,
  now: number,
  goal: Goal,
): Step | undefined {
  if (serviceSecret === '') return undefined;
  const store = (next: SecretDocument, reason: StoreReason): Step => ({ do: 'store', document: next, reason });
  if (document === undefined)
    return goal.repairs
      ? store(withNewSecret(undefined, serviceSecret, now, goal.overlapMs), 'first-secret')
      : undefined;
  const { rotating } = document;
  if (document.current.secret !== serviceSecret) {
    if (rotating !== undefined)
      return store(withNewSecret(document, serviceSecret, now, rotating.overlapMs), 'rotation-finished');
    return goal.repairs
      ? store(withNewSecret(document, serviceSecret, now, goal.overlapMs), 'secret-rotated-elsewhere')
      : undefined;
  }
  if (rotating !== undefined && isOverdue(rotating, now))
    return store(withoutMark(document), 'rotation-abandoned');
  return undefined;
}

/** The service's secret is the stored current one here, or it tells none. */
function nextRotationStep(
  { document, service, progress, now }: Situation,
  goal: Goal,
  rotation: RotationRequest,
): Step {
  const fail = (failure: RotationFailure): Step => ({ do: 'fail', failure });
  if (progress.at !== 'not-begun' && document !== undefined) {
    const isOurs = document.rotating?.by === rotation.by;
    // Another run may have stored the new secret for us.
    if (document.current.secret !== progress.replaces) return { do: 'end', rotated: true };
    if (progress.at === 'asked' && progress.answer !== 'unknown') {
      if (isOurs) return { do: 'store', document: withoutMark(document), reason: 'rotation-refused' };
      return fail({ kind: progress.answer === 'refused' ? 'refused' : 'not-rotated' });
    }
    if (!isOurs) return fail({ kind: 'overtaken' });
    if (progress.at === 'asked') return { do: 'look-again' };
    const leadMs = Date.parse(document.rotating.since) + markLeadMs - now;
    return leadMs > 0 ? { do: 'pause', ms: leadMs } : { do: 'set-webhook', rotates: true };
  }
  if (document === undefined || service.secret === '' || !isSameUrl(service.url, goal.webhookUrl))
    return fail({ kind: 'not-registered' });
  const { rotating, previous } = document;
  if (rotating !== undefined)
    return fail({ kind: 'rotation-under-way', since: rotating.since, by: rotating.by });
  if (!rotation.force && previous !== undefined && now < Date.parse(previous.validUntil))
    return fail({ kind: 'overlap', validUntil: previous.validUntil });
  const { by, overlapMs } = rotation;
  const marked = withMark(document, { since: new Date(now).toISOString(), by, overlapMs });
  return { do: 'store', document: marked, reason: 'rotation-begun' };
}

function isOverdue(mark: RotationMark, now: number): boolean {
  return now >= Date.parse(mark.since) + rotationLimitMs;
}
