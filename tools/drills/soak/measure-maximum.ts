import type { Load } from './load.ts';
import { brokenPace, paceRule } from './pace.ts';
import { sendBySchedule, sendClosedLoop } from './send-load.ts';

const closedSeconds = 60;
const concurrency = 32;
const stepSeconds = 20;
const backlogSeconds = 2;
const down = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
/** Where the first rate holds: what the closed loop reached is then not the most. */
const up = [1.2, 1.4, 1.7, 2, 2.5, 3];

const maximumRule = `the maximum: the highest of the rates tried, downwards from what a closed loop of ${concurrency} posts reached, or upwards where that holds, at which ${stepSeconds} s by schedule keep their pace (${paceRule}) and the backlog is then below ${backlogSeconds} s worth of events`;

/**
 * Measures how many events a second the pipeline stores without falling behind, and prints each step.
 *
 * @throws Error where it falls behind at each rate
 */
export async function measureMaximum(load: Load): Promise<number> {
  const { ledger } = load;
  const before = { acknowledged: ledger.acknowledged, stored: load.stored() };
  await sendClosedLoop(load.post, { concurrency, seconds: closedSeconds, series: 'closed' });
  const acknowledged = (ledger.acknowledged - before.acknowledged) / closedSeconds;
  const stored = (load.stored() - before.stored) / closedSeconds;
  const { waiting, inFlight } = await load.backlog();
  console.log(
    `closed loop, ${concurrency} at a time, ${closedSeconds} s: ${acknowledged.toFixed(1)} acknowledged/s, ${stored.toFixed(1)} stored/s, backlog ${waiting + inFlight} at the end`,
  );
  await drained(load);
  // While it takes fewer, ingest leaves the worker more of the machine.
  const first = Math.min(acknowledged, stored * 1.25);
  console.log(maximumRule);
  const holds = (share: number) => holdsAt(load, Math.max(1, Math.round(first * share)));
  for (const share of down) {
    const rate = await holds(share);
    if (rate === undefined) continue;
    if (share < 1) return rate;
    let highest = rate;
    for (const more of up) {
      const higher = await holds(more);
      if (higher === undefined) return highest;
      highest = higher;
    }
    return highest;
  }
  throw new Error('the pipeline falls behind at each rate');
}

/** @returns the rate, where the pipeline holds it */
async function holdsAt(load: Load, perSecond: number): Promise<number | undefined> {
  const { ledger } = load;
  const before = { acknowledged: ledger.acknowledged, stored: load.stored() };
  // Unlike that of any step before.
  const series = `step${ledger.posted}`;
  const pace = await sendBySchedule(load.post, { perSecond, seconds: stepSeconds, series });
  const { waiting, inFlight } = await load.backlog();
  const acknowledged = ledger.acknowledged - before.acknowledged;
  const achieved = acknowledged / pace.seconds;
  const stored = (load.stored() - before.stored) / pace.seconds;
  const isBehind =
    brokenPace(pace, { perSecond, requests: perSecond * stepSeconds, acknowledged }).length > 0;
  const holds = waiting + inFlight < backlogSeconds * perSecond && !isBehind;
  console.log(
    `  ${perSecond}/s for ${stepSeconds} s: ${achieved.toFixed(1)} acknowledged/s, ${stored.toFixed(1)} stored/s, backlog ${waiting + inFlight}, sender at most ${pace.behindMs.toFixed(0)} ms behind: ${holds ? 'holds' : 'does not hold'}`,
  );
  await drained(load);
  return holds ? perSecond : undefined;
}

async function drained(load: Load): Promise<void> {
  const { queue, bus } = await load.drain();
  if (queue === undefined || bus === undefined) throw new Error('the backlog was not worked off');
  console.log(`    stored ${queue.toFixed(1)} s and published ${bus.toFixed(1)} s later`);
}
