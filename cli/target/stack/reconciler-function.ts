import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { z } from 'zod';
import type { ReconcileRequest } from '../../../functions/reconciler/shapes.ts';
import { reconcileAnswer, reconcilerStatus } from '../../../functions/reconciler/shapes.ts';
import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure } from '../errors.ts';
import { invokeFunction } from './invoke-function.ts';

/** Invokes the reconciler and parses its answer as JSON. @throws CommandFailure if the function fails */
export function invokeReconciler(
  client: LambdaClient,
  functionName: string,
  request: ReconcileRequest,
): Promise<unknown> {
  return invokeFunction(
    client,
    { name: 'reconciler', functionName, logGroup: 'ReconcilerLogs' },
    request,
    '. Run the command again: what was stored already is not stored twice.',
  );
}

/** What the service listed, and what it added. */
type Answered = Exclude<z.output<typeof reconcileAnswer>, { readonly error: unknown }>;

/** Reads the answer to a question. @throws CommandFailure with the function's own message */
export function readAnswer(answer: unknown): Answered {
  const parsed = reconcileAnswer.safeParse(answer);
  if (!parsed.success) throw new CommandFailure(unknownFormat);
  if (!('error' in parsed.data)) return parsed.data;
  const { kind, message } = parsed.data.error;
  throw new CommandFailure(`${sanitize(message)} (${sanitize(kind)})`);
}

/** Reads the answer to `status`. @throws CommandFailure */
export function readReconcilerStatus(answer: unknown): z.output<typeof reconcilerStatus> {
  const parsed = reconcilerStatus.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(unknownFormat);
}

const unknownFormat =
  'The reconciler answered in an unknown format: deploy (or npm start) from the same version as this command.';
