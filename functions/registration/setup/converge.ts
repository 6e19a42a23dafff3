import { isUsableSecret } from '#signature';
import { isSharedSecret } from '../../../contract/signature/keys.ts';
import { errorName, formatDuration } from '../../base/basics.ts';
import { describeError, type Result, type SmsServiceError } from '../../base/sms-service/request.ts';
import { isMask, isTooPlain } from '../masked-secret.ts';
import { operations } from '../registration.ts';
import {
  type Goal,
  nextStep,
  type RotationFailure,
  type RotationProgress,
  type Step,
  type StoreReason,
} from '../rotation.ts';
import {
  rotationLimitMs,
  type SecretDocument,
  WebhookSecretError,
  wasReplaced,
  withoutMark,
} from '../secret/secret-document.ts';
import type { StoredSecret } from '../secret/webhook-secret-store.ts';
import { type Drift, detectDrift, isSameUrl, type ServiceWebhook } from '../webhook-drift.ts';
import { type SetupFailure, type SetupPorts, serviceFailure } from './request.ts';

/** The result of a run: the last view of both sides, and its own changes. */
export interface Converged {
  readonly service: ServiceWebhook;
  readonly document: SecretDocument | undefined;
  /** The changes made elsewhere before the run began. */
  readonly drift: readonly Drift[];
  /** Whether the run has set the URL at the service. */
  readonly setUrl: boolean;
  /** Whether the run has stored a secret that was rotated elsewhere. */
  readonly hasAdopted: boolean;
}

export type ConvergeOutcome =
  | ({ readonly kind: 'ok' } & Converged)
  | {
      readonly kind: 'error';
      readonly error: SetupFailure;
      /** Undefined if the run could not compare. */
      readonly drift: readonly Drift[] | undefined;
      readonly hasAdopted: boolean;
    };

/** No run needs as many. */
const maxSteps = 50;
/** Each lost swap leaves a version of the secret, and Secrets Manager keeps about a hundred of one day. */
const maxLostSwaps = 5;
const lostSwapPauseMs = 200;
/** A stale read is repeated with pauses of 200, 400, ... ms, for 9 s in all. */
const maxStaleReads = 9;
const staleReadPauseMs = 200;
/** The pauses between two reads of the service grow from the first to the second, in milliseconds. */
const firstReadPauseMs = 1_000;
const maxReadPauseMs = 8_000;
/** After 1, 2, 4 and 8 s the run leaves it to the next one, unless it has asked for a rotation and does not know the outcome. */
const maxReadsOfReplacedSecret = 4;

/** The stored document and the service's webhook before a step. */
interface BothSides {
  readonly stored: StoredSecret | undefined;
  readonly answer: Result<ServiceWebhook>;
}

type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;

/**
 * Brings the stored document and the service to the goal, step by step: it reads both, asks registration/rotation.ts for the next step,
 * carries it out, and repeats that until no step is left. It ends a run that fails or has no time left. A run may end at any moment: the
 * next one continues.
 */
