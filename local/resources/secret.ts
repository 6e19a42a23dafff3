import { z } from 'zod';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { inert, readProperties } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  SecretString: z.string().optional(),
  KmsKeyId: inert,
  Tags: inert,
});

export function secretCreator({ secrets }: Runtime): CreateResource {
  return async (request) => {
    const { Name, Description, SecretString } = readProperties(schema, request);
    const { ARN } = secrets.create({ Name: Name ?? physicalName(request, 512), Description, SecretString });
    return { ref: ARN, attributes: { Id: ARN } };
  };
}
