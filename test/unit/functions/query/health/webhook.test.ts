import { expect, it } from 'vitest';
import { judgeVerified } from '../../../../../functions/query/health/webhook.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

it.each([
  ['ok', '2026-01-15T11:59:00.000Z', 0],
  // Forged requests, while those of the service are verified.
  ['warn', '2026-01-15T11:59:00.000Z', 300],
  // A secret that was changed at the service.
  ['failed', '2026-01-10T12:00:00.000Z', 300],
  ['failed', null, 10],
  // Noise of the internet while the service sends nothing.
  ['warn', '2026-01-15T02:00:00.000Z', 9],
  ['warn', null, 0],
])(
  'the check of signatures is %s, last verified %s, with %s mismatches',
  (state, lastVerifiedAt, mismatches) => {
    expect(judgeVerified({ lastVerifiedAt, mismatchesLastHour: mismatches }, now).state).toBe(state);
  },
);
