import { expect, it } from 'vitest';
import { rotationPass, shortPlan } from '../../tools/drills/rotation/rotation-scenario.ts';

/** The drill in short: `npm run drill -- rotation` is the same at full load, parks always as well, and kills setup. */
it('while the secret is rotated, and rotated elsewhere, the pipeline stores all acknowledged events and no forged event, and shows no secret', async () => {
  const { broken, evidence } = await rotationPass({ ...shortPlan, park: 'rotating' }, console.log);
  expect(broken).toEqual([]);
  // The mark was met by forged requests, and they were rejected later.
  expect(evidence.found.quarantine.size).toBeGreaterThan(0);
});
