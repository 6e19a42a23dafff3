import { detailTypes } from '../../../functions/bus/event-types.ts';
import { factKey } from '../../engine/published.ts';
import { steadyReport } from '../../engine/reports.ts';
import type { Run } from '../../engine/run.ts';
import { sendBySchedule } from '../../engine/sender.ts';
import { settle } from '../../engine/settle.ts';
import { percentile } from '../../support/statistics.ts';
import { type Flatness, flatness, isBounded } from './flatness.ts';
import { isFunction, type Observations, observe } from './observe.ts';
import { brokenPace } from './pace.ts';

/** The memory of the largest process of a kind at a tenth, half and the end of the time, in MB. */
interface MemoryFigures extends Flatness {
  readonly kind: string;
  readonly largest: readonly number[];
}

export interface SoakResult {
  readonly perSecond: number;
  /** The time of sending, until the last answer. */
  readonly seconds: number;
  readonly requests: number;
  readonly acknowledged: number;
  /** How far behind its schedule the sender ever was, milliseconds. */
  readonly behindMs: number;
  /** From post to published: percentile by percentage, in milliseconds. */
  readonly publishedMs: Readonly<Record<string, number>>;
  readonly memory: readonly MemoryFigures[];
  readonly backlogMax: number;
  /** From the last answer until no queue held anything, seconds. */
  readonly quietAfterSeconds: number;
  readonly samples: Pick<Observations, 'backlog' | 'unpublished'>;
  /** The broken promises. */
  readonly broken: readonly string[];
}

const series = 'soak';

/** Sends for so long at an even rate, watches, and judges all that was ever sent in the run. */
export async function soak(
  run: Run,
  { perSecond, seconds: planned }: { readonly perSecond: number; readonly seconds: number },
): Promise<SoakResult> {
  const { ledger, sender } = run;
  const before = ledger.acknowledged;
  const requests = Math.ceil(perSecond * planned);
  console.log(`${perSecond} reports a second for ${planned / 60} minutes, by schedule`);
  const observer = observe(run);
  const pace = await sendBySchedule(
    { perSecond, late: 'caught up', isOver: (index) => index >= requests },
    (index) => sender.post(steadyReport(index, perSecond, series)),
  );
  const seconds = await observer.stop();
  const settled = await settle(
    run,
    { published: 'reports and changes' },
    { patienceMs: 300_000, mustHaveLogged: ['worker', 'publisher'] },
  );
  const acknowledged = ledger.acknowledged - before;
  const { backlog, unpublished } = observer.observations;
  const memory = [...observer.observations.memory].map(([kind, samples]) => {
    const valueAt = (share: number) =>
      samples.findLast((one) => one.seconds <= seconds * share)?.value ?? Number.NaN;
    return { kind, largest: [0.1, 0.5, 1].map(valueAt), ...flatness(samples, seconds) };
  });
  return {
    ...{ perSecond, seconds: pace.seconds, requests, acknowledged, behindMs: pace.behindMs },
    publishedMs: publishedMs(run),
    memory,
    backlogMax: Math.max(...backlog.map(({ value }) => value)),
    quietAfterSeconds: settled.quietAfterSeconds,
    samples: { backlog, unpublished },
    broken: [
      ...settled.broken.map(({ what }) => what),
      ...(requests > 0 ? brokenPace(pace, { perSecond, requests, acknowledged }) : []),
      ...memory
        .filter(({ kind, verdict }) => isFunction(kind) && verdict === 'grows')
        .map(
          ({ kind, growth }) => `the memory of ${kind} grows by ${(growth * 100).toFixed(1)} % per 30 min`,
        ),
      ...(isBounded(backlog, seconds, perSecond) ? [] : ['the backlog grows without bound']),
      ...(isBounded(unpublished, seconds, perSecond) ? [] : ['what is to be published grows without bound']),
    ],
  };
}

function publishedMs({ ledger, published }: Run): Readonly<Record<string, number>> {
  const sorted = [...ledger.reports.values()]
    .filter(({ report }) => report.messageId.startsWith(`${series}-`))
    .flatMap(({ report: { messageId, eventId }, postedAt }) => {
      const about = `${messageId} ${eventId}`;
      const fact = published.facts.get(factKey({ type: detailTypes.deliveryEvent, about }));
      return fact === undefined ? [] : [fact.firstAt - postedAt];
    })
    .sort((one, other) => one - other);
  return Object.fromEntries([50, 95, 99, 100].map((percent) => [percent, percentile(sorted, percent)]));
}
