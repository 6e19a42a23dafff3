import { expect, it } from 'vitest';
import * as z from 'zod';
import { statusEvent } from '../../../tools/engine/reports.ts';
import { lambdaMetricsSchema, updateThrottle } from '../../../tools/support/local-pipeline.ts';
import { postSigned } from '../../../tools/support/post-signed.ts';
import type { Started } from './post-signed.ts';

const countsSchema = z.object({ counts: z.record(z.string(), z.number()) });

export function apiThrottles(pipeline: Started): void {
  it('the API answers throttled requests with 429, counts them from the access log, and invokes no function', async () => {
    const { port } = pipeline();
    const counted = async () => {
      const logs = await fetch(`http://127.0.0.1:${port + 4}/local/logs/metrics`);
      const lambda = await fetch(`http://127.0.0.1:${port + 4}/local/lambda/metrics`);
      const { functions } = lambdaMetricsSchema.parse(await lambda.json());
      const { counts } = countsSchema.parse(await logs.json());
      const of = (name: string) => counts[`SmsPipeline/${name}`] ?? 0;
      return {
        errors: of('WebhookServerErrors'),
        throttled: of('RequestsThrottled'),
        invocations: functions.ingest?.invocations ?? 0,
      };
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
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      // Those let in may be answered too late on a machine with much else to do.
      const late = statuses.filter((status) => status >= 500).length;
      const { errors, throttled, invocations } = await counted();
      expect([errors, throttled]).toEqual([before.errors + late, before.throttled + 5]);
      expect(invocations - before.invocations).toBeLessThanOrEqual(3);
    } finally {
      await updateThrottle(pipeline(), inForce);
    }
  });
}
