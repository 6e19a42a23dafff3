import * as z from 'zod';
import type { LocalPipeline } from './local-pipeline.ts';

const limits = z.object({ throttlingRateLimit: z.number(), throttlingBurstLimit: z.number() });

const stageSchema = z.object({
  defaultRouteSettings: limits,
  routeSettings: z.record(z.string(), limits),
});

/** The throttles of the HTTP API's stage, as API Gateway has them: of every route, and of those with one of their own. */
export type StageThrottle = z.output<typeof stageSchema>;

/** API Gateway's UpdateStage: changes what is given. @returns what is in force then */
export async function updateThrottle(
  { port, outputs }: Pick<LocalPipeline, 'port' | 'outputs'>,
  changes: Partial<StageThrottle>,
): Promise<StageThrottle> {
  const response = await fetch(`http://127.0.0.1:${port + 4}/v2/apis/${outputs.ApiId}/stages/$default`, {
    method: 'PATCH',
    body: JSON.stringify(changes),
  });
  if (!response.ok) throw new Error(`UpdateStage: ${response.status}`);
  return stageSchema.parse(await response.json());
}
