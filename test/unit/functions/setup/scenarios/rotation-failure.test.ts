import { expect, it } from 'vitest';
import type { RotationFailure } from '../../../../../functions/registration/rotation.ts';
import { describeRotationFailure } from '../../../../../functions/setup/converge.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

it.each<[RotationFailure, string[]]>([
  [
    { kind: 'overlap', validUntil: '2026-01-16T09:30:00.000Z' },
    ['still accepted for 21 h 30 min (until 2026-01-16T09:30:00.000Z)', '--force'],
  ],
  [
    { kind: 'rotation-under-way', since: '2026-01-15T11:58:30.000Z', by: 'the schedule (request-0)' },
    [
      'by the schedule (request-0), begun 2026-01-15T11:58:30.000Z (1 min 30 s ago)',
      'another one can begin in 1 min 30 s',
    ],
  ],
  // Its mark is overdue, and no run has looked since.
  [
    { kind: 'rotation-under-way', since: '2026-01-15T11:00:00.000Z', by: 'a run' },
    ['(1 h ago)', 'another one can begin in 0 ms'],
  ],
  [{ kind: 'not-registered' }, ['run webhook register first']],
  [{ kind: 'refused' }, ['refused to rotate']],
  [{ kind: 'overtaken' }, ['took too long', 'Run it again']],
])('the rotation failure message for %o says what to do', (failure, parts) => {
  const message = describeRotationFailure(failure, now);
  for (const part of parts) expect(message).toContain(part);
});
