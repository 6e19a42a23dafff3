/**
 * `npm run burst -- --burst 1M --over 60s [--concurrency N --batch N --window 1s --batch-ms MS --table-rate N --steady N
 * --json FILE]`: what a burst does to the events queue, by calculation. Prints the backlog over time and a summary. What is not given
 * is as the settings have it by default; docs/scaling.md says what the model leaves out.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { visibilityTimeoutSeconds } from '../../../lib/settings/queue-timing.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { OptionError, runScript } from '../../support/run-script.ts';
import { playBurst } from './burst-model.ts';
import { amountOf, secondsOf, settingsWith } from './burst-options.ts';
import { renderSummary, renderTimeline, summarize } from './burst-report.ts';

const maxSeconds = 24 * 3600;

function main(): number {
  const settings = readSettings({});
  const { values } = parseArgs({
    options: {
      burst: { type: 'string', default: '1M' },
      over: { type: 'string', default: '60s' },
      steady: { type: 'string', default: '0' },
      concurrency: { type: 'string', default: String(settings.workerMaximumConcurrency) },
      batch: { type: 'string', default: String(settings.workerBatchSize) },
      window: { type: 'string', default: `${settings.workerBatchWindowSeconds}s` },
      'batch-ms': { type: 'string', default: '250' },
      'table-rate': { type: 'string' },
      json: { type: 'string' },
    },
  });

  const load = {
    messages: amountOf(values.burst, 'burst'),
    overSeconds: Math.max(1, Math.round(secondsOf(values.over, 'over'))),
    steadyPerSecond: amountOf(values.steady, 'steady'),
  };
  const checked = settingsWith({
    workerMaximumConcurrency: values.concurrency,
    workerBatchSize: values.batch,
    workerBatchWindowSeconds: String(secondsOf(values.window, 'window')),
  });
  const batchMs = amountOf(values['batch-ms'], 'batch-ms');
  if (batchMs <= 0) throw new OptionError('--batch-ms: expected more than 0');
  const tableRate = values['table-rate'];
  const worker = {
    batchSize: checked.workerBatchSize,
    windowSeconds: checked.workerBatchWindowSeconds,
    batchMs,
    maximumConcurrency: checked.workerMaximumConcurrency,
    visibilitySeconds: visibilityTimeoutSeconds(
      checked.workerTimeoutSeconds,
      checked.workerBatchWindowSeconds,
    ),
    maxReceiveCount: checked.maxReceiveCount,
    tablePerSecond: tableRate === undefined ? Number.POSITIVE_INFINITY : amountOf(tableRate, 'table-rate'),
  };

  const run = playBurst(load, worker, maxSeconds);
  const summary = summarize(run, load);
  console.log(`${renderTimeline(run)}\n\n${renderSummary(summary, load, worker)}`);
  const perSecond = load.messages / load.overSeconds + load.steadyPerSecond;
  if (perSecond > settings.throttleRatePerSecond)
    console.log(
      `\nonly with sms:throttleRatePerSecond of ${Math.ceil(perSecond)} or more: at ${settings.throttleRatePerSecond}, the default, the HTTP API answers the rest with 429`,
    );
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ load, worker, summary, seconds: run.seconds })}\n`);
  return 0;
}

await runScript(main);
