import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Goal,
  nextStep,
  type RotationProgress,
  type Situation,
} from '../../../../functions/registration/rotation.ts';
import {
  acceptedSecrets,
  markLeadMs,
  rotationLimitMs,
  type SecretDocument,
  wasReplaced,
} from '../../../../functions/registration/secret/secret-document.ts';
import type { ServiceWebhook } from '../../../../functions/registration/webhook-drift.ts';
import { assertProperty } from '../../../support/property.ts';

const webhookUrl = 'https://pipeline.example/webhooks/sms';
const hour = 3_600_000;
const now = Date.parse('2026-01-15T12:00:00.000Z');
const us = 'us';

const runs = { numRuns: 1_000 };

const ago = fc
  .oneof(
    fc.integer({ min: 0, max: 2 * rotationLimitMs }),
    fc.constantFrom(markLeadMs, rotationLimitMs, rotationLimitMs - 1),
  )
  .map((ms) => new Date(now - ms).toISOString());
const overlapMs = fc.constantFrom(0, 1, 24 * hour);
const documentFields = {
  version: fc.constant(1 as const),
  current: fc.record({ secret: fc.constant('stored'), since: ago }),
  previous: fc.record({
    secret: fc.constant('replaced'),
    validUntil: fc.constantFrom(-1, 0, 1, hour).map((ms) => new Date(now + ms).toISOString()),
  }),
  rotating: fc.record({ since: ago, by: fc.constantFrom(us, 'another run'), overlapMs }),
  retired: fc.array(fc.record({ secret: fc.constantFrom('replaced', 'revoked'), until: ago }), {
    minLength: 1,
    maxLength: 2,
  }),
};
const document: fc.Arbitrary<SecretDocument> = fc.record(documentFields, {
  requiredKeys: ['version', 'current'],
});
const marked: fc.Arbitrary<SecretDocument> = fc.record(documentFields, {
  requiredKeys: ['version', 'current', 'rotating'],
});
const withReplaced: fc.Arbitrary<SecretDocument> = fc.record(documentFields, {
  requiredKeys: ['version', 'current', 'previous'],
});

const service = (...secrets: readonly string[]): fc.Arbitrary<ServiceWebhook> =>
  fc.record({
    url: fc.constantFrom(webhookUrl, webhookUrl, '', 'https://other.example/hook'),
    secret: fc.constantFrom(...secrets),
  });
const replaces = fc.constantFrom('stored', 'stored', 'replaced');
const notBegun = fc.constant({ kind: 'not-begun' } as const);
const atMark = fc.record({ kind: fc.constant('marked' as const), replaces, storedAt: ago.map(Date.parse) });
const asked = fc.record({
  kind: fc.constant('asked' as const),
  replaces,
  answer: fc.constantFrom('rotated' as const, 'rejected' as const, 'unknown' as const),
});

const anySituation = {
  document: fc.option(document, { nil: undefined }) as fc.Arbitrary<SecretDocument | undefined>,
  service: service('', 'stored', 'unseen', 'replaced'),
  progress: fc.oneof(notBegun, atMark, asked) as fc.Arbitrary<RotationProgress>,
  askedAt: fc.constantFrom(now, now - 1, now - 10_000),
  now: fc.constant(now),
};
const situation: fc.Arbitrary<Situation> = fc.record(anySituation);
/** Mostly situations of this kind, and any others. */
const mostly = (kind: Partial<typeof anySituation>): fc.Arbitrary<Situation> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...anySituation, ...kind }) },
    { weight: 1, arbitrary: situation },
  );
const showingReplaced = mostly({ document: withReplaced, service: service('replaced') });

const goalFields = {
  webhookUrl: fc.constant(webhookUrl),
  overlapMs,
  repairs: fc.boolean(),
  rotation: fc.record({ by: fc.constant(us), force: fc.boolean(), overlapMs }),
};
const goal: fc.Arbitrary<Goal> = fc.record(goalFields, {
  requiredKeys: ['webhookUrl', 'overlapMs', 'repairs'],
});
const rotationGoal = fc.record(goalFields);

/** Whether the service shows a secret that the document knows to be replaced. */
function showsReplacedSecret({ document: stored, service: shown }: Situation): boolean {
  return stored !== undefined && wasReplaced(stored, shown.secret ?? '');
}

