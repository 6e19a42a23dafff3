/**
 * `npm run bench:burst [-- --events 100000] [--svg FILE]`: how far the history falls behind a burst of reports on AWS, and for how long.
 * Simulates the default limits and those for 10,000 events a second, prints both, and draws them. Exit code 2 if it failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { burstPlans, simulateBurst, withSlowWorker } from './burst.ts';
import { burstPlot } from './burst-plot.ts';

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '100000' },
      svg: { type: 'string', default: 'docs/images/burst.svg' },
    },
  });
  const [byDefault, raised] = burstPlans(wholeNumber('events', values.events, 1000));
  const bursts = [simulateBurst(byDefault), simulateBurst(raised)] as const;
  console.log(
    renderTable([
      [
        'simulated',
        'all accepted after',
        'all stored after',
        'accepted and not stored, at most',
        'behind, at most',
      ],
      ...[...bursts, ...[byDefault, raised].map((plan) => simulateBurst(withSlowWorker(plan)))].map(
        ({ plan, allAcceptedAt, allStoredAt, maxBacklog, maxBehindSeconds }) => [
          plan.name,
          `${allAcceptedAt.toFixed(1)} s`,
          `${allStoredAt.toFixed(1)} s`,
          String(maxBacklog),
          `${maxBehindSeconds.toFixed(1)} s`,
        ],
      ),
    ]),
  );
  mkdirSync(dirname(values.svg), { recursive: true });
  writeFileSync(values.svg, burstPlot(bursts));
  return 0;
});
