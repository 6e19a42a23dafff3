import { z } from 'zod';

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

/** The template says something that this machine cannot do; the message names where. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
