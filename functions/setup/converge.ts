import { isUsableSecret } from '#signature';
import {
  type Goal,
  nextStep,
  type RotationFailure,
  type RotationProgress,
  type StoreReason,
} from '../registration/rotation.ts';
import { formatDuration } from '../runtime/clock.ts';
import { describeError, type Result, type SmsServiceError } from '../sms-service/request.ts';
import {
  rotationLimitMs,
  type SecretDocument,
  wasReplaced,
  withoutMark,
} from '../webhook/secret-document.ts';
import { type Drift, detectDrift, isSameUrl, type ServiceWebhook } from '../webhook/webhook-drift.ts';
import { type StoredSecret, WebhookSecretError } from '../webhook/webhook-secret-store.ts';
import type { SetupDependencies, SetupFailure } from './request.ts';

/** Why the secret was not rotated, and what to do. @param now milliseconds since the epoch */
export function describeRotationFailure(failure: RotationFailure, now: number): string {
  switch (failure.kind) {
    case 'overlap': {
      const left = formatDuration(Date.parse(failure.validUntil) - now);
      return `The secret before the current one is still accepted for ${left} (until ${failure.validUntil}). Rotating now would drop it, and events still signed with it would be refused. Wait, or use --force.`;
    }
    case 'rotation-under-way': {
      const since = Date.parse(failure.since);
      const left = formatDuration(Math.max(0, since + rotationLimitMs - now));
      return `A rotation by ${failure.by}, begun ${failure.since} (${formatDuration(now - since)} ago), has not ended. If its run has died or got no answer, another one can begin in ${left}.`;
    }
    case 'not-registered':
      return 'The SMS service does not send its events to this pipeline, or its secret is not stored: run webhook register first.';
    case 'refused':
      return 'The SMS service refused to rotate the secret.';
    case 'overtaken':
      return 'The rotation took too long and was given up by another run. Run it again.';
  }
}

/** What a run left behind: what it saw last, and what it did. */
export interface Converged {
  readonly service: ServiceWebhook;
  readonly document: SecretDocument | undefined;
  /** What somebody had changed elsewhere when the run began. */
  readonly drift: readonly Drift[];
  /** Whether the service was told our URL. */
  readonly setUrl: boolean;
  /** Whether a secret that was rotated elsewhere was stored. */
  readonly hasAdopted: boolean;
}

export type ConvergeOutcome =
  | ({ readonly ok: true } & Converged)
  /** `drift` is undefined where the run could not look. */
  | {
      readonly ok: false;
      readonly error: SetupFailure;
      readonly drift: readonly Drift[] | undefined;
      readonly hasAdopted: boolean;
    };

/** More steps than any run needs. */
const maximumSteps = 50;
/** Each try leaves a version of the secret behind, and Secrets Manager keeps about a hundred of one day. */
const mostLostSwaps = 5;
const lostSwapPauseMs = 200;
/** How often a read that is out of date is repeated: with pauses of 200, 400, ... ms for 9 s in all. */
const maxStaleReads = 9;
const staleReadPauseMs = 200;
const firstLookAgainMs = 1_000;
const longestLookAgainMs = 8_000;
/** After 1, 2, 4 and 8 s the next run goes on, unless this one has asked for a rotation whose outcome it does not know. */
const maxLooksPastReplacedSecret = 4;

/**
 * Takes the steps of the rotation protocol (core/webhook/rotation.ts) until nothing is left to do. May be ended at any
 * moment: the next run goes on.
 */