export async function converge(ports: SetupPorts, goal: Goal): Promise<ConvergeOutcome> {
  const { service, store, clock, sleep, deadline } = ports;
  let progress: RotationProgress = { kind: 'not-begun' };
  /** Set after the run's own write or call: the next step is decided by it, without another read. */
  let ownView: BothSides | undefined;
  /** The error of a rotation that the service rejected or did not confirm. */
  let rotationError: SmsServiceError | undefined;
  /** Versions that this run has replaced, or failed to replace because they were replaced before. */
  const superseded = new Set<string>();
  let readPauseMs = firstReadPauseMs;
  let readsOfReplacedSecret = 0;
  let drift: readonly Drift[] | undefined;
  let setUrl = false;
  let hasAdopted = false;
  let lostSwaps = 0;
  let askedAt = clock();

  try {
    for (let steps = 0; steps < maxSteps; steps++) {
      const both = ownView ?? (await readBothSides());
      ownView = undefined;
      const { stored, answer } = both;
      if (answer.kind === 'error') {
        if (mayHaveRotated()) return undecided();
        return await giveUp(stored, serviceFailure(rotationError ?? answer.error));
      }
      const webhook = answer.value;
      const problem = problemOfSecret(ports, webhook.secret);
      if (problem !== undefined) return hasAsked() ? fail(problem) : await giveUp(stored, problem);
      const document = stored?.document;
      if (!showsReplacedSecret(both)) drift ??= detectDrift(document, webhook, goal.webhookUrl);

      const step = nextStep({ document, service: webhook, progress, askedAt, now: clock() }, goal);
      if (step.kind === 'end' || step.kind === 'fail') {
        // An operator's secret has no other to compare with: each read confirms it.
        const { secret = document?.current.secret } = webhook;
        if (stored !== undefined && stored.document.current.secret === secret)
          await confirm(ports, askedAt, stored.versionId);
        if (step.kind === 'fail') return fail(failureOf(step.failure));
        return { kind: 'ok', service: webhook, document, drift: drift ?? [], setUrl, hasAdopted };
      }
      const failure = await carryOut(step, both);
      if (failure !== undefined) return failure;
    }
    return fail(conflict);
  } catch (error) {
    if (error instanceof WebhookSecretError) return fail({ kind: 'secret-store', message: error.message });
    throw error;
  }

  /** Returns whether the run has asked the service for a rotation. */
  function hasAsked(): boolean {
    return progress.kind === 'asked';
  }

  function mayHaveRotated(): boolean {
    return progress.kind === 'asked' && progress.answer !== 'rejected';
  }

  /** Returns whether the signing secret is needed and not shown by the service: an operator has to store it first. */
  function lacksSecret({ secret }: ServiceWebhook): boolean {
    return secret === undefined && ports.signature.scheme !== 'none';
  }

  async function readBothSides(): Promise<BothSides> {
    // The document is read before the service: if another run stores one in between, the swap fails.
    const stored = await readStored();
    askedAt = clock();
    return { stored, answer: await service.read() };
  }

  /**
   * Reads the stored document, again if it is a superseded version: Secrets Manager is eventually consistent. Such an answer does not
   * mean that another run has stored something.
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

  /** @returns the outcome, if the run ends with this step */
  async function carryOut(
    step: Exclude<Step, StepOf<'end' | 'fail'>>,
    both: BothSides,
  ): Promise<ConvergeOutcome | undefined> {
    switch (step.kind) {
      case 'store':
        return storeDocument(step, both);
      case 'wait':
        await sleep(step.ms);
        return undefined;
      case 'read-again':
        return pauseBeforeRead(both);
      case 'set-webhook':
        return step.rotates ? rotateSecret(both) : registerUrl(both);
    }
  }

  async function storeDocument(
    { document, reason }: StepOf<'store'>,
    { stored, answer }: BothSides,
  ): Promise<ConvergeOutcome | undefined> {
    const versionId = await store.replace(document, stored?.versionId);
    if (stored !== undefined) superseded.add(stored.versionId);
    if (versionId === undefined) {
      if (++lostSwaps > maxLostSwaps) return fail(conflict);
      // Another run has changed what was compared.
      if (!setUrl && !hasAdopted) drift = undefined;
      await sleep(lostSwaps * lostSwapPauseMs);
      return undefined;
    }
    ownView = { stored: { document, versionId }, answer };
    logStored(ports, reason, stored?.document.current.secret !== document.current.secret);
    if (reason === 'secret-rotated-elsewhere') hasAdopted = true;
    if (reason === 'rotation-begun')
      progress = { kind: 'marked', replaces: document.current.secret, storedAt: clock() };
    return undefined;
  }

  async function pauseBeforeRead(both: BothSides): Promise<ConvergeOutcome | undefined> {
    const isOver = deadline.remainingMs() <= readPauseMs;
    if (showsReplacedSecret(both) && !hasAsked()) {
      readsOfReplacedSecret += 1;
      if (isOver || readsOfReplacedSecret > maxReadsOfReplacedSecret)
        return giveUp(both.stored, replacedSecret);
    }
    if (isOver) return undecided();
    await sleep(readPauseMs);
    readPauseMs = Math.min(maxReadPauseMs, 2 * readPauseMs);
    return undefined;
  }

  async function rotateSecret({ stored }: BothSides): Promise<ConvergeOutcome | undefined> {
    if (deadline.isOver()) return giveUp(stored, outOfTime);
    askedAt = clock();
    const rotated = await service.rotate(goal.webhookUrl);
    if (rotated.kind === 'ok') ownView = { stored, answer: rotated };
    rotationError = rotated.kind === 'error' ? rotated.error : undefined;
    progress = {
      kind: 'asked',
      replaces: stored?.document.current.secret ?? '',
      answer: rotationAnswer(rotated),
    };
    return undefined;
  }

  async function registerUrl({ stored, answer }: BothSides): Promise<ConvergeOutcome | undefined> {
    if (stored === undefined && answer.kind === 'ok' && lacksSecret(answer.value)) return fail(secretMissing);
    askedAt = clock();
    const set = await service.set(goal.webhookUrl);
    if (set.kind === 'ok') ownView = { stored, answer: set };
    const problem = problemOf(set, goal.webhookUrl);
    if (problem !== undefined) return fail(problem);
    setUrl = true;
    return undefined;
  }

  /** Ends the run, and removes its mark first if no rotation can come of it: other runs need not wait for it then. */
  async function giveUp(stored: StoredSecret | undefined, error: SetupFailure): Promise<ConvergeOutcome> {
    const isOurs = stored?.document.rotating?.by === goal.rotation?.by;
    const isUseless =
      progress.kind === 'marked' || (progress.kind === 'asked' && progress.answer === 'rejected');
    if (stored !== undefined && isOurs && isUseless)
      await store.replace(withoutMark(stored.document), stored.versionId);
    return fail(error);
  }

  function undecided(): ConvergeOutcome {
    ports.log('ROTATION_UNDECIDED');
    return fail(describeUndecided(rotationError));
  }

  function failureOf(failure: RotationFailure): SetupFailure {
    if (failure.kind === 'refused' && rotationError !== undefined) return serviceFailure(rotationError);
    return { kind: failure.kind, message: describeRotationFailure(failure, clock()) };
  }

  function fail(error: SetupFailure): ConvergeOutcome {
    return { kind: 'error', error, drift, hasAdopted };
  }
}

