import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { createWebhookCaller, statusEvent } from '../../tools/drills/alarms/webhook-caller.ts';
import {
  type LocalPipeline,
  startLocalPipeline,
  updateThrottle,
} from '../../tools/support/local-pipeline.ts';

const countsSchema = z.object({ counts: z.record(z.string(), z.number()) });

let pipeline: LocalPipeline;
beforeAll(async () => {
  pipeline = await startLocalPipeline({ 'sms:throttleRatePerSecond': 1, 'sms:throttleBurst': 3 });
});
afterAll(() => pipeline.stop());

it('the API answers throttled requests with 429, counts them from the access log, and invokes no function', async () => {
  const inForce = await updateThrottle(pipeline, {});
  expect(inForce).toEqual({
    defaultRouteSettings: { throttlingRateLimit: 1, throttlingBurstLimit: 3 },
    routeSettings: { 'ANY /v1/{proxy+}': { throttlingRateLimit: 20, throttlingBurstLimit: 40 } },
  });
  // So that none comes back meanwhile, however slow the machine is.
  await updateThrottle(pipeline, {
    defaultRouteSettings: { throttlingRateLimit: 0, throttlingBurstLimit: 3 },
  });
  const caller = createWebhookCaller(pipeline.webhookUrl, () => pipeline.webhookSecret());
  const statuses = await Promise.all(
    Array.from({ length: 8 }, (_, number) => caller.post(statusEvent(`many-${number}`))),
  );
  expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  const metrics = await fetch(`http://127.0.0.1:${pipeline.port + 4}/local/logs/metrics`);
  const { counts } = countsSchema.parse(await metrics.json());
  expect(counts).toEqual({ 'SmsPipeline/WebhookServerErrors': 0, 'SmsPipeline/RequestsThrottled': 5 });
  const lambda = await fetch(`http://127.0.0.1:${pipeline.port + 4}/local/lambda/metrics`);
  expect(await lambda.json()).toMatchObject({ functions: { ingest: { invocations: 3, errors: 0 } } });
});
