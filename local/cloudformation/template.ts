import * as z from 'zod';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  Condition: z.string().optional(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
});

const output = z.looseObject({
  Value: z.unknown(),
  Export: z.object({ Name: z.unknown() }).optional(),
});

const schema = z.looseObject({
  Resources: z.record(z.string(), resource).default({}),
  Outputs: z.record(z.string(), output).default({}),
  Parameters: z.record(z.string(), z.looseObject({ Type: z.string(), Default: z.unknown() })).default({}),
});

/** A CloudFormation template, with its intrinsic functions still unresolved. */
export type Template = z.infer<typeof schema>;

export function parseTemplate(json: unknown): Template {
  return schema.parse(json);
}

/** A template uses a feature that is not supported on one machine. The message names the place. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A property that has no effect on one machine. */
export const inert = z.unknown().optional();

/** Templates write numbers as numbers or as text. */
export const wholeNumber = z.coerce.number().int();

/**
 * Reads a resource's properties by a schema that names every supported property, so that a property that is not supported here is noticed.
 * @throws TemplateError naming the invalid properties
 */
export function readProperties<T extends z.ZodType>(
  schema: T,
  request: { readonly properties: Readonly<Record<string, unknown>> },
): z.output<T> {
  const parsed = schema.safeParse(request.properties);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${[...issue.path, issue.keys.join(', ')].join('.')} is not supported on one machine`
      : `${issue.path.join('.')}: ${issue.message}`,
  );
  throw new TemplateError(issues.join('; '));
}
