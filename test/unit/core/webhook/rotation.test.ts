import { describe, expect, it } from 'vitest';
import {
  type Goal,
  nextStep,
  type RotationProgress,
  type RotationRequest,
  type Situation,
} from '../../../../functions/core/webhook/rotation.ts';
import { markLeadMs, rotationLimitMs } from '../../../../functions/core/webhook/rotation-timing.ts';
import type { SecretDocument } from '../../../../functions/core/webhook/secret-document.ts';

const webhookUrl = 'https://pipeline.example/webhooks/sms';
const elsewhere = 'https://other.example/hook';
const hour = 3_600_000;
const now = Date.parse('2026-01-15T12:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

const plain: SecretDocument = { version: 1, current: { secret: 'old', since: iso(now - 48 * hour) } };
const previous = { secret: 'older', validUntil: iso(now + 1) };
/** Marked by a run, so long ago. */
const marked = (ageMs: number, by = 'us', overlapMs = hour): SecretDocument => ({
  ...plain,
  rotating: { since: iso(now - ageMs), by, overlapMs },
});

const repair: Goal = { webhookUrl, overlapMs: 24 * hour, repairs: true };
const report: Goal = { ...repair, repairs: false };
const rotation: RotationRequest = { by: 'us', force: false, overlapMs: 2 * hour };
const rotate: Goal = { ...repair, rotation };

const ours = (secret = 'old') => ({ url: webhookUrl, secret });
const notBegun: RotationProgress = { at: 'not-begun' };
/** The mark was surely stored so long ago. */
const atMark = (ageMs: number): RotationProgress => ({
  at: 'marked',
  replaces: 'old',
  storedAt: now - ageMs,
});
const asked = (answer: 'done' | 'refused' | 'unknown'): RotationProgress => ({
  at: 'asked',
  replaces: 'old',
  answer,
});
const step = (situation: Partial<Situation>, goal: Goal) =>
  nextStep({ document: plain, service: ours(), progress: notBegun, askedAt: now, now, ...situation }, goal);

const newSecret = (overlapMs: number) => ({
  version: 1,
  current: { secret: 'new', since: iso(now) },
  previous: { secret: 'old', validUntil: iso(now + overlapMs) },
});
const end = { do: 'end', rotated: false };
const rotated = { do: 'end', rotated: true };
const setUrl = { do: 'set-webhook', rotates: false };
const failing = (failure: object) => ({ do: 'fail', failure });

describe('without a rotation of its own', () => {
  it.each<[string, Partial<Situation>, Goal, object]>([
    ['nothing anywhere', { document: undefined, service: { url: '', secret: '' } }, repair, setUrl],
    ['nothing anywhere, only told', { document: undefined, service: { url: '', secret: '' } }, report, end],
    ['the first secret, only told', { document: undefined }, report, end],
    ['all is well', {}, repair, end],
    [
      'the URL in another spelling',
      { service: { ...ours(), url: webhookUrl.replace('pipeline', 'PIPELINE') } },
      repair,
      end,
    ],
    ['another URL', { service: { url: elsewhere, secret: 'old' } }, repair, setUrl],
    ['another URL, only told', { service: { url: elsewhere, secret: 'old' } }, report, end],
    ['deactivated', { service: { url: '', secret: 'old' } }, repair, setUrl],
    ['a secret that is not told', { service: ours('') }, repair, setUrl],
    ['rotated elsewhere, only told', { service: ours('new') }, report, end],
    ['the mark of a run that may live', { document: marked(rotationLimitMs - 1) }, repair, end],
    [
      'a mark too old, but the service tells no secret: nobody knows',
      { document: marked(rotationLimitMs), service: ours('') },
      report,
      end,
    ],
  ])('%s', (_, situation, goal, expected) => {
    expect(step(situation, goal)).toEqual(expected);
  });

  it('stores the first secret before the URL is set', () => {
    expect(step({ document: undefined, service: { url: elsewhere, secret: 'old' } }, repair)).toEqual({
      do: 'store',
      reason: 'first-secret',
      document: { version: 1, current: { secret: 'old', since: iso(now) } },
    });
  });

  it('takes over a secret that was rotated elsewhere, with the overlap of its settings', () => {
    expect(step({ service: ours('new') }, repair)).toEqual({
      do: 'store',
      reason: 'secret-rotated-elsewhere',
      document: newSecret(24 * hour),
    });
  });

  it.each([
    ['repairs', repair],
    ['only tells', report],
    ['rotates itself', rotate],
  ])(
    "stores the new secret of another run's rotation where it %s, and leaves the mark to stand",
    (_, goal) => {
      const document = marked(1, 'another run');
      const service = { url: elsewhere, secret: 'new' };
      expect(step({ document, service }, goal)).toEqual({
        do: 'store',
        reason: 'new-secret-under-mark',
        document: { ...newSecret(hour), rotating: document.rotating },
      });
    },
  );

  it('drops the replaced secret where the mark says so', () => {
    const document = marked(1, 'another run', 0);
    expect(step({ document, service: ours('new') }, report)).toEqual({
      do: 'store',
      reason: 'new-secret-under-mark',
      document: { version: 1, current: { secret: 'new', since: iso(now) }, rotating: document.rotating },
    });
  });

  it.each([
    ['repairs', repair],
    ['only tells', report],
    ['rotates itself', rotate],
  ])('removes a mark that stood too long where it %s, and nothing else', (_, goal) => {
    const document = { ...marked(rotationLimitMs, 'another run'), previous };
    expect(step({ document }, goal)).toEqual({
      do: 'store',
      reason: 'mark-overdue',
      document: { ...plain, previous },
    });
  });

  it('lets a mark stand as long as the service may have been asked too early to tell', () => {
    const document = marked(rotationLimitMs, 'another run');
    expect(step({ document, askedAt: now - 1 }, repair)).toEqual(end);
  });
});

describe('a rotation begins', () => {
  it('with a mark that says since when, by whom and what becomes of the old secret', () => {
    expect(step({}, rotate)).toEqual({
      do: 'store',
      reason: 'rotation-begun',
      document: { ...plain, rotating: { since: iso(now), by: 'us', overlapMs: 2 * hour } },
    });
  });

  it.each<[string, Partial<Situation>, Partial<RotationRequest>, object]>([
    ['no secret stored or told', { document: undefined, service: ours('') }, {}, { kind: 'not-registered' }],
    ['a secret that is not told', { service: ours('') }, {}, { kind: 'not-registered' }],
    ['another URL', { service: { url: elsewhere, secret: 'old' } }, {}, { kind: 'not-registered' }],
    ['deactivated', { service: { url: '', secret: 'old' } }, { force: true }, { kind: 'not-registered' }],
    [
      'another run at it',
      { document: marked(7, 'another run') },
      { force: true },
      { kind: 'rotation-under-way', since: iso(now - 7), by: 'another run' },
    ],
    // The same name, but not this run: an invocation that Lambda tries again has its predecessor's id.
    [
      'an earlier run of the same name',
      { document: marked(7) },
      {},
      { kind: 'rotation-under-way', since: iso(now - 7), by: 'us' },
    ],
    [
      'the secret before still accepted',
      { document: { ...plain, previous } },
      {},
      { kind: 'overlap', validUntil: previous.validUntil },
    ],
  ])('not with %s', (_, situation, request, failure) => {
    expect(step(situation, { ...rotate, rotation: { ...rotation, ...request } })).toEqual(failing(failure));
  });

  it.each([
    ['the overlap has just ended', { ...plain, previous: { ...previous, validUntil: iso(now) } }, false],
    ['it is forced', { ...plain, previous }, true],
  ])('where %s', (_, document, force) => {
    expect(step({ document }, { ...rotate, rotation: { ...rotation, force } })).toMatchObject({
      reason: 'rotation-begun',
    });
  });
});

describe('a rotation that has begun', () => {
  const finished: SecretDocument = { ...plain, ...newSecret(hour), version: 1 };
  const underMark = (by: string): SecretDocument => ({
    ...marked(9_000, by),
    ...newSecret(hour),
    version: 1,
  });
  const each = ['done', 'refused', 'unknown'] as const;

  it.each<[string, Partial<Situation>, object]>([
    ['waits', { document: marked(0), progress: atMark(0) }, { do: 'pause', ms: markLeadMs }],
    [
      'waits what is left, counted from when the mark was surely stored',
      { document: marked(markLeadMs + 500), progress: atMark(markLeadMs - 1) },
      { do: 'pause', ms: 1 },
    ],
    [
      'asks the service once every reader can have seen the mark',
      { document: marked(markLeadMs), progress: atMark(markLeadMs) },
      { do: 'set-webhook', rotates: true },
    ],
    ['does not ask without its mark', { progress: atMark(markLeadMs) }, failing({ kind: 'overtaken' })],
    [
      "does not ask under another run's mark",
      { document: marked(markLeadMs, 'another run'), progress: atMark(markLeadMs) },
      failing({ kind: 'overtaken' }),
    ],
    [
      'does not ask where somebody else rotated: it takes over that secret and its own mark away',
      { document: marked(9_000), service: ours('new'), progress: atMark(9_000) },
      { do: 'store', reason: 'rotation-finished', document: newSecret(hour) },
    ],
    [
      'looks again while nobody knows',
      { document: marked(9_000), progress: asked('unknown') },
      { do: 'look-again' },
    ],
    [
      'looks again where the service says that it rotated, and the secret is the old one',
      { document: marked(9_000), progress: asked('done') },
      { do: 'look-again' },
    ],
    [
      'looks again where the service tells no secret',
      { document: marked(9_000), service: ours(''), progress: asked('done') },
      { do: 'look-again' },
    ],
    [
      'ends while nobody knows, where another run removed the mark',
      { progress: asked('unknown') },
      failing({ kind: 'overtaken' }),
    ],
    [
      'removes its mark in the end',
      { document: marked(rotationLimitMs), progress: asked('unknown') },
      { do: 'store', reason: 'mark-overdue', document: plain },
    ],
    [
      'takes its mark away after a refusal',
      { document: marked(9_000), progress: asked('refused') },
      { do: 'store', reason: 'rotation-refused', document: plain },
    ],
    ['tells the refusal then', { progress: asked('refused') }, failing({ kind: 'refused' })],
    [
      "leaves another run's mark alone after a refusal",
      { document: marked(9_000, 'another run'), progress: asked('refused') },
      failing({ kind: 'refused' }),
    ],
    [
      'stores the new secret and takes its mark away',
      { document: marked(9_000), service: ours('new'), progress: asked('done') },
      { do: 'store', reason: 'rotation-finished', document: newSecret(hour) },
    ],
    [
      'stores the new secret though the service refused: somebody else rotated',
      { document: marked(9_000), service: ours('new'), progress: asked('refused') },
      { do: 'store', reason: 'rotation-finished', document: newSecret(hour) },
    ],
    // The new secret may be somebody else's, and the one that was asked for still come.
    [
      'stores the new secret and lets its mark stand where it got no answer',
      { document: marked(9_000), service: ours('new'), progress: asked('unknown') },
      {
        do: 'store',
        reason: 'new-secret-under-mark',
        document: { ...newSecret(hour), rotating: marked(9_000).rotating },
      },
    ],
    [
      'is done then',
      { document: underMark('us'), service: ours('new'), progress: asked('unknown') },
      rotated,
    ],
    [
      'stores the new secret where another run removed the mark',
      { service: ours('new'), progress: asked('unknown') },
      { do: 'store', reason: 'secret-rotated-elsewhere', document: newSecret(24 * hour) },
    ],
    [
      'takes its mark away where another run stored the new secret',
      { document: underMark('us'), service: ours('new'), progress: asked('done') },
      { do: 'store', reason: 'rotation-finished', document: finished },
    ],
    [
      "leaves a later run's mark alone",
      { document: underMark('another run'), service: ours('new'), progress: asked('done') },
      rotated,
    ],
    ...each.map((answer): [string, Partial<Situation>, object] => [
      `is done once the new secret is stored (${answer})`,
      { document: finished, service: ours('new'), progress: asked(answer) },
      rotated,
    ]),
  ])('%s', (_, situation, expected) => {
    expect(step(situation, rotate)).toEqual(expected);
  });
});
