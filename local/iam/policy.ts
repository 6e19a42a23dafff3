import * as z from 'zod';
import { TemplateError } from '../cloudformation/template.ts';

/** The condition keys whose values the gateway knows: see service.ts of services/event-bridge and services/dynamodb. */
const KNOWN_CONDITION_KEYS = new Set(['events:source', 'events:detail-type', 'dynamodb:LeadingKeys']);

const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Condition: z.record(z.string(), z.record(z.string(), texts)).optional(),
});

const document = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.union([statement.transform((one) => [one]), z.array(statement)]),
});

/** One action on one resource of a statement. */
export interface PolicyEntry {
  readonly effect: 'Allow' | 'Deny';
  readonly action: string;
  readonly resource: string;
  readonly condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/**
 * Splits a policy document into its entries.
 *
 * @param policy the document with its intrinsic functions resolved
 * @throws TemplateError for a policy that is not supported on one machine
 */
export function policyEntries(policy: unknown): PolicyEntry[] {
  const parsed = document.safeParse(policy);
  if (!parsed.success) {
    throw new TemplateError(
      `a policy is not supported on one machine (local/iam/policy.ts): ${parsed.error.message}`,
    );
  }
  return parsed.data.Statement.flatMap(({ Effect: effect, Action, Resource, Condition: condition }) => {
    for (const key of Object.values(condition ?? {}).flatMap(Object.keys)) {
      if (KNOWN_CONDITION_KEYS.has(key)) continue;
      throw new TemplateError(
        `the condition key ${key} is not supported on one machine (local/iam/policy.ts)`,
      );
    }
    return Action.flatMap((action) =>
      Resource.map((resource) => ({ effect, action, resource, ...(condition && { condition }) })),
    );
  });
}
