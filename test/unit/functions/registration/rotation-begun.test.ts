import { describe, expect, it } from 'vitest';
import type { RotationProgress, Situation } from '../../../../functions/registration/rotation.ts';
import {
  markLeadMs,
  rotationLimitMs,
  type SecretDocument,
} from '../../../../functions/registration/secret/secret-document.ts';
import { failing, hour, marked, now, ours, plain, rotate, step, withNew } from './rotation-situation.ts';

const rotated = { kind: 'end' };

/** The mark was surely stored so long ago. */
const atMark = (ageMs: number): RotationProgress => ({
  kind: 'marked',
  replaces: 'old',
  storedAt: now - ageMs,
});
const asked = (answer: 'rotated' | 'rejected' | 'unknown'): RotationProgress => ({
  kind: 'asked',
  replaces: 'old',
  answer,
});

describe('a rotation that has begun', () => {
  const finished = withNew(hour);
  const underMark = (by: string): SecretDocument => ({
    ...marked(9_000, by),
    ...withNew(hour),
  });
  const each = ['rotated', 'rejected', 'unknown'] as const;

  it.each<[string, Partial<Situation>, object]>([
    ['waits', { document: marked(0), progress: atMark(0) }, { kind: 'wait', ms: markLeadMs }],
    [
      'waits what is left, counted from when the mark was surely stored',
      { document: marked(markLeadMs + 500), progress: atMark(markLeadMs - 1) },
      { kind: 'wait', ms: 1 },
    ],
    [
      'asks the service once every reader can have seen the mark',
      { document: marked(markLeadMs), progress: atMark(markLeadMs) },
      { kind: 'set-webhook', rotates: true },
    ],
    ['does not ask without its mark', { progress: atMark(markLeadMs) }, failing({ kind: 'overtaken' })],
    [
      "does not ask under another run's mark",
      { document: marked(markLeadMs, 'another run'), progress: atMark(markLeadMs) },
      failing({ kind: 'overtaken' }),
    ],
    [
      'does not ask after a rotation elsewhere: it stores that secret and removes its own mark',
      { document: marked(9_000), service: ours('new'), progress: atMark(9_000) },
      { kind: 'store', reason: 'rotation-finished', document: withNew(hour) },
    ],
    [
      'looks again while the outcome is unknown',
      { document: marked(9_000), progress: asked('unknown') },
      { kind: 'read-again' },
    ],
    [
      'looks again where the service says that it rotated, and the secret is the old one',
      { document: marked(9_000), progress: asked('rotated') },
      { kind: 'read-again' },
    ],
    [
      'looks again while the service shows no secret',
      { document: marked(9_000), service: ours(''), progress: asked('rotated') },
      { kind: 'read-again' },
    ],
    [
      'ends with an unknown outcome if another run removed the mark',
      { progress: asked('unknown') },
      failing({ kind: 'overtaken' }),
    ],
    [
      'removes its mark in the end',
      { document: marked(rotationLimitMs), progress: asked('unknown') },
      { kind: 'store', reason: 'mark-overdue', document: plain },
    ],
    [
      'takes its mark away after a refusal',
      { document: marked(9_000), progress: asked('rejected') },
      { kind: 'store', reason: 'rotation-rejected', document: plain },
    ],
    ['then reports the rejection', { progress: asked('rejected') }, failing({ kind: 'refused' })],
    [
      "leaves another run's mark alone after a refusal",
      { document: marked(9_000, 'another run'), progress: asked('rejected') },
      failing({ kind: 'refused' }),
    ],
    [
      'stores the new secret and takes its mark away',
      { document: marked(9_000), service: ours('new'), progress: asked('rotated') },
      { kind: 'store', reason: 'rotation-finished', document: withNew(hour) },
    ],
    [
      'stores a new secret even after a rejection: it was rotated elsewhere',
      { document: marked(9_000), service: ours('new'), progress: asked('rejected') },
      { kind: 'store', reason: 'rotation-finished', document: withNew(hour) },
    ],
    // The new secret may come from another rotation, and the requested one may still come.
    [
      'stores the new secret and lets its mark stand where it got no answer',
      { document: marked(9_000), service: ours('new'), progress: asked('unknown') },
      {
        kind: 'store',
        reason: 'new-secret-under-mark',
        document: { ...withNew(hour), rotating: marked(9_000).rotating },
      },
    ],
    [
      'stores the new secret where another run removed the mark',
      { service: ours('new'), progress: asked('unknown') },
      { kind: 'store', reason: 'secret-rotated-elsewhere', document: withNew(24 * hour) },
    ],
    [
      'takes its mark away where another run stored the new secret',
      { document: underMark('us'), service: ours('new'), progress: asked('rotated') },
      { kind: 'store', reason: 'rotation-finished', document: finished },
    ],
    [
      "leaves a later run's mark alone",
      { document: underMark('another run'), service: ours('new'), progress: asked('rotated') },
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
