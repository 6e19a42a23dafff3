import { describe, expect, it } from 'vitest';
import { setAside, storedHistory, toldFacts } from '../drills/volume/outcome.ts';
import { factsOf, historyOf, reportsOf } from '../drills/volume/reports.ts';
import { sendReports } from '../drills/volume/send-reports.ts';
import { volumeSettings } from '../drills/volume/volume-pass.ts';
import { localBus } from '../support/local-bus.ts';
import { type LocalPipeline, startLocalPipeline } from '../support/local-pipeline.ts';
import { until } from '../support/until.ts';

/** A test with a pipeline of its own. */
const withPipeline = (test: (pipeline: LocalPipeline) => Promise<void>) => async () => {
  const pipeline = await startLocalPipeline(volumeSettings);
  try {
    await test(pipeline);
  } finally {
    await pipeline.stop();
  }
};

/** Makes a service of a pipeline hang; returns how to wake it up. */
function hang(pipeline: LocalPipeline, service: string): () => void {
  const [pid] = pipeline.processes(service);
  if (pid === undefined) throw new Error(`no process of ${service}`);
  process.kill(pid, 'SIGSTOP');
  return () => void process.kill(pid, 'SIGCONT');
}

// Most of their time is waiting: each has a pipeline of its own, and they run at once.
describe.concurrent('an outage', () => {
  it(
    'of DynamoDB leaves everything in the queue until it is over',
    withPipeline(async (pipeline) => {
      const reports = reportsOf(30, 100);
      const resume = hang(pipeline, 'DynamoDB Local');
      expect(await sendReports(pipeline, reports, { concurrency: 10 })).toBe(0);
      await until(
        'the worker has failed',
        () => pipeline.functionLog('worker').includes('WORKER-04'),
        60_000,
      );
      resume();
      expect(await storedHistory(pipeline)).toEqual(historyOf(reports));
      expect(await setAside(pipeline)).toEqual({});
    }),
  );

  it(
    'of SQS is answered 503, and nothing acknowledged is lost',
    withPipeline(async (pipeline) => {
      const reports = reportsOf(3, 10);
      await sendReports(pipeline, reports.slice(0, 5), { concurrency: 5 });
      const resume = hang(pipeline, 'SQS');
      const refused = await sendReports(pipeline, reports.slice(5), {
        concurrency: 5,
        onRefused: (count) => {
          if (count === 5) resume();
        },
      });
      expect(refused).toBeGreaterThanOrEqual(5);
      expect(await storedHistory(pipeline)).toEqual(historyOf(reports));
      expect(await setAside(pipeline)).toEqual({});
    }),
  );

  it(
    'of the bus holds events back until it is over, and loses none',
    withPipeline(async (pipeline) => {
      const bus = localBus(pipeline.port);
      const reports = reportsOf(30, 100);
      await bus.fail({ throttle: true });
      expect(await sendReports(pipeline, reports, { concurrency: 10 })).toBe(0);
      expect(await storedHistory(pipeline)).toEqual(historyOf(reports));
      const { refused } = await bus.counts();
      await until('the publisher tries again', async () => (await bus.counts()).refused > refused, 60_000);
      expect(await bus.published()).toEqual([]);
      await bus.recover();
      const facts = factsOf(reports);
      const told = await until('every stored report on the bus', async () => {
        const so = toldFacts(await bus.published());
        return so.size >= facts.size && so;
      });
      expect(told).toEqual(facts);
      expect(await setAside(pipeline)).toEqual({});
    }),
  );
});
