import pMap from 'p-map';
import { type Report, steadyReport } from '../../engine/reports.ts';
import type { Run } from '../../engine/run.ts';
import { sendBySchedule } from '../../engine/sender.ts';
import { until } from '../../support/until.ts';
import { brokenPace, paceRule } from './pace.ts';

const closedSeconds = 60;
const concurrency = 32;
const stepSeconds = 20;
const backlogSeconds = 2;
/** Of what a closed loop published a second, upwards until one does not hold. */
const shares = [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.7, 2, 2.5, 3];

const maximumRule = `the maximum: the highest of the rates tried, upwards by what a closed loop of ${concurrency} posts reached, at which ${stepSeconds} s by schedule keep their pace (${paceRule}) and the backlog is then below ${backlogSeconds} s worth of events`;

/**
 * Measures how many events a second the pipeline stores without falling behind, and prints each step.
 *
 * @throws Error where it falls behind at each rate
 */
export async function measureMaximum(run: Run): Promise<number> {
  await pMap(closedLoop(), (report) => run.sender.post(report), { concurrency });
  const published = (await run.readBus()).reports / closedSeconds;
  console.log(
    `closed loop, ${concurrency} at a time, ${closedSeconds} s: ${published.toFixed(1)} published/s`,
  );
  await untilPublished(run);
  console.log(maximumRule);
  let highest: number | undefined;
  for (const share of shares) {
    const rate = Math.max(1, Math.round(published * share));
    if (!(await holds(run, rate))) break;
    highest = rate;
  }
  if (highest === undefined) throw new Error('the pipeline falls behind at each rate');
  console.log(`the maximum: ${highest} events a second`);
  return highest;
}

function* closedLoop(): Generator<Report> {
  const endAt = performance.now() + closedSeconds * 1000;
  // The rate decides how far apart the reports of a message come; nothing else depends on it.
  for (let index = 0; performance.now() < endAt; index += 1) yield steadyReport(index, 100, 'closed');
}

/** Returns whether the pipeline holds a rate. */
async function holds(run: Run, perSecond: number): Promise<boolean> {
  const { ledger, sender } = run;
  const before = ledger.acknowledged;
  const requests = perSecond * stepSeconds;
  // Unlike that of any step before.
  const series = `step${ledger.reports.size}`;
  const pace = await sendBySchedule(
    { perSecond, late: 'caught up', isOver: (index) => index >= requests },
    (index) => sender.post(steadyReport(index, perSecond, series)),
  );
  const backlog = await run.backlog();
  const acknowledged = ledger.acknowledged - before;
  const broken = brokenPace(pace, { perSecond, requests, acknowledged });
  if (backlog >= backlogSeconds * perSecond) broken.push(`the backlog is ${backlog}`);
  console.log(`  ${perSecond}/s for ${stepSeconds} s: ${broken.join(', ') || 'holds'}`);
  await untilPublished(run);
  return broken.length === 0;
}

/** Waits until all that was acknowledged is on the bus. */
async function untilPublished(run: Run): Promise<void> {
  const isPublished = async () => (await run.readBus()).reports >= run.ledger.acknowledged;
  await until('all that was acknowledged is published', isPublished, 600_000);
}