/** A document that a run stores. */
interface Stored {
  readonly before: SecretDocument | undefined;
  readonly next: SecretDocument;
  readonly seen: Situation;
  readonly desired: Goal;
}

/** Checks a rule on each document that is stored and that the rule is about, in situations where many of them are. */
function whereStored(
  situations: fc.Arbitrary<Situation>,
  isAboutIt: (stored: Stored) => boolean,
  check: (stored: Stored) => void,
): void {
  assertProperty(
    fc.property(situations, goal, (seen, desired) => {
      const step = nextStep(seen, desired);
      fc.pre(step.kind === 'store');
      const stored = { before: seen.document, next: step.document, seen, desired };
      fc.pre(isAboutIt(stored));
      check(stored);
    }),
    runs,
  );
}

it('the next step stores only the secret of the service as the current one, and keeps the current one otherwise', () => {
  whereStored(
    situation,
    () => true,
    ({ before, next, seen }) => {
      expect([before?.current.secret, seen.service.secret]).toContain(next.current.secret);
      if (before?.current.secret !== next.current.secret) return;
      expect(next.current).toEqual(before.current);
      expect(next.previous).toEqual(before.previous);
    },
  );
});

it('the next step stores and requests nothing while the service shows a replaced secret, unless a rotation is forced', () => {
  assertProperty(
    fc.property(showingReplaced, goal, (seen, desired) => {
      fc.pre(showsReplacedSecret(seen) && desired.rotation?.force !== true);
      expect(nextStep(seen, desired)).toEqual({ kind: 'read-again' });
    }),
    runs,
  );
});

it('the next step drops a secret only if the service has another one and there is no overlap', () => {
  whereStored(
    mostly({ document, service: service('unseen') }),
    ({ before, next }) => before !== undefined && before.current.secret !== next.current.secret,
    ({ before, next, seen, desired }) => {
      const { secret } = seen.service;
      expect(next.current.secret).toBe(secret);
      const overlap = before?.rotating?.overlapMs ?? desired.overlapMs;
      expect(acceptedSecrets(next, now)).toEqual(overlap > 0 ? [secret, before?.current.secret] : [secret]);
    },
  );
});

it('the next step removes a mark only if it is overdue without a new secret, or if the outcome of its own run is known', () => {
  whereStored(
    mostly({ document: marked, service: service('stored', 'unseen') }),
    ({ before, next }) => before?.rotating !== undefined && next.rotating === undefined,
    ({ before, next, seen }) => {
      const shown = showsReplacedSecret(seen) ? '' : seen.service.secret;
      expect(next.current.secret).toBe(shown || before?.current.secret);
      const isOverdue = seen.askedAt - Date.parse(before?.rotating?.since ?? '') >= rotationLimitMs;
      const isOver = !(seen.progress.kind === 'asked' && seen.progress.answer === 'unknown');
      expect(isOverdue || (before?.rotating?.by === us && isOver)).toBe(true);
    },
  );
});

it('the next step only finishes or ends marked rotations if changes are only reported', () => {
  assertProperty(
    fc.property(situation, goal, (seen, { rotation: _, ...desired }) => {
      const step = nextStep(seen, { ...desired, repairs: false });
      if (showsReplacedSecret(seen)) expect(step).toEqual({ kind: 'read-again' });
      else if (seen.document?.rotating === undefined) expect(step).toEqual({ kind: 'end' });
      else expect(['end', 'store']).toContain(step.kind);
    }),
    runs,
  );
});

const underMark = mostly({ document: marked, service: service('stored'), progress: atMark });

it('the next step asks the service for a new secret only under its own mark, long enough after it was stored', () => {
  assertProperty(
    fc.property(underMark, rotationGoal, (seen, desired) => {
      const step = nextStep(seen, desired);
      fc.pre(step.kind === 'set-webhook' && step.rotates);
      expect(seen.document?.rotating?.by).toBe(us);
      expect(seen.progress).toMatchObject({ kind: 'marked', replaces: 'stored' });
      if (seen.progress.kind === 'marked')
        expect(now - seen.progress.storedAt).toBeGreaterThanOrEqual(markLeadMs);
    }),
    runs,
  );
});
