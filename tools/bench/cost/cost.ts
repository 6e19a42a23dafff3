/**
 * `npm run cost -- --events 10M [--replies 5%] [--rate 50] [--set sms:<name>=<value>]... [--price-file FILE] [--json FILE]`: what a
 * million events cost. Sends a sample through the real bundles on the local stacks, counts what is billed, and multiplies by a
 * price file; docs/cost.md says what is counted and what is assumed. Exit code 1 if a million costs more than is aimed at,
 * without what is fixed; 2 if it failed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { runScript } from '../../support/run-script.ts';
import { billOf, perMillion } from './bill.ts';
import { costModel } from './model.ts';
import { readOptions } from './options.ts';
import { readPriceFile } from './prices.ts';
import { reportOf, targetPerMillion } from './report.ts';
import { takeSample } from './sample.ts';
import { scenarioOf } from './scenario.ts';
import { usagePerEvent, usagePerMonth } from './usage.ts';

const usualVolumes = [10e3, 1e6, 100e6, 1e9];
/** Enough that a single one that was slow does not matter; each takes two windows. */
const eventsAlone = 30;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { events, replyShare, perSecond, messages } = options;
  const prices = readPriceFile(options.priceFile ?? join(import.meta.dirname, 'prices-us-east-1.json'));
  const settings = readSettings(options.settings);
  console.log(
    `a sample of ${messages} messages with 3 reports each, ${replyShare * 100} % of all events replies, through the local stacks`,
  );
  const sample = await takeSample({ messages, replyShare, alone: eventsAlone, settings: options.settings });
  const model = costModel(sample);
  const scenario = scenarioOf(settings, sample.facts);
  const volumes = [...new Set([...usualVolumes, events])].sort((a, b) => a - b);
  for (const part of reportOf({ model, scenario, prices, events, volumes, perSecond }))
    console.log(`\n${part}`);
  const target = billOf(model, scenario, prices, { events: 1e6, perSecond });
  if (options.jsonFile !== undefined) {
    const bills = volumes.flatMap((each) =>
      [perSecond, 0].map((rate) => billOf(model, scenario, prices, { events: each, perSecond: rate })),
    );
    const usage = {
      perEvent: usagePerEvent(model, scenario, perSecond),
      perMonth: usagePerMonth(model, scenario),
    };
    const figures = { options, sample, model, scenario, usage, bills, target };
    writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  }
  return perMillion(target) <= targetPerMillion ? 0 : 1;
}

await runScript(main);
