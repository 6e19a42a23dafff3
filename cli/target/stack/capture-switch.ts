import type { LambdaClient } from '@aws-sdk/client-lambda';
import { CommandFailure } from '../errors.ts';

/** Reads and sets the end of the capture, which the function ingest has in its environment. */
export interface CaptureSwitch {
  /** Returns when the capture ends, ISO 8601 in UTC; undefined where none was set. The time may be over. */
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
    return { variables: found.Environment?.Variables ?? {}, revision: found.RevisionId };
  }
  return {
    until: async () => (await read()).variables[variable] || undefined,
    async set(until) {
      const { UpdateFunctionConfigurationCommand } = await import('@aws-sdk/client-lambda');
      const { variables, revision } = await read();
      const change = new UpdateFunctionConfigurationCommand({
        FunctionName: ingest,
        Environment: { Variables: { ...variables, [variable]: until ?? '' } },
        // The call fails if a deployment has changed the function meanwhile.
        RevisionId: revision,
      });
      await client.send(change).catch((error: unknown) => {
        if (!(error instanceof Error && conflicts.includes(error.name))) throw error;
        throw new CommandFailure(
          `The function ${ingest} is being changed, perhaps by a deployment. Run the command again in a minute.`,
        );
      });
    },
  };
}
