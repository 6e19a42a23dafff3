import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { TemplateError } from '../template/template.ts';
import { generatedSecretSchema, generateSecretString } from './generated-secret.ts';
import { inert, readProperties } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  SecretString: z.string().optional(),
  GenerateSecretString: generatedSecretSchema.optional(),
  KmsKeyId: inert,
  Tags: inert,
});

export function secretCreator({ secrets }: Pick<Runtime, 'secrets'>): CreateResource {
  return async (request) => {
    const { Name, Description, SecretString, GenerateSecretString } = readProperties(schema, request);
    if (SecretString !== undefined && GenerateSecretString !== undefined) {
      throw new TemplateError('a secret has a SecretString or a GenerateSecretString, not both');
    }
    const { ARN } = secrets.create({
      Name: Name ?? physicalName(request, 512),
      Description,
      SecretString:
        GenerateSecretString === undefined
          ? SecretString
          : generateSecretString(GenerateSecretString, randomInt),
    });
    return { ref: ARN, attributes: { Id: ARN } };
  };
}
