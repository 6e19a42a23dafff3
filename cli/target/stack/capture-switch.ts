import type { LambdaClient } from '@aws-sdk/client-lambda';
import { CommandFailure } from '../errors.ts';

/** Reads and sets the end of the capture, which the function ingest has in its environment. */
export interface CaptureSwitch {
  /** Returns when the capture ends, ISO 8601 in UTC; undefined if none was set. The time may be over. */
  until(): Promise<string | undefined>;
  /** Sets the end. Lambda starts new instances with it within seconds. @param until ISO 8601 in UTC; undefined ends the capture */
  set(until: string | undefined): Promise<void>;
}

const variable = 'CAPTURE_UNTIL';

/** Lambda's errors where something else changes the function at the same time. */
const conflicts = ['PreconditionFailedException', 'ResourceConflictException'];

/** @param ingest the name of the function */
export function createCaptureSwitch(client: LambdaClient, ingest: string): CaptureSwitch {
  async function read() {
    const { GetFunctionConfigurationCommand } = await import('@aws-sdk/client-lambda');
    const found = await client.send(new GetFunctionConfigurationCommand({ FunctionName: ingest }));
    const variables = found.Environment?.Variables;
    // Lambda leaves them out if the caller may not decrypt them. Writing without them would delete them.
    if (variables === undefined)
      throw new CommandFailure(
        `The environment of the function ${ingest} cannot be read. Use credentials that may decrypt it, or deploy with sms:captureUntil.`,
      );
    return { variables, revision: found.RevisionId };
  }
  return {
    until: async () => (await read()).variables[variable] || undefined,
    async set(until) {
      const { UpdateFunctionConfigurationCommand } = await import('@aws-sdk/client-lambda');
      const wanted = until ?? '';
      const { variables, revision } = await read();
      // A change replaces all instances of the function.
      if (variables[variable] === wanted) return;
      const change = new UpdateFunctionConfigurationCommand({
        FunctionName: ingest,
        Environment: { Variables: { ...variables, [variable]: wanted } },
        // The call fails if a deployment has changed the function meanwhile.
        RevisionId: revision,
      });
      await client.send(change).catch(async (error: unknown) => {
        if (!(error instanceof Error && conflicts.includes(error.name))) throw error;
        // The client repeats a call whose answer was lost, and then meets its own change.
        if ((await read()).variables[variable] === wanted) return;
        throw new CommandFailure(
          `The function ${ingest} is being changed, perhaps by a deployment. Run the command again in a minute.`,
        );
      });
    },
  };
}
