import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Goal,
  nextStep,
  type RotationProgress,
  type Situation,
  type Step,
} from '../../../../functions/registration/rotation.ts';
import {
  acceptedSecrets,
  markLeadMs,
  rotationLimitMs,
  type SecretDocument,
  wasReplaced,
} from '../../../../functions/webhook/secret-document.ts';
import type { ServiceWebhook } from '../../../../functions/webhook/webhook-drift.ts';
import { assertProperty } from '../../../support/property.ts';

const webhookUrl = 'https://pipeline.example/webhooks/sms';
const hour = 3_600_000;
const now = Date.parse('2026-01-15T12:00:00.000Z');
const us = 'us';

const ago = fc
  .oneof(
    fc.integer({ min: 0, max: 2 * rotationLimitMs }),
    fc.constantFrom(markLeadMs, rotationLimitMs, rotationLimitMs - 1),
  )
  .map((ms) => new Date(now - ms).toISOString());
const secret = fc.constantFrom('a', 'b', 'c');
const overlapMs = fc.constantFrom(0, 1, 24 * hour);
const document: fc.Arbitrary<SecretDocument> = fc.record(
  {
    version: fc.constant(1 as const),
    current: fc.record({ secret, since: ago }),
    previous: fc.record({
      secret,
      validUntil: fc.constantFrom(-1, 0, 1, hour).map((ms) => new Date(now + ms).toISOString()),
    }),
    rotating: fc.record({ since: ago, by: fc.constantFrom(us, 'another run'), overlapMs }),
    retired: fc.array(fc.record({ secret, until: ago }), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['version', 'current'] },
);
const service: fc.Arbitrary<ServiceWebhook> = fc.record({
  url: fc.constantFrom('', webhookUrl, 'https://other.example/hook'),
  secret: fc.constantFrom('', 'a', 'b', 'c'),
});
const progress: fc.Arbitrary<RotationProgress> = fc.oneof(
  fc.constant({ kind: 'not-begun' } as const),
  fc.record({ kind: fc.constant('marked' as const), replaces: secret, storedAt: ago.map(Date.parse) }),
  fc.record({
    kind: fc.constant('asked' as const),
    replaces: secret,
    answer: fc.constantFrom('rotated' as const, 'rejected' as const, 'unknown' as const),
  }),
);
const situation: fc.Arbitrary<Situation> = fc.record({
  document: fc.option(document, { nil: undefined }),
  service,
  progress,
  askedAt: fc.constantFrom(now, now - 1, now - 10_000),
  now: fc.constant(now),
});
const goal: fc.Arbitrary<Goal> = fc.record(
  {
    webhookUrl: fc.constant(webhookUrl),
    overlapMs,
    repairs: fc.boolean(),
    rotation: fc.record({ by: fc.constant(us), force: fc.boolean(), overlapMs }),
  },
  { requiredKeys: ['webhookUrl', 'overlapMs', 'repairs'] },
);

/** Whether the service shows a secret that the document knows to be replaced. */
function showsReplacedSecret({ document: stored, service: shown }: Situation): boolean {
  return stored !== undefined && wasReplaced(stored, shown.secret);
}

/** Checks a rule on each document that is stored. */
function whereStored(
  check: (
    next: SecretDocument,
    seen: Situation,
    wanted: Goal,
    step: Step & { readonly kind: 'store' },
  ) => void,
): void {
  assertProperty(
    fc.property(situation, goal, (seen, wanted) => {
      const step = nextStep(seen, wanted);
      if (step.kind === 'store') check(step.document, seen, wanted, step);
    }),
    { numRuns: 5_000 },
  );
}

it('the next step stores only the secret of the service as the current one, and keeps the current one otherwise', () => {
  whereStored((next, seen) => {
    expect([seen.document?.current.secret, seen.service.secret]).toContain(next.current.secret);
    if (seen.document?.current.secret === next.current.secret) {
      expect(next.current).toEqual(seen.document.current);
      expect(next.previous).toEqual(seen.document.previous);
    }
  });
});

it('the next step stores and requests nothing while the service shows a replaced secret, unless a rotation is forced', () => {
  assertProperty(
    fc.property(situation, goal, (seen, wanted) => {
      fc.pre(showsReplacedSecret(seen) && wanted.rotation?.force !== true);
      expect(nextStep(seen, wanted)).toEqual({ kind: 'look-again' });
    }),
    { numRuns: 5_000 },
  );
});

it('the next step changes at most a mark while the service shows a replaced secret', () => {
  whereStored((next, seen) => {
    if (seen.document === undefined || !showsReplacedSecret(seen)) return;
    expect({ ...next, rotating: undefined }).toEqual({ ...seen.document, rotating: undefined });
  });
});

it('a forced rotation that the service performs ends with its new secret, whichever secret the service showed', () => {
  assertProperty(
    fc.property(situation, goal, (begin, wanted) => {
      fc.pre(showsReplacedSecret(begin) && begin.document?.rotating === undefined);
      const rotation = { by: us, force: true, overlapMs: 24 * hour };
      const { step, seen } = play(begin, { ...wanted, rotation }, { rotates: true, answer: 'rotated' });
      expect(step).toEqual({ kind: 'end' });
      expect(seen.service).toEqual({ url: webhookUrl, secret: 'new' });
      expect(seen.document?.current.secret).toBe('new');
      expect(acceptedSecrets(seen.document as SecretDocument, now)).toEqual([
        'new',
        begin.document?.current.secret,
      ]);
    }),
    { numRuns: 5_000 },
  );
});

it('the next step drops a secret only if the service has another one and there is no overlap', () => {
  whereStored((next, { document: before, service: { secret: shown } }, wanted) => {
    if (before === undefined || before.current.secret === next.current.secret) return;
    expect(next.current.secret).toBe(shown);
    const overlap = before.rotating?.overlapMs ?? wanted.overlapMs;
    if (overlap > 0) expect(acceptedSecrets(next, now)).toEqual([shown, before.current.secret]);
    else expect(acceptedSecrets(next, now)).toEqual([shown]);
  });
});

it('the next step removes a mark only if it is overdue without a new secret, or if the outcome of its own run is known', () => {
  whereStored((next, seen) => {
    const mark = seen.document?.rotating;
    if (mark === undefined || next.rotating !== undefined) return;
    const shown = showsReplacedSecret(seen) ? '' : seen.service.secret;
    expect(next.current.secret).toBe(shown || seen.document?.current.secret);
    const isOverdue = seen.askedAt - Date.parse(mark.since) >= rotationLimitMs;
    const isOver = !(seen.progress.kind === 'asked' && seen.progress.answer === 'unknown');
    expect(isOverdue || (mark.by === us && isOver)).toBe(true);
  });
});

it('the next step never changes an existing mark', () => {
  whereStored((next, seen) => {
    if (seen.document?.rotating === undefined || next.rotating === undefined) return;
    expect(next.rotating).toEqual(seen.document.rotating);
  });
});

it('the next step sets a mark only if there is none, and only to rotate', () => {
  whereStored((next, seen, wanted, step) => {
    if (next.rotating === undefined || seen.document?.rotating !== undefined) return;
    expect(step.reason).toBe('rotation-begun');
    expect(next.rotating).toMatchObject({ by: wanted.rotation?.by, overlapMs: wanted.rotation?.overlapMs });
  });
});

it('the next step only finishes or ends marked rotations if changes are only reported', () => {
  assertProperty(
    fc.property(situation, goal, (seen, { rotation: _, ...wanted }) => {
      const step = nextStep(seen, { ...wanted, repairs: false });
      if (showsReplacedSecret(seen)) expect(step).toEqual({ kind: 'look-again' });
      else if (seen.document?.rotating === undefined) expect(step).toEqual({ kind: 'end' });
      else expect(['end', 'store']).toContain(step.kind);
    }),
    { numRuns: 5_000 },
  );
});

it('the next step asks the service for a new secret only under its own mark, long enough after it was stored', () => {
  assertProperty(
    fc.property(situation, goal, (seen, wanted) => {
      const step = nextStep(seen, wanted);
      if (step.kind !== 'set-webhook' || !step.rotates) return;
      expect(seen.document?.rotating?.by).toBe(us);
      expect(seen.progress).toMatchObject({ kind: 'marked', replaces: seen.document?.current.secret });
      if (seen.progress.kind === 'marked')
        expect(now - seen.progress.storedAt).toBeGreaterThanOrEqual(markLeadMs);
    }),
    { numRuns: 5_000 },
  );
});

/** What becomes of asking the service to rotate: whether it does, and what the run hears. */
const fates = fc.constantFrom(
  { rotates: true, answer: 'rotated' },
  { rotates: true, answer: 'unknown' },
  { rotates: false, answer: 'rotated' },
  { rotates: false, answer: 'unknown' },
  { rotates: false, answer: 'rejected' },
) satisfies fc.Arbitrary<Fate>;
interface Fate {
  readonly rotates: boolean;
  readonly answer: 'rotated' | 'rejected' | 'unknown';
}

/** Takes the steps as a run does that nothing disturbs, until it ends; a run that looks again in vain ends too. */
function play(begin: Situation, wanted: Goal, { rotates, answer }: Fate) {
  let seen: Situation = { ...begin, progress: { kind: 'not-begun' } };
  let looks = 0;
  for (let steps = 1; ; steps++) {
    const step = nextStep(seen, wanted);
    if (step.kind === 'end' || step.kind === 'fail' || looks === 3 || steps === 50)
      return { steps, step, seen };
    const { document: before, service: shown } = seen;
    if (step.kind === 'store') {
      const begun = { kind: 'marked', replaces: step.document.current.secret, storedAt: seen.now } as const;
      const after = step.reason === 'rotation-begun' ? begun : seen.progress;
      seen = { ...seen, document: step.document, progress: after };
    } else if (step.kind === 'set-webhook' && step.rotates) {
      const service = { url: webhookUrl, secret: rotates ? 'new' : shown.secret };
      seen = {
        ...seen,
        service,
        progress: { kind: 'asked', replaces: before?.current.secret ?? '', answer },
      };
    } else if (step.kind === 'set-webhook')
      seen = { ...seen, service: { url: webhookUrl, secret: shown.secret || 'first' } };
    else {
      if (step.kind === 'look-again') looks++;
      const later = seen.now + (step.kind === 'wait' ? step.ms : 1_000);
      seen = { ...seen, now: later, askedAt: later };
    }
  }
}

it('a run ends within 12 steps, and repeats its last step from there', () => {
  assertProperty(
    fc.property(situation, goal, fates, (begin, wanted, fate) => {
      const { steps, step, seen } = play(begin, wanted, fate);
      expect(steps).toBeLessThan(12);
      expect(nextStep(seen, wanted)).toEqual(step);
    }),
    { numRuns: 5_000 },
  );
});

it('a run ends in agreement with the service if it repairs', () => {
  assertProperty(
    fc.property(situation, goal, fates, (begin, { rotation: _, ...rest }, fate) => {
      fc.pre(!showsReplacedSecret(begin));
      const { seen } = play(begin, { ...rest, repairs: true }, fate);
      expect(seen.service.url).toBe(webhookUrl);
      expect(seen.document?.current.secret).toBe(seen.service.secret);
    }),
    { numRuns: 5_000 },
  );
});

it('a run leaves its own mark only if the outcome of its rotation is unknown', () => {
  assertProperty(
    fc.property(situation, goal, fates, ({ document: before, ...begin }, { rotation, ...rest }, fate) => {
      fc.pre(rotation !== undefined && before?.rotating?.by !== us);
      const { step, seen } = play({ document: before, ...begin }, { ...rest, rotation, repairs: true }, fate);
      if (step.kind === 'end') expect(seen.document?.current.secret).toBe('new');
      if (seen.document?.rotating?.by !== us) return;
      expect(step.kind === 'look-again' || fate.answer === 'unknown').toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
