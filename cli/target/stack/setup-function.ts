import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { WebhookReport } from '../../../functions/webhook/index.ts';
import { webhookReport } from '../../../functions/webhook/shapes.ts';
import { parseJson } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure } from '../errors.ts';
import { suggest } from '../suggest.ts';
import type { Target } from '../target.ts';

/** A request to the setup function. */
export type SetupPayload =
  | { readonly action: 'status' | 'register' | 'deactivate' | 'reconcile' }
  | {
      readonly action: 'rotate';
      /** Whether to rotate although the previous secret is still accepted. */
      readonly force: boolean;
      /** Whether the replaced secret stays accepted for a while. */
      readonly overlap: boolean;
    }
  | {
      readonly action: 'call';
      readonly method: string;
      /** The path below the service's base URL, with its query. */
      readonly path: string;
      /** Sent as JSON. */
      readonly body?: unknown;
    };

/** Invokes the setup function and parses its answer as JSON. @param target for advice @throws CommandFailure if the function fails */
export async function invokeSetup(
  client: LambdaClient,
  name: string,
  payload: SetupPayload,
  target: Target,
): Promise<unknown> {
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const command = new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload) });
  const answer = await client.send(command).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
    // The message does not advise a retry, because the action may have been carried out.
    const look =
      payload.action === 'call'
        ? 'Look at the SMS service whether it did'
        : `To see the state: ${suggest(target, 'webhook status')}`;
    throw new CommandFailure(
      `The setup function ${name} did not answer in time, and may still have carried out "${payload.action}". ${look}.`,
    );
  });
  const value = parseJson(answer.Payload?.transformToString() ?? '');
  if (answer.FunctionError === undefined) return value;
  throw new CommandFailure(
    `The setup function ${name} failed: ${errorTypeOf(value)}. See its log: .local/logs/setup.log on this machine, else the log group SetupLogs of the pipeline's stack.`,
  );
}

/** Returns the type of an error without its message, which may hold data. A timeout has no type. */
function errorTypeOf(value: unknown): string {
  const type =
    typeof value === 'object' && value !== null && 'errorType' in value ? value.errorType : undefined;
  return typeof type === 'string' ? type : 'no answer (it may have run out of time)';
}

const failure = z.object({ error: z.object({ kind: z.string(), message: z.string() }) });

/** Reads the setup function's report on the webhook. @throws CommandFailure with the function's own message */
export function readReport(answer: unknown): WebhookReport {
  const failed = failure.safeParse(answer);
  if (failed.success) {
    const { kind, message } = failed.data.error;
    throw new CommandFailure(`${sanitize(message)} (${sanitize(kind)})`);
  }
  const parsed = webhookReport.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(
    'The setup function answered in an unknown format: deploy (or npm start) from the same version as this command.',
  );
}
