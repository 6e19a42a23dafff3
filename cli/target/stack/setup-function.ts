import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { WebhookReport } from '../../../functions/registration/index.ts';
import { webhookReport } from '../../../functions/registration/shapes.ts';
import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure } from '../errors.ts';
import { suggest } from '../suggest.ts';
import type { Target } from '../target.ts';
import { invokeFunction } from './invoke-function.ts';

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
export function invokeSetup(
  client: LambdaClient,
  functionName: string,
  payload: SetupPayload,
  target: Target,
): Promise<unknown> {
  // The message does not advise a retry, because the action may have been carried out.
  const look =
    payload.action === 'call'
      ? 'Look at the SMS service whether it did'
      : `To see the state: ${suggest(target, 'webhook status')}`;
  return invokeFunction(
    client,
    { name: 'setup', functionName, logGroup: 'SetupLogs' },
    payload,
    `, and may still have carried out "${payload.action}". ${look}.`,
  );
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
