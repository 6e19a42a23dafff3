import type { Context } from '../../contract/document/project-store.ts';

/** The output that every pipeline has, as CDK names it for a construct in a stack of the app's own. */
const ofConstruct = /HistoryTableName[0-9A-F]{8}$/;

/**
 * Returns the options by which the command-line tool finds the pipeline of a run among its stacks.
 *
 * @param outputs of the run, by stack and name
 */
export function pipelineOptions(
  context: Context,
  outputs: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string[] {
  const prefix = context['sms:stackPrefix'];
  if (prefix !== undefined) return ['--prefix', String(prefix)];
  const stack = Object.keys(outputs).find((name) =>
    Object.keys(outputs[name] ?? {}).some((output) => ofConstruct.test(output)),
  );
  return stack === undefined ? [] : ['--stack', stack];
}
