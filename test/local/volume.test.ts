import { expect, it } from 'vitest';
import { volumePass, volumeSettings } from '../../tools/drills/volume/volume-scenario.ts';
import { Run } from '../../tools/engine/run.ts';
import { startLocalPipeline } from '../../tools/support/local-pipeline.ts';

/** The drill in short: `npm run drill -- volume` is the same with 10,000 reports, and a bus that throttles for 30 seconds. */
it('900 shuffled and repeated reports are in history and on the bus once, while worker and publisher are killed and the bus rejects a fifth of the events', async () => {
  await using run = new Run(await startLocalPipeline(volumeSettings));
  const { broken, evidence } = await volumePass(run, { reports: 900, seed: 1, throttledSeconds: 0 });
  // On a machine with much else to do some requests are answered too late, and sent again.
  const isLate = (line: string) =>
    /^the webhook answered \d+ requests with (503|504|timeout|network)$/.test(line);
  expect(broken.filter((line) => !isLate(line))).toEqual([]);
  // The control report as well.
  expect(evidence.found.history.size).toBe(271);
  expect(run.killed.size).toBe(6);
});
