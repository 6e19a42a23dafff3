import { describe, expect, it } from 'vitest';
import type { Goal, RotationRequest, Situation } from '../../../../functions/registration/rotation.ts';
import { markLeadMs, rotationLimitMs } from '../../../../functions/registration/secret/secret-document.ts';
import {
  failing,
  hour,
  iso,
  marked,
  now,
  ours,
  plain,
  repair,
  rotate,
  rotation,
  step,
  webhookUrl,
  withNew,
} from './rotation-situation.ts';

const elsewhere = 'https://other.example/hook';
const previous = { secret: 'older', validUntil: iso(now + 1) };
const report: Goal = { ...repair, repairs: false };
const end = { kind: 'end' };
const byHand = (url = webhookUrl) => ({ url, secret: undefined });
const setUrl = { kind: 'set-webhook', rotates: false };

describe('without a rotation of its own', () => {
  it.each<[string, Partial<Situation>, Goal, object]>([
    ['nothing anywhere', { document: undefined, service: { url: '', secret: '' } }, repair, setUrl],
    [
      'nothing anywhere, only reported',
      { document: undefined, service: { url: '', secret: '' } },
      report,
      end,
    ],
    ['the first secret, only reported', { document: undefined }, report, end],
    ['all is well', {}, repair, end],
    [
      'the URL in another spelling',
      { service: { ...ours(), url: webhookUrl.replace('pipeline', 'PIPELINE') } },
      repair,
      end,
    ],
    ['another URL', { service: { url: elsewhere, secret: 'old' } }, repair, setUrl],
    ['another URL, only reported', { service: { url: elsewhere, secret: 'old' } }, report, end],
    ['deactivated', { service: { url: '', secret: 'old' } }, repair, setUrl],
    ['a secret that is not shown', { service: ours('') }, repair, setUrl],
    ['rotated elsewhere, only reported', { service: ours('new') }, report, end],
    ['the mark of a run that may live', { document: marked(rotationLimitMs - 1) }, repair, end],
    [
      'an overdue mark while the service shows no secret: the outcome is unknown',
      { document: marked(rotationLimitMs), service: ours('') },
      report,
      end,
    ],
    ['no secret in the API', { service: byHand() }, repair, end],
    ['no secret in the API, and another URL', { service: byHand(elsewhere) }, repair, setUrl],
    ['no secret in the API, and another URL, only reported', { service: byHand(elsewhere) }, report, end],
    [
      'no secret in the API, and wrong settings',
      { service: { ...byHand(), hasWrongSettings: true } },
      repair,
      setUrl,
    ],
    [
      'no secret in the API, and the mark of a run that may live',
      { document: marked(rotationLimitMs - 1), service: byHand() },
      repair,
      end,
    ],
    [
      'no secret in the API, and an overdue mark of another service',
      { document: marked(rotationLimitMs), service: byHand() },
      report,
      { kind: 'store', document: plain, reason: 'mark-overdue' },
    ],
  ])('%s', (_, situation, goal, expected) => {
    expect(step(situation, goal)).toEqual(expected);
  });

  it('stores the first secret before the URL is set', () => {
    expect(step({ document: undefined, service: { url: elsewhere, secret: 'old' } }, repair)).toEqual({
      kind: 'store',
      reason: 'first-secret',
      document: { version: 1, current: { secret: 'old', since: iso(now) } },
    });
  });

  it('adopts a secret that was rotated elsewhere, with the overlap of the settings', () => {
    expect(step({ service: ours('new') }, repair)).toEqual({
      kind: 'store',
      reason: 'secret-rotated-elsewhere',
      document: withNew(24 * hour),
    });
  });

  it.each([
    ['repairs', repair],
    ['only reports', report],
    ['rotates itself', rotate],
  ])('stores the new secret of another run’s rotation if it %s, and keeps the mark', (_, goal) => {
    const document = marked(1, 'another run');
    const service = { url: elsewhere, secret: 'new' };
    expect(step({ document, service }, goal)).toEqual({
      kind: 'store',
      reason: 'new-secret-under-mark',
      document: { ...withNew(hour), rotating: document.rotating },
    });
  });

  it('drops the replaced secret if the mark says so', () => {
    const document = marked(1, 'another run', 0);
    expect(step({ document, service: ours('new') }, report)).toEqual({
      kind: 'store',
      reason: 'new-secret-under-mark',
      document: {
        version: 1,
        current: { secret: 'new', since: iso(now) },
        rotating: document.rotating,
        retired: [{ secret: document.current.secret, until: iso(now) }],
      },
    });
  });

  it.each([
    ['repairs', repair],
    ['only reports', report],
    ['rotates itself', rotate],
  ])('removes only an overdue mark if it %s', (_, goal) => {
    const document = { ...marked(rotationLimitMs, 'another run'), previous };
    expect(step({ document }, goal)).toEqual({
      kind: 'store',
      reason: 'mark-overdue',
      document: { ...plain, previous },
    });
  });

  it('keeps a mark while the service may have been asked too early', () => {
    const document = marked(rotationLimitMs, 'another run');
    expect(step({ document, askedAt: now - 1 }, repair)).toEqual(end);
  });
});

