import * as z from 'zod';

/** The parts of a CloudFormation template that the comparison reads. */
const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      DeletionPolicy: z.string().optional(),
    }),
  ),
});

export type Template = z.output<typeof templateSchema>;

/** Reads a template from JSON, as the CDK writes it; undefined where it is in another form. */
export function parseTemplate(text: string): Template | undefined {
  try {
    return templateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
