import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningPipeline } from '../../../tools/support/local-pipeline.ts';
import { postSigned } from '../../../tools/support/post-signed.ts';
import { until } from '../../../tools/support/until.ts';

/** A pipeline that has started when the tests run. */
export type Started<T = RunningPipeline> = () => T;

/** Posts until there is an answer other than 503 and 504: on a machine with much else to do, the queue may be too slow for ingest. */
export function answered<T extends { readonly status: number }>(post: () => Promise<T>): Promise<T> {
  return until('the request is answered', async () => {
    const answer = await post().catch(() => undefined);
    return answer?.status !== 503 && answer?.status !== 504 && answer;
  });
}

/** Posts a signed body until it is acknowledged, always under the same id. */
export async function deliverSigned(
  pipeline: RunningPipeline,
  content: unknown,
  id: string = randomUUID(),
): Promise<void> {
  const { status } = await answered(async () => ({ status: await postSigned(pipeline, content, id) }));
  expect(status).toBe(200);
}
