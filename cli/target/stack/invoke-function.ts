import type { LambdaClient } from '@aws-sdk/client-lambda';
import { parseJson } from '../../text/format.ts';
import { CommandFailure } from '../errors.ts';

/** A function of the pipeline that commands invoke. */
export interface InvokedFunction {
  /** `setup`. */
  readonly name: string;
  /** The output with its name at AWS. */
  readonly functionName: string;
  /** The log group in the pipeline's stack: `SetupLogs`. */
  readonly logGroup: string;
}

/**
 * Invokes a function, and parses its answer as JSON.
 *
 * @param afterTimeout explains what may have happened if the function does not answer in time, and what to do
 * @throws CommandFailure if the function fails
 */
export async function invokeFunction(
  client: LambdaClient,
  { name, functionName, logGroup }: InvokedFunction,
  payload: object,
  afterTimeout: string,
): Promise<unknown> {
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(payload) });
  const answer = await client.send(command).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
    throw new CommandFailure(`The ${name} function ${functionName} did not answer in time${afterTimeout}`);
  });
  const value = parseJson(answer.Payload?.transformToString() ?? '');
  if (answer.FunctionError === undefined) return value;
  throw new CommandFailure(
    `The ${name} function ${functionName} failed: ${errorTypeOf(value)}. See its log: .local/logs/${name}.log on this machine, else the log group ${logGroup} of the pipeline's stack.`,
  );
}

/** Returns the type of an error without its message, which may hold data. A timeout has no type. */
function errorTypeOf(value: unknown): string {
  const type =
    typeof value === 'object' && value !== null && 'errorType' in value ? value.errorType : undefined;
  return typeof type === 'string' ? type : 'no answer (it may have run out of time)';
}
