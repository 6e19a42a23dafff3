import {
  markLeadMs,
  type RotationMark,
  rotationLimitMs,
  type SecretDocument,
  wasReplaced,
  withMark,
  withNewSecret,
  withoutMark,
} from './secret/secret-document.ts';
import { isSameUrl, type ServiceWebhook } from './webhook-drift.ts';

/**
 * The rotation protocol as a pure function: from the stored document and the service's answer to the next step. A run reads both before
 * each step, and each store replaces only the version that was read. A run may end after any step: the next one continues from what it
 * reads. setup/converge.ts carries the steps out, and docs/concepts/rotation.md draws them.
 */

/** The goal of a run. */
export interface Goal {
  readonly webhookUrl: string;
  /** A secret that is replaced without a mark remains accepted for this long, in milliseconds. */
  readonly overlapMs: number;
  /** Whether to repair changes made elsewhere. The pipeline's own rotations are finished in any case. */
  readonly repairs: boolean;
  /** The rotation to make, if any. */
  readonly rotation?: RotationRequest;
}

export interface RotationRequest {
  /** Identifies this run. */
  readonly by: string;
  /** Also rotates while the secret before the current one is accepted, and while the service shows a secret that was replaced. */
  readonly force: boolean;
  /** The replaced secret remains accepted for this long, in milliseconds; 0 drops it at once. */
  readonly overlapMs: number;
}

/** The progress of this run's rotation. */
export type RotationProgress =
  | { readonly kind: 'not-begun' }
  /** The mark was stored at this time or before; milliseconds since the epoch. */
  | { readonly kind: 'marked'; readonly replaces: string; readonly storedAt: number }
  /** The run has asked the service to rotate. After the answer 'unknown' the service may have rotated, or may still rotate. */
  | {
      readonly kind: 'asked';
      readonly replaces: string;
      readonly answer: 'rotated' | 'rejected' | 'unknown';
    };

/** The facts that decide the next step. */
export interface Situation {
  readonly document: SecretDocument | undefined;
  readonly service: ServiceWebhook;
  readonly progress: RotationProgress;
  /** When the run asked the service; milliseconds since the epoch. */
  readonly askedAt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Why a document is stored. */
export type StoreReason =
  | 'first-secret'
  /** The service's secret changed without a mark. */
  | 'secret-rotated-elsewhere'
  /** The service's secret changed under a mark that this run may not remove: the mark remains until it is overdue. */
  | 'new-secret-under-mark'
  /** The run that set the mark is dead, and its rotation can no longer take effect. */
  | 'mark-overdue'
  | 'rotation-begun'
  | 'rotation-finished'
  | 'rotation-rejected';

export type RotationFailure =
  /** Another run rotates. */
  | { readonly kind: 'rotation-under-way'; readonly since: string; readonly by: string }
  /** The secret before the current one is still accepted. */
  | { readonly kind: 'overlap'; readonly validUntil: string }
  /** The service does not send to this pipeline. */
  | { readonly kind: 'not-registered' }
  /** The service rejected the rotation. */
  | { readonly kind: 'refused' }
  /** Another run removed this run's overdue mark, and the secret is the same. */
  | { readonly kind: 'overtaken' };

export type Step =
  | { readonly kind: 'store'; readonly document: SecretDocument; readonly reason: StoreReason }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'set-webhook'; readonly rotates: boolean }
  /** The service's answer decides nothing yet: it may still rotate, or its answer is out of date. */
  | { readonly kind: 'read-again' }
  | { readonly kind: 'end' }
  | { readonly kind: 'fail'; readonly failure: RotationFailure };

/** Decides the next step: first by the service's secret, then by the rotation, then by the URL. */
export function nextStep(situation: Situation, goal: Goal): Step {
  const { rotation } = goal;
  // The answer may be out of date. It must not bring back a secret that was revoked.
  if (showsReplacedSecret(situation))
    return rotation !== undefined && mayReplaceAgain(situation, rotation)
      ? nextRotationStep(situation, goal, rotation)
      : { kind: 'read-again' };
  const secretStep = nextSecretStep(situation, goal);
  if (secretStep !== undefined) return secretStep;
  if (rotation !== undefined) return nextRotationStep(situation, goal, rotation);
  if (goal.repairs && needsRegistration(situation.service, goal.webhookUrl))
    return { kind: 'set-webhook', rotates: false };
  return { kind: 'end' };
}

/** Returns true if the service does not send to this URL as the pipeline needs it, or has not made its secret yet. */
function needsRegistration(service: ServiceWebhook, webhookUrl: string): boolean {
  return (
    service.secret === '' || !isSameUrl(service.url, webhookUrl) || service.hasWrongSettings !== undefined
  );
}

