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

/** What is sent to a pipeline, what happens to it meanwhile, and what must be true in the end. */
export interface Scenario {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly loads: readonly Load[];
  readonly incidents: readonly PlannedIncident[];
  promises(run: Run): Promises;
  /** What has to have happened: a run in which nothing went wrong proves nothing. @returns what did not, in words */
  proofs(outcome: Omit<Outcome, 'broken'>): string[];
  /** How long nothing may get better in the end, milliseconds. */
  readonly patienceMs: number;
  /** Functions whose logs are searched for secrets, and must not be empty. */
  readonly mustHaveLogged: readonly string[];
}

type Load =
  /** The service signs and sends each report once. */
  | { readonly by: 'service'; readonly reports: readonly Report[]; readonly perSecond: number }
  /** This process sends each report until it is acknowledged, so many at a time. */
  | { readonly by: 'sender'; readonly reports: readonly Report[]; readonly concurrency: number }
  /**
   * This process sends forged reports until the other loads and the incidents are over. They begin a little later: while the first
   * instances start, requests pile up, and a row of forged ones in one instance looks like a rotation.
   */
  | { readonly by: 'forger'; readonly perSecond: number };

/** Incidents at a second come one after the other, each once the one before is over. */
export interface PlannedIncident {
  readonly at: { readonly second: number } | { readonly acknowledged: number };
  readonly incident: Incident;
}

export interface Outcome extends Omit<Settled, 'broken'> {
  readonly run: Run;
  /** How long sending took, and all until the end. */
  readonly sendingSeconds: number;
  readonly seconds: number;
  /** The number of rotations that the service has made. */
  readonly rotations: number;
  /** How often all incidents of a name happened. */
  readonly happened: ReadonlyMap<string, number>;
  /** The broken promises, in words. */
  readonly broken: readonly string[];
}

const forgerStartMs = 2_000;

/** The one report that looks like a forged one and is signed with the secret of the service: it must be stored. */
const [control] = courseOf('control');

/** Sends the loads under the incidents, waits until nothing happens any more, and judges. After a failure nothing goes on. */
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
