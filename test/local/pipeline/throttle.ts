import { expect, it } from 'vitest';
import * as z from 'zod';
import { statusEvent } from '../../../tools/drills/alarms/event-bodies.ts';
import { lambdaMetricsSchema, updateThrottle } from '../../../tools/support/local-pipeline.ts';
import { postSigned, type Started } from './post-signed.ts';

const countsSchema = z.object({ counts: z.record(z.string(), z.number()) });

export function apiThrottles(pipeline: Started): void {
  it('the API answers throttled requests with 429, counts them from the access log, and invokes no function', async () => {
    const { port } = pipeline();
    const counted = async () => {
      const logs = await fetch(`http://127.0.0.1:${port + 4}/local/logs/metrics`);
      const lambda = await fetch(`http://127.0.0.1:${port + 4}/local/lambda/metrics`);
      const { ingest } = lambdaMetricsSchema.parse(await lambda.json()).functions;
      const { counts } = countsSchema.parse(await logs.json());
      const of = (name: string) => counts[`SmsPipeline/${name}`] ?? 0;
      return [of('WebhookServerErrors'), of('RequestsThrottled'), ingest?.invocations ?? 0, ingest?.errors];
    };
    const inForce = await updateThrottle(pipeline(), {});
    expect(inForce).toEqual({
      defaultRouteSettings: { throttlingRateLimit: 1000, throttlingBurstLimit: 1000 },
      routeSettings: { 'ANY /v1/{proxy+}': { throttlingRateLimit: 20, throttlingBurstLimit: 40 } },
    });
    const before = await counted();
    // So that none comes back meanwhile, however slow the machine is.
    const three = { throttlingRateLimit: 0, throttlingBurstLimit: 3 };
    try {
      await updateThrottle(pipeline(), { defaultRouteSettings: three });
      const statuses = await Promise.all(
        Array.from({ length: 8 }, (_, number) => postSigned(pipeline(), statusEvent(`many-${number}`))),
      );
      expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
      const [errors = 0, throttled = 0, invocations = 0, failed = 0] = before;
      expect(await counted()).toEqual([errors, throttled + 5, invocations + 3, failed]);
    } finally {
      await updateThrottle(pipeline(), inForce);
    }
  });
}
