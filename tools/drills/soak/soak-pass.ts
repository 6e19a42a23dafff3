import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type Durations, durationsOf, type MemoryFigures, memoryFigures } from './figures.ts';
import { isBounded } from './flatness.ts';
import type { Load } from './load.ts';
import { type Observations, observe } from './observe.ts';
import { brokenPace } from './pace.ts';
import { sendBySchedule } from './send-load.ts';
import { watchStored } from './stored-samples.ts';

export interface SoakResult {
  readonly perSecond: number;
  /** The time of sending, until the last answer. */
  readonly seconds: number;
  readonly requests: number;
  readonly acknowledged: number;
  /** Answers other than 200, by what they were. */
  readonly otherAnswers: Readonly<Record<string, number>>;
  /** How far behind its schedule the sender ever was, milliseconds. */
  readonly behindMs: number;
  /** From post to stored of a sample, and from post to published of all. */
  readonly stored: Durations;
  readonly published: Durations;
  readonly memory: readonly MemoryFigures[];
  readonly backlogAtEnd: number;
  readonly backlogMax: number;
  /** From the last answer until all was stored, and until all was published; undefined where it never was. */
  readonly drainSeconds: { readonly queue: number | undefined; readonly bus: number | undefined };
  /** All samples, by what they are of. */
  readonly samples: Omit<Observations, 'memory'> & { readonly memory: object };
  /** The broken promises. */
  readonly broken: readonly string[];
}

/** Sends for so long at an even rate, and watches. */
export async function soak(
  pipeline: LocalPipeline,
  load: Load,
  schedule: { readonly perSecond: number; readonly seconds: number },
): Promise<SoakResult> {
  const { ledger } = load;
  const before = { requests: ledger.posted, acknowledged: ledger.acknowledged };
  ledger.otherAnswers.clear();
  load.publishedMs.length = 0;
  console.log(`${schedule.perSecond} reports a second for ${schedule.seconds / 60} minutes, by schedule`);
  const samples = watchStored(pipeline);
  load.onAcknowledged = samples.add;
  const observer = observe(pipeline.directory, load);
  const pace = await sendBySchedule(load.post, { ...schedule, series: 'soak' });
  const seconds = await observer.stop();
  const drainSeconds = await load.drain();
  samples.stop();

  const { backlog, unpublished } = observer.observations;
  const requests = ledger.posted - before.requests;
  const acknowledged = ledger.acknowledged - before.acknowledged;
  const memory = memoryFigures(observer.observations, seconds);
  return {
    perSecond: schedule.perSecond,
    seconds: pace.seconds,
    requests,
    acknowledged,
    otherAnswers: Object.fromEntries(ledger.otherAnswers),
    behindMs: pace.behindMs,
    stored: durationsOf(samples.milliseconds),
    published: durationsOf(load.publishedMs),
    memory,
    backlogAtEnd: backlog.at(-1)?.value ?? Number.NaN,
    backlogMax: Math.max(...backlog.map(({ value }) => value)),
    drainSeconds,
    samples: { backlog, unpublished, memory: Object.fromEntries(observer.observations.memory) },
    broken: [
      ...brokenPace(pace, { perSecond: schedule.perSecond, requests, acknowledged }),
      ...memory
        .filter((one) => one.isFunction && one.verdict === 'grows')
        .map(
          ({ kind, growth }) => `the memory of ${kind} grows by ${(growth * 100).toFixed(1)} % per 30 min`,
        ),
      ...(isBounded(backlog, seconds, schedule.perSecond) ? [] : ['the backlog grows without bound']),
      ...(isBounded(unpublished, seconds, schedule.perSecond)
        ? []
        : ['what is to be published grows without bound']),
      ...(drainSeconds.queue === undefined ? ['the backlog was not worked off in time'] : []),
      ...(drainSeconds.bus === undefined ? ['not all that was acknowledged was published in time'] : []),
    ],
  };
}
