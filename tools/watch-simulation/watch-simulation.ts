/**
 * `npm run watch-simulation [-- --tuned 1,...] [--untuned 201,...] [--little 301,...] [--svg DIRECTORY]`: simulates 30 days of traffic with 20 incidents for each seed,
 * runs the rules of the delivery watch on them, and prints what was found, after how many minutes, and the false alarms. The limits of the rules
 * were chosen with the tuned seeds; only the untuned ones say how good they are. Draws docs/images/delivery-watch-*.svg.
 * Exit code 1 if the untuned seeds miss a target on average; 2 if it failed. About 15 seconds of processor time a seed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { subjectKey } from '../../functions/delivery-watch/subject.ts';
import { printVerdict } from '../engine/print.ts';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { renderTable } from '../support/table.ts';
import { countries } from './countries.ts';
import type { IncidentPlan } from './incidents.ts';
import { columns, judge, missed, type Outcome, rowOf, totalRow } from './outcome.ts';
import { plotExamples, plotMinutes } from './plot.ts';
import { enoughTraffic, type Simulated, simulate } from './simulate.ts';

interface Judged {
  readonly simulated: Simulated;
  readonly outcome: Outcome;
}

/** Hours with so few messages that the watch needs longer, or gives no verdict. */
const littleTraffic = { min: 40, max: enoughTraffic.min };

function judgeSeed(seed: number, traffic: IncidentPlan['traffic']): Judged {
  const simulated = simulate({ seed, countries, historyDays: 28, days: 30, incidents: 20, traffic });
  const outcome = judge(simulated);
  for (const { subject, findings, minute } of outcome.falseAlarms)
    for (const { signal, figure, usual, score, messages } of findings)
      console.log(
        `seed ${seed}, day ${Math.floor(minute / 1440)}: false alarm, ${subjectKey(subject)}, ${signal} ${figure.toFixed(3)}, usual ${usual.toFixed(3)}, score ${score.toFixed(1)}, ${messages} messages`,
      );
  return { simulated, outcome };
}

function printTable(title: string, judged: readonly Judged[]): void {
  const outcomes = judged.map(({ outcome }) => outcome);
  const rows = [...outcomes.map(rowOf), totalRow(outcomes)];
  console.log(`\n${title}\n${renderTable([columns, ...rows])}`);
  const sends = outcomes.flatMap(({ badSends }) => badSends);
  const wrong = outcomes.reduce((sum, { wronglyBlamed }) => sum + wronglyBlamed, 0);
  console.log(`Events about sends: ${sends.length}, of which ${wrong} were in an incident of their subject.`);
}

await runScript(() => {
  const { values } = parseArgs({
    options: {
      tuned: { type: 'string', default: '1,3' },
      untuned: { type: 'string', default: '201,202,203,204,205,206' },
      little: { type: 'string' },
      svg: { type: 'string', default: 'docs/images' },
    },
  });
  const seedsOf = (option: 'tuned' | 'untuned' | 'little') =>
    (values[option] ?? '')
      .split(',')
      .filter((seed) => seed !== '')
      .map((seed) => wholeNumber(option, seed));
  const [tunedSeeds, untunedSeeds] = [seedsOf('tuned'), seedsOf('untuned')];
  const tuned = tunedSeeds.map((seed) => judgeSeed(seed, enoughTraffic));
  printTable('Tuned seeds: the limits were chosen with them.', tuned);
  const untuned = untunedSeeds.map((seed) => judgeSeed(seed, enoughTraffic));
  printTable('Untuned seeds.', untuned);
  const little = seedsOf('little').map((seed) => judgeSeed(seed, littleTraffic));
  if (little.length > 0)
    printTable('Untuned seeds, incidents in hours of little traffic. No target.', little);
  mkdirSync(values.svg, { recursive: true });
  const outcomes = untuned.map(({ outcome }) => outcome);
  writeFileSync(join(values.svg, 'delivery-watch-minutes.svg'), plotMinutes(outcomes));
  const [example] = untuned;
  if (example !== undefined)
    writeFileSync(
      join(values.svg, 'delivery-watch-examples.svg'),
      plotExamples(example.simulated, example.outcome),
    );
  return printVerdict(missed(outcomes));
});
