import { z } from 'zod';
import type { ResourceRequest } from './deploy-stack.ts';
import { TemplateError } from './template.ts';

/** A property that has no meaning on one machine. */
export const inert = z.unknown().optional();

/** Templates write numbers as numbers or as text. */
export const wholeNumber = z.coerce.number().int();

/**
 * Reads a resource's properties by a schema that names all that are understood, so that a property with a
 * meaning nobody implemented here is noticed.
 * @throws TemplateError naming the properties that don't fit
 */
export function readProperties<T extends z.ZodType>(schema: T, request: ResourceRequest): z.output<T> {
  const parsed = schema.safeParse(request.properties);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${[...issue.path, issue.keys.join(', ')].join('.')} is not supported on one machine`
      : `${issue.path.join('.')}: ${issue.message}`,
  );
  throw new TemplateError(issues.join('; '));
}
