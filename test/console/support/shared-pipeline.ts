import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { pipelineIn, type RunningPipeline } from '../../../tools/support/local-pipeline.ts';
import type { OfferedPipeline } from './pipeline-offer.ts';

export interface SharedPipeline extends RunningPipeline {
  readonly contractFile: string;
  /** Everything the run has printed so far. */
  printed(): Promise<string>;
}

/**
 * Returns the pipeline that the files share, once it is started. Each uses ids of its own, and expects no empty list.
 */
export async function sharedPipeline(): Promise<SharedPipeline> {
  const ask = (path: string) => answerOf(inject('pipeline') + path);
  const { directory, port, contractFile } = JSON.parse(await ask('/')) as OfferedPipeline;
  return { ...pipelineIn(directory, port), contractFile, printed: () => ask('/printed') };
}

/** Waits for an answer without a limit: `fetch` gives up after 300 s, and a start on a busy machine may take longer. */
async function answerOf(url: string): Promise<string> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
  return answer;
}
