import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { type LambdaCounts, lambdaMetricsSchema, noLambdaCounts } from '../../support/local-pipeline.ts';
import { type DrillAlarm, type DrillFunction, highestDatapoint } from './alarms.ts';
import { type Sample, samplesOfLog, seriesKey } from './metric-samples.ts';

const message = z.object({ sentTimestamp: z.number(), approximateReceiveCount: z.number() });
const queueAnswer = z.object({
  messages: z.object({
    ready: z.array(message),
    delayed: z.array(message),
    inflight: z.array(z.object({ message })),
  }),
});

/** The counts of metric filters, by {@link seriesKey} of the metric without dimensions. */
const filterCounts = z.object({ counts: z.record(z.string(), z.number()) });

const pollMs = 1000;

/** "Available CloudWatch metrics for Amazon SQS": what was received three times is left out of the age of the oldest. */
const leftOutAfterReceives = 3;

export interface MonitorOptions {
  /** The first of the pipeline's five ports. */
  readonly port: number;
  readonly logDirectory: string;
  readonly alarms: readonly DrillAlarm[];
  readonly functions: readonly DrillFunction[];
}

/** Reads the metrics of a local run as CloudWatch would get them, once a second. */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #samples = new Map<string, Sample[]>();
  #logged = new Map<string, Sample[]>();
  /** Names of the queues that are watched. */
  readonly queues: readonly string[];
  readonly #aheadSeconds = new Map<string, number>();
  readonly #stopping = new AbortController();
  #before: Readonly<Record<string, LambdaCounts>> = {};
  #filteredBefore: Readonly<Record<string, number>> = {};
  #running: Promise<void> | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(options: MonitorOptions) {
    this.#options = options;
    const series = options.alarms.flatMap(({ metrics }) => metrics.map((metric) => metric.series));
    const queues = series.flatMap((key) => /^AWS\/SQS\/\w+\/QueueName=(.+)$/.exec(key)?.[1] ?? []);
    this.queues = [...new Set(queues)];
  }

  start(): void {
    this.#running = (async () => {
      while (!this.#stopping.signal.aborted) {
        await this.poll().catch(() => {});
        await delay(pollMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    })();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Sees a queue's messages as they will be so many seconds later, if nothing happens to them until then. */
  lookAhead(queueName: string, seconds: number): void {
    this.#aheadSeconds.set(queueName, seconds);
  }

  /** A function's counters at the last reading. */
  countsOf(label: string): LambdaCounts {
    return this.#before[label] ?? noLambdaCounts;
  }

  /**
   * Returns the highest value that the alarm would have seen since then, by the clock of the metric's source; undefined: no data.
   *
   * @param before leaves out what is of that time or later
   */
  highest({ metrics }: DrillAlarm, since: number, before = Number.POSITIVE_INFINITY): number | undefined {
    return highestDatapoint(metrics, (series) =>
      [...(this.#samples.get(series) ?? []), ...(this.#logged.get(series) ?? [])].filter(
        ({ at }) => at >= since && at < before,
      ),
    );
  }

  /** Everything that a function of ours has counted under a name. */
  sum(metric: string, service: string): number {
    const samples = this.#logged.get(seriesKey('SmsPipeline', metric, { service })) ?? [];
    return samples.reduce((sum, { value }) => sum + value, 0);
  }

  /** Reads all metrics now, one after the other: counts are differences to the previous reading. */
  poll(): Promise<void> {
    this.#polling = this.#polling.catch(() => {}).then(() => this.#pollOnce());
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    const port = this.#options.port;
    const { functions } = lambdaMetricsSchema.parse(
      await getJson(`http://127.0.0.1:${port + 4}/local/lambda/metrics`),
    );
    for (const [label, now] of Object.entries(functions)) this.#takeCounts(label, now);
    this.#before = functions;
    const { counts } = filterCounts.parse(await getJson(`http://127.0.0.1:${port + 4}/local/logs/metrics`));
    for (const [series, count] of Object.entries(counts)) {
      const more = count - (this.#filteredBefore[series] ?? 0);
      if (more > 0) this.#add(series, more);
    }
    this.#filteredBefore = counts;
    await Promise.all(this.queues.map((name) => this.#takeQueue(name)));
    this.#logged = Map.groupBy(this.#readLogs(), ({ series }) => series);
  }

  #takeCounts(label: string, now: LambdaCounts): void {
    const name = this.#options.functions.find((known) => known.label === label)?.name;
    if (name === undefined) return;
    const before = this.countsOf(label);
    const series = (metric: string) => seriesKey('AWS/Lambda', metric, { FunctionName: name });
    const errors = now.errors - before.errors;
    const throttles = now.throttles - before.throttles;
    if (errors > 0) this.#add(series('Errors'), errors);
    if (throttles > 0) this.#add(series('Throttles'), throttles);
    if (now.iteratorAgeMs !== null && now.invocations > before.invocations)
      this.#add(series('IteratorAge'), now.iteratorAgeMs);
  }

  async #takeQueue(name: string): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.#options.port + 3}/_fauxqs/queues/${name}`);
    const body: unknown = await answer.json();
    // CloudWatch has no data of a deleted queue.
    if (answer.status === 404) return;
    const { ready, delayed, inflight } = queueAnswer.parse(body).messages;
    const sent = [...ready, ...delayed, ...inflight.map((one) => one.message)]
      .filter(({ approximateReceiveCount }) => approximateReceiveCount < leftOutAfterReceives)
      .map(({ sentTimestamp }) => sentTimestamp);
    const now = Date.now() + 1000 * (this.#aheadSeconds.get(name) ?? 0);
    const age = sent.length === 0 ? 0 : Math.floor((now - Math.min(...sent)) / 1000);
    const dimensions = { QueueName: name };
    this.#add(seriesKey('AWS/SQS', 'ApproximateNumberOfMessagesVisible', dimensions), ready.length);
    this.#add(seriesKey('AWS/SQS', 'ApproximateAgeOfOldestMessage', dimensions), age);
  }

  #add(series: string, value: number): void {
    const samples = this.#samples.get(series) ?? [];
    samples.push({ series, at: Date.now(), value });
    this.#samples.set(series, samples);
  }

  #readLogs(): Sample[] {
    const { logDirectory } = this.#options;
    return readdirSync(logDirectory).flatMap((file) =>
      samplesOfLog(readFileSync(join(logDirectory, file), 'utf8')),
    );
  }
}

async function getJson(url: string): Promise<unknown> {
  return (await fetch(url, { signal: AbortSignal.timeout(5000) })).json();
}
