import pMap from 'p-map';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signRequest } from '../../contract/signature/sign.ts';
import { createPoster } from '../../local/sms-service/poster.ts';
import { roundsOf } from '../../tools/bench/cost/sample-events.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { localBus } from '../../tools/support/local-bus.ts';
import {
  type LocalPipeline,
  lambdaMetricsSchema,
  startLocalPipeline,
} from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

/** What test/infra/tools/logs-per-event.test.ts reckons with. */
const mostLineBytes = 570;

let pipeline: LocalPipeline;
beforeAll(async () => {
  pipeline = await startLocalPipeline();
});
afterAll(() => pipeline.stop());

const linesOf = (name: string) =>
  pipeline
    .functionLog(name)
    .split('\n')
    .filter((line) => line !== '');
/** Of `name` in all lines of the worker or publisher together. */
const sumOf = (lines: readonly string[], name: string): number =>
  lines.reduce((sum, line) => sum + (JSON.parse(line)[name] ?? 0), 0);

it('ingest logs nothing for accepted events, and worker and publisher log one short line per invocation', async () => {
  const messages = 38;
  const events = roundsOf('logs', { messages, replyShare: 0.05 }).flat();
  const secret = await pipeline.webhookSecret();
  const poster = createPoster();
  await pMap(
    events,
    async ({ id, body }) => {
      const unsigned = { body, id, now: Date.now(), url: pipeline.webhookUrl };
      const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
      expect(await poster.post(pipeline.webhookUrl, headers, body)).toBe(200);
    },
    { concurrency: 8 },
  );
  poster.close();
  const stored = () => sumOf(linesOf('worker'), 'EventsStored');
  await until('the worker has counted all', () => stored() === events.length);
  // Reports of a message that came in one batch are told as one change.
  const isTold = async () => {
    const published = await localBus(pipeline.port).published();
    return published.filter(({ detail }) => detail.status === 'delivered').length === messages;
  };
  await until('each message is told to be delivered', isTold);
  const published = () => sumOf(linesOf('publisher'), 'EventsPublished');
  await until('the publisher has counted them', () => published() >= messages);

  expect(linesOf('ingest')).toEqual([]);
  const metrics = await fetch(`http://127.0.0.1:${pipeline.port + 4}/local/lambda/metrics`);
  const { functions } = lambdaMetricsSchema.parse(await metrics.json());
  for (const name of ['worker', 'publisher']) {
    const lines = linesOf(name);
    expect(lines.length).toBeLessThanOrEqual(functions[name]?.invocations ?? 0);
    for (const line of lines) {
      expect(line).toMatch(/^\{"_aws":/);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(mostLineBytes);
    }
  }
});
