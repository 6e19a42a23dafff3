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
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
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

/** A resource cannot run on one machine, and the rest of the stack can. The message is the reason. */
export class NotOnOneMachine extends TemplateError {}

/** A property that has no effect on one machine. */
export const inert = z.unknown().optional();

/** Templates write numbers as numbers or as text. */
export const wholeNumber = z.coerce.number().int();

/**
 * Reads a resource's properties by a schema that names every supported property. Leaves out any other property, with a line that names it.
 * @throws TemplateError naming the properties with invalid values
 */
export function readProperties<T extends z.ZodType>(
  schema: T,
  request: { readonly properties: Readonly<Record<string, unknown>>; note(line: string): void },
): z.output<T> {
  const properties = structuredClone(request.properties);
  const first = schema.safeParse(properties);
  if (first.success) return first.data;
  const unknown = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  for (const { path, keys } of unknown) {
    for (const key of keys) {
      remove(properties, path, key);
      request.note(`${[...path, key].join('.')} has no effect on one machine`);
    }
  }
  const second = unknown.length > 0 ? schema.safeParse(properties) : first;
  if (second.success) return second.data;
  const issues = second.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TemplateError(issues.join('; '));
}

function remove(from: unknown, path: readonly PropertyKey[], key: string): void {
  let parent = from;
  for (const name of path) parent = isObject(parent) ? Reflect.get(parent, name) : undefined;
  if (isObject(parent)) Reflect.deleteProperty(parent, key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
