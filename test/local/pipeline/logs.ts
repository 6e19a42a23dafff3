import pMap from 'p-map';
import { expect, it } from 'vitest';
import { roundsOf } from '../../../tools/bench/cost/sample-events.ts';
import { localBus } from '../../../tools/support/local-bus.ts';
import { lambdaMetricsSchema } from '../../../tools/support/local-pipeline.ts';
import { until } from '../../../tools/support/until.ts';
import { postSigned, type Started } from './post-signed.ts';

/** What test/infra/tools/logs-per-event.test.ts computes with. */
const mostLineBytes = 570;

/** Of `name` in all lines of the worker or publisher together. */
const sumOf = (lines: readonly string[], name: string): number =>
  lines.reduce((sum, line) => sum + (JSON.parse(line)[name] ?? 0), 0);

export function functionsLogLittle(pipeline: Started): void {
  it('ingest logs nothing for accepted events, and worker and publisher log one short line per invocation', async () => {
    const { port, functionLog } = pipeline();
    const logged = new Map(['ingest', 'worker', 'publisher'].map((name) => [name, functionLog(name).length]));
    const linesOf = (name: string) =>
      functionLog(name)
        .slice(logged.get(name))
        .split('\n')
        .filter((line) => line !== '');
    const invocations = async (name: string) => {
      const metrics = await fetch(`http://127.0.0.1:${port + 4}/local/lambda/metrics`);
      return lambdaMetricsSchema.parse(await metrics.json()).functions[name]?.invocations ?? 0;
    };
    const messages = 38;
    const events = roundsOf('logs', { messages, replyShare: 0.05 })
      .flat()
      .map(({ id, body }) => ({ id, content: JSON.parse(body.toString()) }));
    const ids = new Set(events.map(({ content }) => content.data.id));
    await pMap(
      events,
      async ({ id, content }) => expect(await postSigned(pipeline(), content, id)).toBe(200),
      { concurrency: 8 },
    );
    await until(
      'the worker has counted all',
      () => sumOf(linesOf('worker'), 'EventsStored') === events.length,
    );
    // Reports of a message that came in one batch are published as one change.
    await until('each message is published as delivered', async () => {
      const published = await localBus(port).published();
      const delivered = published.filter(({ detail }) => detail.status === 'delivered');
      return delivered.filter(({ detail }) => ids.has(detail.messageId)).length === messages;
    });
    await until(
      'the publisher has counted them',
      () => sumOf(linesOf('publisher'), 'EventsPublished') >= messages,
    );

    expect(linesOf('ingest')).toEqual([]);
    for (const name of ['worker', 'publisher']) {
      const lines = linesOf(name);
      expect(lines.length).toBeLessThanOrEqual(await invocations(name));
      for (const line of lines) {
        expect(line).toMatch(/^\{"_aws":/);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(mostLineBytes);
      }
    }
  });
}
