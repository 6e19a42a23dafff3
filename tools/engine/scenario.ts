import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import { createRandom } from '../../local/sms-service/random.ts';
import { until } from '../support/until.ts';
import type { Incident } from './incident.ts';
import type { Promises } from './judge.ts';
import { courseOf, type Report } from './reports.ts';
import type { Run } from './run.ts';
import { postSteadily, sendByService } from './sender.ts';
import { type Settled, settle } from './settle.ts';

/** The requests to a pipeline, the incidents meanwhile, and what must be true at the end. */
export interface Scenario {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly loads: readonly Load[];
  readonly incidents: readonly PlannedIncident[];
  promises(run: Run): Promises;
  /** Checks that the incidents happened: a run without incidents proves nothing. @returns what did not happen, in words */
  proofs(outcome: Omit<Outcome, 'broken'>): string[];
  /** How long the run waits at the end without progress, in milliseconds. */
  readonly patienceMs: number;
  /** Functions whose logs are searched for secrets, and must not be empty. */
  readonly mustHaveLogged: readonly string[];
}

type Load =
  /** The service signs and sends each report once. */
  | { readonly by: 'service'; readonly reports: readonly Report[]; readonly perSecond: number }
  /** This process sends each report until it is acknowledged. */
  | { readonly by: 'sender'; readonly reports: readonly Report[]; readonly concurrency: number }
  /**
   * This process sends forged reports until the other loads and the incidents are over. They begin a little later, because requests wait
   * while the first instances start. An instance that receives several forged requests in a row takes that for a rotation.
   */
  | { readonly by: 'forger'; readonly perSecond: number };

/** An incident and when it begins. Incidents at a second wait for the end of the one before. */
export interface PlannedIncident {
  readonly at: { readonly second: number } | { readonly acknowledged: number };
  readonly incident: Incident;
}

export interface Outcome extends Omit<Settled, 'broken'> {
  readonly run: Run;
  /** How long the sending took. `seconds` is the time of the whole run. */
  readonly sendingSeconds: number;
  readonly seconds: number;
  /** The number of rotations that the service has made. */
  readonly rotations: number;
  /** How often the incidents with a name happened. */
  readonly happened: ReadonlyMap<string, number>;
  /** The broken promises, in words. */
  readonly broken: readonly string[];
}

const forgerStartMs = 2_000;

/** This report looks like the forged ones, and is signed with the secret of the service. So it must be stored. */
const [control] = courseOf('control');

/** Sends the loads during the incidents, waits until the pipeline is idle, and checks the promises. A failure ends the loads and the incidents. */
export async function playScenario(
  run: Run,
  scenario: Scenario,
  say: (line: string) => void,
): Promise<Outcome> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1000;
  const happened = new Map<string, number>();
  const sending = Promise.all(scenario.loads.map((load) => send(run, load, signal))).then(secondsSince);
  const forging = Promise.all(scenario.loads.map((load) => forge(run, load, signal)));
  const playing = playIncidents();
  let sendingSeconds: number;
  try {
    [sendingSeconds] = await Promise.all([sending, playing]);
  } finally {
    stopping.abort();
    await Promise.allSettled([sending, forging, playing]);
  }
  await forging;
  if (control !== undefined) await run.sender.deliver(control);
  say('  all sent; waiting until nothing is left in a queue');
  const settled = await settle(run, scenario.promises(run), scenario);
  const rotations = await run.sandbox.rotations();
  const outcome = { ...settled, run, sendingSeconds, seconds: secondsSince(), rotations, happened };
  return { ...outcome, broken: [...settled.broken.map(({ what }) => what), ...scenario.proofs(outcome)] };

  async function playIncidents(): Promise<void> {
    let before: Promise<unknown> = Promise.resolve();
    const all = scenario.incidents.map(({ at, incident }) => {
      if ('second' in at) {
        const due = delay(at.second * 1000, undefined, { signal });
        before = Promise.all([before, due]).then(() => play(incident));
        return before;
      }
      const isDue = () => signal.aborted || (run.ledger.answers.get(200) ?? 0) >= at.acknowledged;
      return until('so many are acknowledged', isDue, 600_000).then(() => play(incident));
    });
    await Promise.all(all);
  }

  async function play(incident: Incident): Promise<void> {
    if (signal.aborted) return;
    say(`  ${secondsSince().toFixed(0).padStart(3)} s  ${incident.name}`);
    const times = await incident.happen(run, { cell: '', random: createRandom(1), signal });
    happened.set(incident.name, (happened.get(incident.name) ?? 0) + times);
    if (times === 0) throw new Error(`${incident.name}: nothing went wrong`);
  }
}

async function send({ sender, sandbox, ledger }: Run, load: Load, signal: AbortSignal): Promise<void> {
  if (load.by === 'service')
    await sendByService(sandbox, ledger, load.reports, { ratePerSecond: load.perSecond, signal });
  if (load.by === 'sender') {
    const { reports, concurrency } = load;
    await pMap(reports, (report) => sender.deliver(report), { concurrency, signal });
  }
}

async function forge({ sender }: Run, load: Load, signal: AbortSignal): Promise<void> {
  if (load.by !== 'forger') return;
  await delay(forgerStartMs, undefined, { signal }).catch(() => {});
  await postSteadily(load.perSecond, signal, (index) =>
    sender.forge({ messageId: `forged-${index}`, status: 'delivered', second: 2 }),
  );
}
