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
  const ask = async (path: string) => {
    const response = await fetch(inject('pipeline') + path);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  const { directory, port, contractFile } = JSON.parse(await ask('/')) as OfferedPipeline;
  return { ...pipelineIn(directory, port), contractFile, printed: () => ask('/printed') };
}