export async function converge(dependencies: SetupDependencies, goal: Goal): Promise<ConvergeOutcome> {
  const { service, store, clock, sleep } = dependencies;
  let progress: RotationProgress = { at: 'not-begun' };
  /** What the service said last, with what is stored for it: judged once more without asking either again. */
  let known: { readonly webhook: ServiceWebhook; readonly stored: StoredSecret | undefined } | undefined;
  let refusal: SmsServiceError | undefined;
  /** Versions that are surely not the current one any more: this run replaced them, or was refused to. */
  const superseded = new Set<string>();
  let lookAgainMs = firstLookAgainMs;
  let looksPastReplacedSecret = 0;
  let drift: readonly Drift[] | undefined;
  let setUrl = false;
  let hasAdopted = false;
  let lostSwaps = 0;
  let askedAt = clock();

  const fail = (error: SetupFailure): ConvergeOutcome => ({ ok: false, error, drift, hasAdopted });
  const undecided = (): ConvergeOutcome => {
    dependencies.log('ROTATION_UNDECIDED');
    return fail(describeUndecided(refusal));
  };

  /**
   * Reads the stored document. Secrets Manager is eventually consistent and may return a version that is already superseded: then this
   * run reads again. Such an answer does not mean that another run has stored something.
   */
  async function readStored(): Promise<StoredSecret | undefined> {
    for (let reads = 0; ; reads++) {
      const stored = await store.read();
      if (stored === undefined ? superseded.size === 0 : !superseded.has(stored.versionId)) return stored;
      if (reads === maxStaleReads)
        throw new WebhookSecretError('GetSecretValue still answers with a version that was replaced');
      await sleep((reads + 1) * staleReadPauseMs);
    }
  }

  /** The service was not asked to rotate yet, or refused, so nothing can come of the mark: nobody needs to wait for it. */
  async function takeBackMark(stored: StoredSecret | undefined): Promise<void> {
    if (stored?.document.rotating?.by !== goal.rotation?.by || stored === undefined) return;
    await store.replace(withoutMark(stored.document), stored.versionId);
  }

  try {
    return await takeSteps();
  } catch (error) {
    if (error instanceof WebhookSecretError) return fail({ kind: 'secret-store', message: error.message });
    throw error;
  }

  async function takeSteps(): Promise<ConvergeOutcome> {
    for (let steps = 0; steps < maximumSteps; steps++) {
      // The store before the service: whatever is stored in between makes the swap fail.
      const stored: StoredSecret | undefined = known === undefined ? await readStored() : known.stored;
      let webhook = known?.webhook;
      known = undefined;
      if (webhook === undefined) {
        askedAt = clock();
        const read = await service.readWebhook();
        if (!read.ok) {
          if (progress.at === 'asked' && progress.answer !== 'refused') return undecided();
          if (progress.at !== 'not-begun') await takeBackMark(stored);
          return fail(serviceFailure(refusal ?? read.error));
        }
        webhook = read.value;
      }
      if (webhook.secret !== '' && !isUsableSecret(dependencies.signature, webhook.secret)) {
        if (progress.at === 'marked') await takeBackMark(stored);
        return fail(unusableSecret);
      }
      const document = stored?.document;
      const showsReplacedSecret = document !== undefined && wasReplaced(document, webhook.secret);
      if (!showsReplacedSecret) drift ??= detectDrift(document, webhook, goal.webhookUrl);

      const step = nextStep({ document, service: webhook, progress, askedAt, now: clock() }, goal);
      if (step.do === 'store') {
        const versionId = await store.replace(step.document, stored?.versionId);
        if (stored !== undefined) superseded.add(stored.versionId);
        if (versionId === undefined) {
          lostSwaps += 1;
          if (lostSwaps > mostLostSwaps) break;
          // What was seen is over; and another read may be as old as this one was.
          if (!setUrl && !hasAdopted) drift = undefined;
          await sleep(lostSwaps * lostSwapPauseMs);
          continue;
        }
        known = { webhook, stored: { document: step.document, versionId } };
        announce(dependencies, step.reason, document?.current.secret !== step.document.current.secret);
        if (step.reason === 'secret-rotated-elsewhere') hasAdopted = true;
        if (step.reason === 'rotation-begun')
          progress = { at: 'marked', replaces: step.document.current.secret, storedAt: clock() };
      } else if (step.do === 'pause') await sleep(step.ms);
      else if (step.do === 'look-again') {
        if (showsReplacedSecret && progress.at !== 'asked') {
          looksPastReplacedSecret += 1;
          const isOver = clock() + lookAgainMs >= dependencies.deadline;
          if (isOver || looksPastReplacedSecret > maxLooksPastReplacedSecret) {
            if (progress.at === 'marked') await takeBackMark(stored);
            return fail(replacedSecret);
          }
        }
        if (clock() + lookAgainMs >= dependencies.deadline) return undecided();
        await sleep(lookAgainMs);
        lookAgainMs = Math.min(longestLookAgainMs, 2 * lookAgainMs);
      } else if (step.do === 'set-webhook') {
        if (step.rotates && clock() >= dependencies.deadline) {
          await takeBackMark(stored);
          return fail(outOfTime);
        }
        askedAt = clock();
        const set = await service.setWebhook({ url: goal.webhookUrl, rotate_secret: step.rotates });
        if (set.ok) known = { webhook: set.value, stored };
        if (step.rotates) {
          refusal = set.ok ? undefined : set.error;
          progress = { at: 'asked', replaces: document?.current.secret ?? '', answer: answerOf(set) };
        } else {
          const problem = problemOf(set, goal.webhookUrl);
          if (problem !== undefined) return fail(problem);
          setUrl = true;
        }
      } else {
        if (stored !== undefined && stored.document.current.secret === webhook.secret)
          await confirm(dependencies, askedAt, stored.versionId);
        if (step.do === 'fail') return fail(failureOf(step.failure, refusal, clock()));
        return { ok: true, service: webhook, document, drift: drift ?? [], setUrl, hasAdopted };
      }
    }
    return fail({
      kind: 'conflict',
      message: 'Other runs kept storing the webhook secret. Run it again.',
    });
  }
}

