import {
  markLeadMs,
  type RotationMark,
  rotationLimitMs,
  type SecretDocument,
  wasReplaced,
  withMark,
  withNewSecret,
  withoutMark,
} from '../webhook/secret-document.ts';
import { isSameUrl, type ServiceWebhook } from '../webhook/webhook-drift.ts';
import { needsRegistration } from './registration.ts';

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
  /** Also while the secret before the current one is still accepted, and where the service shows a secret that was replaced. */
  readonly force: boolean;
  /** How long the replaced secret stays accepted, in milliseconds; 0 drops it at once. */
  readonly overlapMs: number;
}

/** How far the rotation of this run has come. */
export type RotationProgress =
  | { readonly at: 'not-begun' }
  /** The mark is stored, and was so at the latest at this time; milliseconds since the epoch. */
  | { readonly at: 'marked'; readonly replaces: string; readonly storedAt: number }
  /** The service was asked to rotate: it says that it did, it refused, or nobody knows whether it did or still will. */
  | { readonly at: 'asked'; readonly replaces: string; readonly answer: 'done' | 'refused' | 'unknown' };

/** What a run sees before a step. */
export interface Situation {
  readonly document: SecretDocument | undefined;
  readonly service: ServiceWebhook;
  readonly progress: RotationProgress;
  /** When the service was asked what it says; milliseconds since the epoch. */
  readonly askedAt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Why the document is stored anew. */
export type StoreReason =
  /** The first secret. */
  | 'first-secret'
  /** The service's secret changed without a mark: somebody rotated it elsewhere. */
  | 'secret-rotated-elsewhere'
  /** The service's secret changed under a mark that this run may not remove: it stands until it is overdue. */
  | 'new-secret-under-mark'
  /** A mark stood too long: the run that set it is dead, and nothing can come of it any more. */
  | 'mark-overdue'
  | 'rotation-begun'
  | 'rotation-finished'
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
  /** This run's mark is gone and the secret is the same: it took too long and was given up by another run. */
  | { readonly kind: 'overtaken' };

export type Step =
  | { readonly do: 'store'; readonly document: SecretDocument; readonly reason: StoreReason }
  | { readonly do: 'pause'; readonly ms: number }
  | { readonly do: 'set-webhook'; readonly rotates: boolean }
  /**
   * What the service says decides nothing yet: it may still rotate, or it shows a secret that was replaced before and the run may not
   * have it replaced again. The run looks again, or leaves what it finds to the next run.
   */
  | { readonly do: 'look-again' }
  | { readonly do: 'end' }
  | { readonly do: 'fail'; readonly failure: RotationFailure };

/** Decides the next step. What the service's secret tells comes first, then the rotation, then the URL. */
export function nextStep(situation: Situation, goal: Goal): Step {
  const { rotation } = goal;
  // The answer may be out of date. It must not bring back a secret that was revoked.
  if (showsReplacedSecret(situation))
    return rotation !== undefined && mayReplaceAgain(situation, rotation)
      ? nextRotationStep(situation, goal, rotation)
      : { do: 'look-again' };
  const settled = settle(situation, goal);
  if (settled !== undefined) return settled;
  if (rotation !== undefined) return nextRotationStep(situation, goal, rotation);
  if (goal.repairs && needsRegistration(situation.service, goal.webhookUrl))
    return { do: 'set-webhook', rotates: false };
  return { do: 'end' };
}

/** What is to be stored because of what the service's secret is; undefined where nothing is. */
function settle({ document, service, progress, askedAt, now }: Situation, goal: Goal): Step | undefined {
  const { secret } = service;
  if (secret === '') return undefined;
  if (document === undefined)
    return goal.repairs
      ? store(withNewSecret(undefined, secret, now, goal.overlapMs), 'first-secret')
      : undefined;
  const { rotating } = document;
  if (document.current.secret === secret)
    return rotating !== undefined && isOverdue(rotating, askedAt)
      ? store(withoutMark(document), 'mark-overdue')
      : undefined;
  const replaced = withNewSecret(document, secret, now, rotating?.overlapMs ?? goal.overlapMs);
  if (rotating === undefined) return goal.repairs ? store(replaced, 'secret-rotated-elsewhere') : undefined;
  return rotating.by === goal.rotation?.by && isOutcomeKnown(progress)
    ? store(replaced, 'rotation-finished')
    : store(withMark(replaced, rotating), 'new-secret-under-mark');
}

function showsReplacedSecret({ document, service }: Situation): boolean {
  return document !== undefined && wasReplaced(document, service.secret);
}

/**
 * Whether a rotation goes on while the service shows a secret that was replaced before. A forced one does: the service may really use
 * that secret again, because the pipeline returned to an earlier account, and only a new secret helps then. The run still looks again
 * where a new secret may exist already: after it has asked for one, or after another run has stored one.
 */
function mayReplaceAgain({ document, progress }: Situation, rotation: RotationRequest): boolean {
  if (!rotation.force) return false;
  if (progress.at === 'not-begun') return true;
  if (progress.replaces !== document?.current.secret) return false;
  return progress.at === 'marked' || progress.answer === 'refused';
}

/**
 * The service's secret is the stored current one here, or it tells none, or it may not be stored, or it was replaced before and the
 * rotation is forced.
 */
function nextRotationStep(situation: Situation, goal: Goal, rotation: RotationRequest): Step {
  const { document, service, progress, askedAt, now } = situation;
  // The rotation sets the URL too. Registering the webhook first fails while the service shows a replaced secret.
  const showsReplaced = showsReplacedSecret(situation);
  const mayRotate = showsReplaced || isSameUrl(service.url, goal.webhookUrl);
  if (progress.at !== 'not-begun' && document !== undefined) {
    const isOurs = document.rotating?.by === rotation.by;
    // Another run stored the new secret, and left us our mark.
    if (document.current.secret !== progress.replaces)
      return isOurs && isOutcomeKnown(progress)
        ? store(withoutMark(document), 'rotation-finished')
        : { do: 'end' };
    if (progress.at === 'asked' && progress.answer === 'refused')
      return isOurs ? store(withoutMark(document), 'rotation-refused') : fail({ kind: 'refused' });
    if (!isOurs) return fail({ kind: mayRotate ? 'overtaken' : 'not-registered' });
    if (progress.at === 'asked') return { do: 'look-again' };
    // Somebody took the webhook away meanwhile: it is not ours to rotate any more.
    if (!mayRotate) return store(withoutMark(document), 'rotation-refused');
    // Counted from when it was surely stored: writing it may have taken longer than the lead.
    const leadMs = progress.storedAt + markLeadMs - now;
    return leadMs > 0 ? { do: 'pause', ms: leadMs } : { do: 'set-webhook', rotates: true };
  }
  const isCurrent = document?.current.secret === service.secret;
  if (document === undefined || !mayRotate || !(isCurrent || showsReplaced))
    return fail({ kind: 'not-registered' });
  const { rotating, previous } = document;
  if (rotating !== undefined)
    return isOverdue(rotating, askedAt)
      ? store(withoutMark(document), 'mark-overdue')
      : fail({ kind: 'rotation-under-way', since: rotating.since, by: rotating.by });
  if (!rotation.force && previous !== undefined && now < Date.parse(previous.validUntil))
    return fail({ kind: 'overlap', validUntil: previous.validUntil });
  const { by, overlapMs } = rotation;
  const marked = withMark(document, { since: new Date(now).toISOString(), by, overlapMs });
  return store(marked, 'rotation-begun');
}

const store = (document: SecretDocument, reason: StoreReason): Step => ({ do: 'store', document, reason });

const fail = (failure: RotationFailure): Step => ({ do: 'fail', failure });

/** Whether nothing more can come of what this run asked the service: only then may it remove its mark. */
function isOutcomeKnown(progress: RotationProgress): boolean {
  return progress.at === 'marked' || (progress.at === 'asked' && progress.answer !== 'unknown');
}

/** @param askedAt not the time now: a change may have come since the service said that there is none */
function isOverdue(mark: RotationMark, askedAt: number): boolean {
  return askedAt >= Date.parse(mark.since) + rotationLimitMs;
}
