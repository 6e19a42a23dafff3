import { errorText } from '../../engine/print.ts';
import { until } from '../../support/until.ts';
import type { DrillAlarm } from './alarms.ts';
import type { Monitor } from './monitor.ts';
import type { Site } from './site.ts';

/** @throws Error where a text has no such part */
export function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected "${part}" in: ${text.trim().slice(0, 300)}`);
}

/** The interface through which a scenario sees its metrics. */
interface Watched extends Pick<Site, 'sms' | 'expectLogged'> {
  readonly monitor: Pick<Monitor, 'highest' | 'poll'>;
}

/** The stage on which a scenario reports its progress. */
export interface Stage<S = Site> {
  readonly site: S;
  /** Waits until the metric of each alarm of the scenario, or of one of them, has reached its threshold. */
  fired(options?: { readonly id?: string; readonly deadlineMs?: number }): Promise<void>;
  /** Does what the page of the runbook says. */
  step<T>(text: string, act: () => T | Promise<T>): Promise<T>;
  /** Runs the command-line tool as a step, which prints the text and ends with the exit code. @returns what it printed */
  sms(args: string, text?: string, code?: number): Promise<string>;
  /** Looks for a line in the log of a function as a step: with the code and the text. */
  log(label: string, code: string, text?: RegExp): Promise<void>;
  /** Registers the end of a trouble for a failed scenario, so that later ones can be played; the last one runs first. */
  undo<End extends () => unknown>(end: End | Promise<End>): Promise<End>;
  /** From here on the metrics have to stay below their thresholds. */
  fixed(): Promise<void>;
}

/** One trouble as an operator meets it, from its beginning to the end of the runbook's page. */
export interface Scenario<S = Site> {
  /** The alarms that it sets off; of a composite alarm some member is among them. */
  readonly alarms: readonly string[];
  /** How the metrics were made to reach their thresholds. */
  readonly how: string;
  play(stage: Stage<S>): Promise<void>;
}

/** The result of an alarm. */
export interface Row {
  readonly alarm: DrillAlarm;
  /** The highest value that was seen; undefined: none. */
  readonly value: number | undefined;
  /** Why it failed; undefined: it fired, its page was followed to the end, and the metric was below the threshold again. */
  readonly failure: string | undefined;
}

const fireMs = 60_000;
/** A queue's depth and age are seen within seconds; a datum that came before is no longer in what is looked at. */
const fallMs = 30_000;

/** Plays a scenario; a row for each of its alarms. */
export async function playScenario<S extends Watched>(
  { alarms: ids, play }: Scenario<S>,
  site: S,
  alarms: readonly DrillAlarm[],
): Promise<Row[]> {
  const own = alarms.filter(({ id }) => ids.includes(id));
  const begunAt = Date.now();
  const reached = new Map<string, number>();
  const undoing: (() => unknown)[] = [];
  let fixedAt: number | undefined;

  const fire = (alarm: DrillAlarm): boolean => {
    const fired = own.filter(({ id }) => alarm.members.includes(id)).filter(fire).length;
    const value = alarm.members.length > 0 ? fired : site.monitor.highest(alarm, begunAt);
    if (value !== undefined) reached.set(alarm.id, value);
    return value !== undefined && value >= alarm.threshold;
  };
  const stage: Stage<S> = {
    site,
    async fired({ id: only, deadlineMs = fireMs } = {}) {
      for (const alarm of own.filter(({ id }) => only === undefined || id === only))
        await until(`${alarm.id} reaches ${alarm.threshold}`, () => fire(alarm), deadlineMs);
    },
    async step(text, act) {
      try {
        return await act();
      } catch (error) {
        throw new Error(`at "${text}": ${errorText(error)}`);
      }
    },
    sms: (args, text = '', code = 0) =>
      stage.step(`sms ${args}${text && `: ${text}`}`, async () => {
        const printed = await site.sms(args, code);
        expectText(printed, text);
        return printed;
      }),
    log: (label, code, text) =>
      stage.step(`the log of ${label}: ${code} ${text?.source ?? ''}`.trim(), () =>
        site.expectLogged(label, code, text),
      ),
    async undo(end) {
      const act = await end;
      undoing.push(act);
      return act;
    },
    async fixed() {
      // Counts until now belong to the time before the fix.
      await site.monitor.poll();
      fixedAt = Date.now() + 1;
    },
  };

  let failure: string | undefined;
  try {
    await play(stage);
    // A composite alarm falls with its members.
    for (const alarm of own) if (alarm.members.length === 0) await fallen(alarm, fixedAt, site);
  } catch (error) {
    failure = [errorText(error), ...(await undone(undoing))].join('; ');
  }
  return own.map((alarm) => {
    const isReached = fire(alarm);
    const unreached = isReached ? undefined : 'the metric did not reach the threshold';
    return { alarm, value: reached.get(alarm.id), failure: failure ?? unreached };
  });
}

/** @throws Error if the metric does not stay below the threshold after the fix */
async function fallen(alarm: DrillAlarm, fixedAt: number | undefined, { monitor }: Watched): Promise<void> {
  if (fixedAt === undefined) throw new Error('nothing was fixed');
  // A queue is as it is; everything else comes with what is done, and nothing more is to come.
  const isGauge = alarm.metrics.some(({ series }) => series.startsWith('AWS/SQS'));
  await until(
    `${alarm.id} is below ${alarm.threshold} again`,
    async () => {
      const since = isGauge ? Date.now() : fixedAt;
      await monitor.poll();
      // Data in the future was reported by a clock that was ahead until the fix.
      const value = monitor.highest(alarm, since, Date.now() + 1000);
      if (!isGauge && (value ?? 0) >= alarm.threshold) throw new Error(`${alarm.id} went on: ${value}`);
      return (value ?? 0) < alarm.threshold;
    },
    fallMs,
  );
}

/** Does all of it, the last first, whatever fails. @returns what failed */
async function undone(acts: readonly (() => unknown)[]): Promise<string[]> {
  const failures: string[] = [];
  for (const act of acts.toReversed())
    try {
      await act();
    } catch (error) {
      failures.push(`could not be undone: ${errorText(error)}`);
    }
  return failures;
}
