import { expect, it } from 'vitest';
import { rotationPass } from '../../tools/drills/rotation/rotation-pass.ts';
import { verdictOf } from '../../tools/drills/rotation/rotation-verdict.ts';

/** The drill in short: `npm run rotation-drill` is the same at full load, parks always as well, and kills setup. */
it('while the secret is rotated, and rotated elsewhere, the pipeline stores all acknowledged events and no forged event, and shows no secret', async () => {
  const result = await rotationPass({
    park: 'rotating',
    seconds: 12,
    genuinePerSecond: 30,
    forgedPerSecond: 5,
    incidents: [
      { atSecond: 2, kind: 'rotate', oldSecretForSeconds: 1 },
      { atSecond: 7, kind: 'rotate elsewhere', oldSecretForSeconds: 0 },
    ],
    say: console.log,
  });
  expect(verdictOf(result, true)).toEqual([]);
  // The mark was met by forged requests, and they were refused later.
  expect(result.quarantinedForged.get('signature-mismatch')).toBeGreaterThan(0);
});
