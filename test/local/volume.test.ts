import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportsOf } from '../../tools/drills/volume/reports.ts';
import { volumePass, volumeSettings } from '../../tools/drills/volume/volume-pass.ts';
import { localBus } from '../../tools/support/local-bus.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';

let pipeline: LocalPipeline;
beforeEach(async () => {
  pipeline = await startLocalPipeline(volumeSettings);
});
afterEach(() => pipeline.stop());

/** The drill in short: `npm run volume-drill` is the same with 10,000 reports, and a bus that throttles for 30 seconds. */
it('900 shuffled and repeated reports are in history and on the bus once, while worker and publisher are killed and the bus rejects a fifth of the events', async () => {
  const reports = reportsOf(270, 900);
  const options = { reports, seed: 1, refuseShare: 0.2, kills: 3, throttledSeconds: 0 };
  const result = await volumePass(pipeline, localBus(pipeline.port), options);
  expect(result.broken).toEqual([]);
  expect(result).toMatchObject({ messages: 270, facts: 900, killed: 6 });
});
