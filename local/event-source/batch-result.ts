import { z } from 'zod';

const responseSchema = z.union([
  z.null(),
  z.looseObject({
    batchItemFailures: z.array(z.looseObject({ itemIdentifier: z.string().min(1) })).nullish(),
  }),
]);

/**
 * The messages of a batch that the function did not manage, by message id, from its partial batch response
 * (Lambda Developer Guide, "Implementing partial batch responses"): nothing reported means that all are done;
 * a malformed response, or an id that is not in the batch, means that none is.
 */
export function failedMessages(result: unknown, messageIds: readonly string[]): ReadonlySet<string> {
  const response = responseSchema.safeParse(result ?? null);
  if (!response.success) return new Set(messageIds);
  const reported = (response.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const known = new Set(messageIds);
  return reported.every((id) => known.has(id)) ? new Set(reported) : known;
}