/** A 5xx, a lost answer or an odd one tells nothing of whether the service has rotated, or will. */
function answerOf(set: Result<ServiceWebhook>): 'done' | 'refused' | 'unknown' {
  if (set.ok) return 'done';
  const { kind, operation } = set.error;
  // The token exchange failed: the call itself was never made.
  if (operation !== 'set webhook') return 'refused';
  return refusals.has(kind) || ('status' in set.error && set.error.status === 403) ? 'refused' : 'unknown';
}

/** The answers that say that nothing was done. */
const refusals: ReadonlySet<SmsServiceError['kind']> = new Set([
  'bad-request',
  'unauthorized',
  'not-found',
  'validation',
  'too-many-requests',
] as const);

/** Only what is parked needs it, and a later run writes it too: a rotation that succeeded must not fail by it. */
async function confirm({ state, log }: SetupDependencies, askedAt: number, versionId: string): Promise<void> {
  try {
    await state.recordConfirmed({ at: new Date(askedAt).toISOString(), versionId });
  } catch (error) {
    log('STATE_NOT_WRITTEN', { error: error instanceof Error ? error.name : 'unknown' });
  }
}

function problemOf(set: Result<ServiceWebhook>, webhookUrl: string): SetupFailure | undefined {
  if (!set.ok) return serviceFailure(set.error);
  const kind = 'unexpected-answer';
  if (!isSameUrl(set.value.url, webhookUrl))
    return {
      kind,
      message: 'set webhook: the SMS service answered with another URL than the one it was sent',
    };
  if (set.value.secret === '')
    return { kind, message: 'set webhook: the SMS service answered without a signing secret' };
  return undefined;
}

function failureOf(
  failure: RotationFailure,
  refusal: SmsServiceError | undefined,
  now: number,
): SetupFailure {
  if (failure.kind === 'refused' && refusal !== undefined) return serviceFailure(refusal);
  return { kind: failure.kind, message: describeRotationFailure(failure, now) };
}

function announce({ log, count }: SetupDependencies, reason: StoreReason, isNewSecret: boolean): void {
  if (reason === 'mark-overdue') log('ROTATION_MARK_OVERDUE');
  if (reason !== 'rotation-finished' && reason !== 'new-secret-under-mark') return;
  // Of two runs that see a rotation through, the one that stores its secret counts it.
  if (isNewSecret) count('secretRotated');
  log(reason === 'rotation-finished' ? 'SECRET_ROTATED' : 'SECRET_STORED_UNDER_MARK');
}

const outOfTime: SetupFailure = {
  kind: 'out-of-time',
  message: 'There was no time left to ask the SMS service for a new secret: AWS was too slow. Run it again.',
};

const replacedSecret: SetupFailure = {
  kind: 'replaced-secret',
  message:
    "The SMS service shows a signing secret that was replaced before, and the pipeline does not make it the current one again. If the service's answer is out of date, the next reconcile succeeds. If this failure remains, for example after a return to an earlier account or base URL, make the service create a new secret: webhook rotate --force.",
};

const unusableSecret: SetupFailure = {
  kind: 'unusable-secret',
  message:
    "The SMS service's signing secret is not written as the contract says (webhook.signature.secret): no event could be verified with it. Correct the contract and deploy again.",
};

function describeUndecided(error: SmsServiceError | undefined): SetupFailure {
  const reason = error === undefined ? '' : ` (${describeError(error)})`;
  return {
    kind: 'undecided',
    message: `The SMS service did not confirm the rotation${reason}, and no new secret could be seen yet. It may still come: until that is clear, requests whose signature does not fit are kept and not refused. Reconciling finishes it by itself; \`webhook status\` shows it.`,
  };
}

/** The service's error for people, its own words included. */
function serviceFailure(error: SmsServiceError): SetupFailure {
  return { kind: error.kind, message: describeError(error) };
}