function showsReplacedSecret({ document, service }: Situation): boolean {
  return document !== undefined && service.secret !== undefined && wasReplaced(document, service.secret);
}

/**
 * Returns whether a rotation goes on while the service shows a secret that was replaced before. A forced one does: the service may
 * really use that secret again, because the pipeline returned to an earlier account, and only a new secret helps then. The run still
 * reads again if a new secret may exist already: after it has asked for one, or after another run has stored one.
 */
function mayReplaceAgain({ document, progress }: Situation, rotation: RotationRequest): boolean {
  if (!rotation.force) return false;
  if (progress.kind === 'not-begun') return true;
  if (progress.replaces !== document?.current.secret) return false;
  return progress.kind === 'marked' || progress.answer === 'rejected';
}

/** Stores what the service's secret changes; undefined if it changes nothing. */
function nextSecretStep(situation: Situation, goal: Goal): Step | undefined {
  const { document, progress, askedAt, now } = situation;
  const { secret } = situation.service;
  // A mark that remains from another service, if the contract was changed during a rotation.
  if (secret === undefined)
    return document?.rotating !== undefined && isOverdue(document.rotating, askedAt)
      ? store(withoutMark(document), 'mark-overdue')
      : undefined;
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

/**
 * Decides the next step of this run's rotation. At this point one of these holds: the service's secret is the stored one, the service
 * shows none, the goal does not allow to store it, or the rotation is forced past a replaced secret.
 */
function nextRotationStep(situation: Situation, goal: Goal, rotation: RotationRequest): Step {
  const { document, service, progress } = situation;
  // The rotation sets the URL too. Registering the webhook first fails while the service shows a replaced secret.
  const showsReplaced = showsReplacedSecret(situation);
  const mayRotate = showsReplaced || isSameUrl(service.url, goal.webhookUrl);
  if (document !== undefined && progress.kind !== 'not-begun')
    return continueRotation(document, progress, mayRotate, rotation, situation.now);
  const isCurrent = document?.current.secret === service.secret;
  if (document === undefined || !mayRotate || !(isCurrent || showsReplaced))
    return fail({ kind: 'not-registered' });
  return beginRotation(document, rotation, situation);
}

function beginRotation(
  document: SecretDocument,
  { by, force, overlapMs }: RotationRequest,
  { askedAt, now }: Situation,
): Step {
  const { rotating, previous } = document;
  if (rotating !== undefined)
    return isOverdue(rotating, askedAt)
      ? store(withoutMark(document), 'mark-overdue')
      : fail({ kind: 'rotation-under-way', since: rotating.since, by: rotating.by });
  if (!force && previous !== undefined && now < Date.parse(previous.validUntil))
    return fail({ kind: 'overlap', validUntil: previous.validUntil });
  return store(withMark(document, { since: new Date(now).toISOString(), by, overlapMs }), 'rotation-begun');
}

/** Decides the next step after this run has stored its mark. @param mayRotate whether the webhook is still this pipeline's */
function continueRotation(
  document: SecretDocument,
  progress: Exclude<RotationProgress, { kind: 'not-begun' }>,
  mayRotate: boolean,
  { by }: RotationRequest,
  now: number,
): Step {
  const isOurs = document.rotating?.by === by;
  // Another run stored the new secret, and left the mark to this one.
  if (document.current.secret !== progress.replaces)
    return isOurs && isOutcomeKnown(progress)
      ? store(withoutMark(document), 'rotation-finished')
      : { kind: 'end' };
  if (progress.kind === 'asked' && progress.answer === 'rejected')
    return isOurs ? store(withoutMark(document), 'rotation-rejected') : fail({ kind: 'refused' });
  if (!isOurs) return fail({ kind: mayRotate ? 'overtaken' : 'not-registered' });
  if (progress.kind === 'asked') return { kind: 'read-again' };
  if (!mayRotate) return store(withoutMark(document), 'rotation-rejected');
  // The lead begins when the mark was surely stored: the write itself may have taken longer than the lead.
  const leadMs = progress.storedAt + markLeadMs - now;
  return leadMs > 0 ? { kind: 'wait', ms: leadMs } : { kind: 'set-webhook', rotates: true };
}

const store = (document: SecretDocument, reason: StoreReason): Step => ({ kind: 'store', document, reason });

const fail = (failure: RotationFailure): Step => ({ kind: 'fail', failure });

/** Returns whether this run's rotation can no longer take effect later. Only then may the run remove its mark. */
function isOutcomeKnown(progress: RotationProgress): boolean {
  return progress.kind === 'marked' || (progress.kind === 'asked' && progress.answer !== 'unknown');
}

/** @param askedAt the time of the question to the service, not the current time: the service may have rotated since then */
function isOverdue(mark: RotationMark, askedAt: number): boolean {
  return askedAt >= Date.parse(mark.since) + rotationLimitMs;
}
