import type { RunningPipeline } from '../../../tools/support/local-pipeline.ts';

export { postSigned } from '../../../tools/support/post-signed.ts';

/** A pipeline that has started when the tests run. */
export type Started<T = RunningPipeline> = () => T;
