import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { z } from 'zod';
import type { LookupRequest } from '../../../functions/lookups/shapes.ts';
import { lookupAnswer, lookupStatus } from '../../../functions/lookups/shapes.ts';
import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure } from '../errors.ts';
import { invokeFunction } from './invoke-function.ts';

/** Invokes the lookups and parses its answer as JSON. @throws CommandFailure if the function fails */
export function invokeLookups(
  client: LambdaClient,
  functionName: string,
  request: LookupRequest,
): Promise<unknown> {
  return invokeFunction(
    client,
    { name: 'lookups', functionName, logGroup: 'LookupsLogs' },
    request,
    '. Run the command again: what was stored already is not stored twice.',
  );
}

/** What the service listed, and what it added. */
type Answered = Exclude<z.output<typeof lookupAnswer>, { readonly error: unknown }>;

/** Reads the answer to a question. @throws CommandFailure with the function's own message */
export function readAnswer(answer: unknown): Answered {
  const parsed = lookupAnswer.safeParse(answer);
  if (!parsed.success) throw new CommandFailure(unknownFormat);
  if (!('error' in parsed.data)) return parsed.data;
  const { kind, message } = parsed.data.error;
  const hint = hints.get(kind);
  throw new CommandFailure(sanitize(hint === undefined ? message : `${message}. ${hint}`));
}

const tryLater =
  'The service may be down. Run the command again later; the lookups of the schedule go on by themselves.';

/** What to do, by the kind of the error. The messages of other kinds say it themselves. */
const hints: ReadonlyMap<string, string> = new Map([
  [
    'unauthorized',
    'The service rejects the API key. Store the right one: aws secretsmanager put-secret-value --secret-id <secret of apiKey> --secret-string file://key.txt. The page of your provider says what it must hold.',
  ],
  [
    'too-many-requests',
    'The service asks to wait. Run the command again later, or lower lookups.requestsPerSecond in the contract, and deploy.',
  ],
  ['server', tryLater],
  ['timeout', tryLater],
  ['network', tryLater],
]);

/** Reads the answer to `status`. @throws CommandFailure */
export function readLookupStatus(answer: unknown): z.output<typeof lookupStatus> {
  const parsed = lookupStatus.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(unknownFormat);
}

const unknownFormat =
  'The lookups answered in an unknown format: deploy (or npm start) from the same version as this command.';