describe('a forced rotation while the service shows a replaced secret', () => {
  const forced = { ...rotate, rotation: { ...rotation, force: true } };
  const retired = [{ secret: 'older', until: iso(now - hour) }];
  const stored = { ...plain, retired };
  const mark = { since: iso(now), by: 'us', overlapMs: 2 * hour };
  const atMark = (ageMs: number) => ({ kind: 'marked', replaces: 'old', storedAt: now - ageMs }) as const;
  const asked = (answer: 'rotated' | 'rejected' | 'unknown') =>
    ({ kind: 'asked', replaces: 'old', answer }) as const;
  const readAgain = { kind: 'read-again' };
  const askForSecret = { kind: 'set-webhook', rotates: true };
  const removeMark = (reason: string) => ({ kind: 'store', reason, document: stored });

  it.each<[string, Partial<Situation>, object]>([
    ['waits under its mark', { progress: atMark(0) }, { kind: 'wait', ms: markLeadMs }],
    [
      'asks for a new secret and sets the URL after the lead',
      { progress: atMark(markLeadMs), service: { url: '', secret: 'older' } },
      askForSecret,
    ],
    ['looks again without an answer', { progress: asked('unknown') }, readAgain],
    [
      'looks again where another run stored a new secret under the mark',
      { progress: { ...atMark(markLeadMs), replaces: 'before that' } },
      readAgain,
    ],
    ['removes its mark after a refusal', { progress: asked('rejected') }, removeMark('rotation-rejected')],
  ])('%s', (_, situation, expected) => {
    const document = { ...stored, rotating: mark };
    expect(step({ document, service: ours('older'), ...situation }, forced)).toEqual(expected);
  });

  it('removes the overdue mark of another run first', () => {
    const document = { ...marked(rotationLimitMs, 'another run'), retired };
    expect(step({ document, service: ours('older') }, forced)).toEqual(removeMark('mark-overdue'));
  });

  it('does not begin under the mark of another run', () => {
    const document = { ...marked(rotationLimitMs - 1, 'another run'), retired };
    const since = iso(now - rotationLimitMs + 1);
    expect(step({ document, service: ours('older') }, forced)).toEqual(
      failing({ kind: 'rotation-under-way', since, by: 'another run' }),
    );
  });

  it('reports the rejection once its mark is removed', () => {
    const situation = { document: stored, service: ours('older'), progress: asked('rejected') };
    expect(step(situation, forced)).toEqual(failing({ kind: 'refused' }));
  });
});

describe('a rotation begins', () => {
  it('with a mark that names its time, its run and the overlap', () => {
    expect(step({}, rotate)).toEqual({
      kind: 'store',
      reason: 'rotation-begun',
      document: { ...plain, rotating: { since: iso(now), by: 'us', overlapMs: 2 * hour } },
    });
  });

  it.each<[string, Partial<Situation>, Partial<RotationRequest>, object]>([
    ['no secret stored or shown', { document: undefined, service: ours('') }, {}, { kind: 'not-registered' }],
    ['a secret that is not shown', { service: ours('') }, {}, { kind: 'not-registered' }],
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
  ])('does not begin with %s', (_, situation, request, failure) => {
    expect(step(situation, { ...rotate, rotation: { ...rotation, ...request } })).toEqual(failing(failure));
  });

  it.each([
    ['the overlap has just ended', { ...plain, previous: { ...previous, validUntil: iso(now) } }, false],
    ['it is forced', { ...plain, previous }, true],
  ])('begins if %s', (_, document, force) => {
    expect(step({ document }, { ...rotate, rotation: { ...rotation, force } })).toMatchObject({
      reason: 'rotation-begun',
    });
  });
});
