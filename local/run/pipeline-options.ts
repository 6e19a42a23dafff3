import { defaultStack } from '../../contract/document/project-store.ts';

/** The output that every pipeline has, with the hash of the CDK unless the id of the pipeline is `Default`. */
const ofPipeline = /^HistoryTableName$|HistoryTableName[0-9A-F]{8}$/;

/**
 * Returns the options by which the command-line tool finds the pipeline of a run among its stacks.
 *
 * @param outputs of the run, by stack and name
 */
export function pipelineOptions(
  outputs: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string[] {
  const stack = Object.keys(outputs).find((name) =>
    Object.keys(outputs[name] ?? {}).some((output) => ofPipeline.test(output)),
  );
  return stack === undefined || stack === defaultStack ? [] : ['--stack', stack];
}
