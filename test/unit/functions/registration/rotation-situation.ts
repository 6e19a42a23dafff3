import {
  type Goal,
  nextStep,
  type RotationRequest,
  type Situation,
  type Step,
} from '../../../../functions/registration/rotation.ts';
import type { SecretDocument } from '../../../../functions/registration/secret/secret-document.ts';

/** Situations a run may be in, for the tables: the secret `old` is stored and the service's, unless it is said otherwise. */

export const webhookUrl = 'https://pipeline.example/webhooks/sms';
export const hour = 3_600_000;
export const now = Date.parse('2026-01-15T12:00:00.000Z');
export const iso = (ms: number) => new Date(ms).toISOString();

export const plain: SecretDocument = { version: 1, current: { secret: 'old', since: iso(now - 48 * hour) } };

/** Marked by a run, so long ago. */
export const marked = (ageMs: number, by = 'us', overlapMs = hour): SecretDocument => ({
  ...plain,
  rotating: { since: iso(now - ageMs), by, overlapMs },
});

/** What becomes of {@link plain} once the service's secret is `new`. */
export const withNew = (overlapMs: number): SecretDocument => ({
  version: 1,
  current: { secret: 'new', since: iso(now) },
  previous: { secret: 'old', validUntil: iso(now + overlapMs) },
});

export const repair: Goal = { webhookUrl, overlapMs: 24 * hour, repairs: true };
export const rotation: RotationRequest = { by: 'us', force: false, overlapMs: 2 * hour };
export const rotate: Goal = { ...repair, rotation };

/** What the service says while it sends to us. */
export const ours = (secret = 'old') => ({ url: webhookUrl, secret });

export const step = (situation: Partial<Situation>, goal: Goal): Step =>
  nextStep(
    { document: plain, service: ours(), progress: { kind: 'not-begun' }, askedAt: now, now, ...situation },
    goal,
  );

export const failing = (failure: object) => ({ kind: 'fail', failure });
