import { createPoster } from '../../../local/sms-service/poster.ts';
import { localBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';
import type { Report } from '../volume/reports.ts';
import { signedReport } from '../volume/send-reports.ts';
import { Ledger } from './ledger.ts';
import { createStoredCount } from './stored-count.ts';

const busEveryMs = 1000;
const drainDeadlineMs = 300_000;

/** A pipeline under load, with a ledger of all that was sent. */
export interface Load {
  readonly ledger: Ledger;
  /** From post to published, of each report, in milliseconds. */
  readonly publishedMs: number[];
  /** Called for each acknowledged report with the time it was posted (ms since the epoch). */
  onAcknowledged: (report: Report, postedAt: number) => void;
  readonly post: (report: Report) => Promise<void>;
  /** How many events the worker has stored. */
  readonly stored: () => number;
  /** Messages of the events queue, waiting and in flight. */
  backlog(): Promise<{ readonly waiting: number; readonly inFlight: number }>;
  /**
   * Waits until all that was acknowledged is stored, and then published.
   *
   * @returns how long each took, in seconds; undefined where it had not come about after five minutes
   */
  drain(): Promise<{ readonly queue: number | undefined; readonly bus: number | undefined }>;
  stop(): Promise<void>;
}

export async function createLoad(pipeline: LocalPipeline): Promise<Load> {
  const { webhookUrl, outputs } = pipeline;
  const secret = await pipeline.webhookSecret();
  const poster = createPoster();
  const bus = localBus(pipeline.port);
  const ledger = new Ledger();
  const publishedMs: number[] = [];
  let next = 0;
  const readBus = async () => {
    const answer = await bus.publishedAfter(next);
    if (answer.next - next !== answer.events.length)
      throw new Error('the bus has dropped events before they were read');
    for (const { at, event } of answer.events) {
      const postedAt = ledger.recordPublished(event);
      if (postedAt !== undefined) publishedMs.push(at - postedAt);
    }
    next = answer.next;
  };
  let reading = Promise.resolve();
  // One after the other: each goes on where the last one that succeeded has ended.
  const read = () => {
    reading = reading.catch(() => {}).then(readBus);
    return reading;
  };
  // A permanent failure fails the drain.
  const timer = setInterval(() => read().catch(() => {}), busEveryMs);
  const backlog = () => pipeline.queueDepth(outputs.EventsQueueUrl);
  const within = async (what: string, ask: () => Promise<boolean>): Promise<number | undefined> => {
    const startedAt = performance.now();
    const isLate = () => performance.now() - startedAt > drainDeadlineMs;
    const isDone = await until(what, async () => ((await ask()) ? 'done' : isLate() && 'late'), Infinity);
    return isDone === 'done' ? (performance.now() - startedAt) / 1000 : undefined;
  };
  const load: Load = {
    ledger,
    publishedMs,
    onAcknowledged: () => {},
    post: async (report) => {
      const postedAt = Date.now();
      ledger.post(report, postedAt);
      const { headers, body } = signedReport(report, webhookUrl, secret, postedAt);
      const result = await poster.post(webhookUrl, headers, body);
      ledger.answer(report, result);
      if (result === 200) load.onAcknowledged(report, postedAt);
    },
    stored: createStoredCount(pipeline.directory),
    backlog,
    drain: async () => {
      const queue = await within('the queue is empty', async () => {
        const { waiting, inFlight } = await backlog();
        return waiting + inFlight === 0;
      });
      const more = await within('all is published', async () => {
        await read();
        return ledger.published >= ledger.acknowledged && ledger.isComplete();
      });
      return { queue, bus: queue === undefined || more === undefined ? undefined : queue + more };
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.allSettled([reading]);
      poster.close();
    },
  };
  return load;
}