function showsReplacedSecret({ stored, answer }: BothSides): boolean {
  if (answer.kind === 'error' || answer.value.secret === undefined) return false;
  return stored !== undefined && wasReplaced(stored.document, answer.value.secret);
}

/** After a 5xx, an unexpected answer or none the service may have rotated, or may still rotate. */
function rotationAnswer(set: Result<ServiceWebhook>): 'rotated' | 'rejected' | 'unknown' {
  if (set.kind === 'ok') return 'rotated';
  const { kind, operation } = set.error;
  // Another operation failed, such as the token exchange, so the call itself was not made.
  if (operation !== operations.set) return 'rejected';
  return rejections.has(kind) || ('status' in set.error && set.error.status === 403) ? 'rejected' : 'unknown';
}

/** After these answers the service has changed nothing. */
const rejections: ReadonlySet<SmsServiceError['kind']> = new Set([
  'bad-request',
  'unauthorized',
  'not-found',
  'validation',
  'too-many-requests',
  'not-sent',
] as const);

/** Records the confirmation. Only parked requests need it, and a later run records it too: a rotation must not fail by it. */
async function confirm({ state, log }: SetupPorts, askedAt: number, versionId: string): Promise<void> {
  try {
    await state.recordConfirmed({ at: new Date(askedAt).toISOString(), versionId });
  } catch (error) {
    log('STATE_NOT_WRITTEN', { error: errorName(error) });
  }
}

