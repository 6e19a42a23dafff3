/**
 * `npm run cost -- [--events 10M] [--set sms:<name>=<value>]... [--messages 1000]`: what a million events cost. Sends a sample of so
 * many messages through the real bundles on the local stacks, counts what is billed, and multiplies by prices; docs/reference/cost.md says what
 * is counted and what is assumed. Without `--set` it draws docs/images/cost.svg. Exit code 1 if a million, or its insights, cost more than is aimed at; 2 if it failed.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { OptionError, runScript, wholeNumber } from '../../support/run-script.ts';
import { insightsReport } from '../insights/report.ts';
import { costModel } from './model.ts';
import { monthsOf, monthsTable } from './month/months.ts';
import { costPlot } from './month/plot.ts';
import { billTable, settingsTable, targetBill, targetPerMillion, verdict } from './report.ts';
import { takeSample } from './sample.ts';
import { scenarioOf } from './scenario.ts';

/** @throws OptionError, or what `parseArgs` throws */
function readOptions() {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '10M' },
      messages: { type: 'string', default: '1000' },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const settings = values.set.map((text) => {
    const [, name = '', value] = /^(sms:\w+)=(.*)$/s.exec(text) ?? [];
    if (value === undefined) throw new OptionError('--set: expected sms:<name>=<value>');
    return [name, value] as const;
  });
  return {
    events: wholeNumber('events', values.events.replace(/M$/, '000000')),
    messages: wholeNumber('messages', values.messages, 10),
    settings: Object.fromEntries(settings),
  };
}

await runScript(async () => {
  const { events, messages, settings } = readOptions();
  const checked = readSettings(settings);
  console.log(
    `a sample of ${messages} messages with 3 reports each and 5 % replies, through the local stacks`,
  );
  const sample = await takeSample(messages, settings);
  const model = costModel(sample);
  const scenario = scenarioOf(checked, sample.facts);
  console.log(`\n${billTable(model, scenario)}\n`);
  const months = monthsOf(model, scenario);
  console.log(`${monthsTable(months)}\n`);
  if (Object.keys(settings).length === 0) {
    console.log(`${settingsTable(model, scenario)}\n`);
    writeFileSync(new URL('../../../docs/images/cost.svg', import.meta.url), costPlot(months));
  }
  const insights = scenario.insights && insightsReport(scenario.insights);
  if (insights !== undefined) console.log(`${insights.text}\n`);
  const bill = targetBill(model, scenario);
  console.log(verdict(bill, events));
  return bill.variable <= targetPerMillion && insights?.isKept !== false ? 0 : 1;
});
