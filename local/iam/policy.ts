import * as z from 'zod';
import { TemplateError } from '../cloudformation/template.ts';

/** The condition keys whose values the gateway knows: see service.ts of services/event-bridge and services/dynamodb. */
const KNOWN_CONDITION_KEYS = new Set(['events:source', 'events:detail-type', 'dynamodb:LeadingKeys']);

const text = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const texts = z.union([text.transform((one) => [one]), z.array(text)]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Condition: z.record(z.string(), z.record(z.string(), texts)).optional(),
});

const document = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]),
});

/** One action on one resource of a statement. */
export interface PolicyEntry {
  readonly effect: 'Allow' | 'Deny';
  readonly action: string;
  readonly resource: string;
  readonly condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/**
 * Splits a policy document into its entries. Leaves out a statement that one machine cannot evaluate, with a line.
 *
 * @param policy the document with its intrinsic functions resolved
 * @param note shows a line at the terminal
 * @throws TemplateError for a malformed policy
 */
export function policyEntries(policy: unknown, note: (line: string) => void): PolicyEntry[] {
  const parsed = document.safeParse(policy);
  if (!parsed.success) throw new TemplateError(`a policy is malformed: ${z.prettifyError(parsed.error)}`);
  return parsed.data.Statement.flatMap((one) => {
    const { data } = statement.safeParse(one);
    if (data === undefined) {
      note(
        `one machine does not evaluate this statement of a policy, and leaves it out: ${JSON.stringify(one)}`,
      );
      return [];
    }
    const { Effect: effect, Action, Resource, Condition: condition } = data;
    for (const key of Object.values(condition ?? {}).flatMap(Object.keys)) {
      if (!KNOWN_CONDITION_KEYS.has(key)) note(`requests have no condition key ${key} on one machine`);
    }
    return Action.flatMap((action) =>
      Resource.map((resource) => ({ effect, action, resource, ...(condition && { condition }) })),
    );
  });
}