function logStored({ log, count }: SetupPorts, reason: StoreReason, isNewSecret: boolean): void {
  if (reason === 'mark-overdue') log('ROTATION_MARK_OVERDUE');
  if (reason !== 'rotation-finished' && reason !== 'new-secret-under-mark') return;
  // Two runs may complete a rotation; the one that stores its secret counts it.
  if (isNewSecret) count('secretRotated');
  log(reason === 'rotation-finished' ? 'SECRET_ROTATED' : 'SECRET_STORED_UNDER_MARK');
}

/** Returns why the secret of an answer must not become the one that requests are verified with: everyone could guess a mask. */
function problemOfSecret({ signature }: SetupPorts, secret: string | undefined): SetupFailure | undefined {
  if (secret === undefined || secret === '') return undefined;
  // Anyone may know a public key, and it may have several lines.
  const trimmed = secret.trim();
  if (isMask(trimmed) || (isTooPlain(trimmed) && isSharedSecret(signature))) return maskedSecret;
  return isUsableSecret(signature, secret) ? undefined : unusableSecret;
}

function problemOf(set: Result<ServiceWebhook>, webhookUrl: string): SetupFailure | undefined {
  if (set.kind === 'error') return serviceFailure(set.error);
  const kind = 'unexpected-answer';
  if (!isSameUrl(set.value.url, webhookUrl))
    return {
      kind,
      message: 'set webhook: the SMS service answered with another URL than the one it was sent',
    };
  if (set.value.hasWrongSettings !== undefined)
    return { kind, message: 'set webhook: the SMS service answered with other settings than it was sent' };
  if (set.value.secret === '')
    return { kind, message: 'set webhook: the SMS service answered without a signing secret' };
  return undefined;
}

/** Describes why the secret was not rotated, and what to do. @param now milliseconds since the epoch */
export function describeRotationFailure(failure: RotationFailure, now: number): string {
  switch (failure.kind) {
    case 'overlap': {
      const left = formatDuration(Date.parse(failure.validUntil) - now);
      return `The secret before the current one is still accepted for ${left} (until ${failure.validUntil}). Rotating now would drop it, and events still signed with it would be rejected. Wait, or use --force.`;
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
      return 'The rotation took too long, and another run has ended it. Run it again.';
  }
}

function describeUndecided(error: SmsServiceError | undefined): SetupFailure {
  const reason = error === undefined ? '' : ` (${describeError(error)})`;
  return {
    kind: 'undecided',
    message: `The SMS service did not confirm the rotation${reason}, and shows no new secret yet. It may still rotate: until that is clear, requests with an unmatched signature are kept and verified later. Reconciling finishes the rotation; \`webhook status\` shows it.`,
  };
}

const conflict: SetupFailure = {
  kind: 'conflict',
  message: 'Other runs kept storing the webhook secret. Run it again.',
};

const outOfTime: SetupFailure = {
  kind: 'out-of-time',
  message: 'There was no time left to ask the SMS service for a new secret: AWS was too slow. Run it again.',
};

const replacedSecret: SetupFailure = {
  kind: 'replaced-secret',
  message:
    "The SMS service shows a signing secret that was replaced before, and the pipeline does not make it the current one again. If the service's answer is out of date, the next reconcile succeeds. If this failure remains, for example after a return to an earlier account or base URL, make the service create a new secret: webhook rotate --force.",
};

/** The service would send events at once, and ingest could verify none of them. */
const secretMissing: SetupFailure = {
  kind: 'secret-missing',
  message:
    'No signing secret is stored, so no event could be verified: store the one that the SMS service shows with "webhook store-secret". Then run webhook register. The schedule also registers within five minutes.',
};

const maskedSecret: SetupFailure = {
  kind: 'unusable-secret',
  message:
    'The SMS service shows a mask in place of its signing secret, such as ****, so nothing was stored. A text of fewer than 16 characters, with blanks or of words counts as one too, and so does a placeholder such as <secret>. If the service shows each secret only once, or makes such secrets, deploy with the setting sms:registration=off, and store the secret with "webhook store-secret".',
};

const unusableSecret: SetupFailure = {
  kind: 'unusable-secret',
  message:
    "The SMS service's signing secret is not encoded as the contract says (webhook.signature.secret), so it can verify no event. Correct the contract and deploy again.",
};
