import { z } from 'zod';
import type { CreateResource } from '../template/deploy-stack.ts';
import { inert, readProperties } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  Name: z.string(),
  Description: z.string().optional(),
  DeadLetterConfig: inert,
  KmsKeyIdentifier: inert,
  LogConfig: inert,
  Policy: inert,
  Tags: inert,
});

export function eventBusCreator({ eventBridge }: Pick<Runtime, 'eventBridge'>): CreateResource {
  return async (request) => {
    const { Name, Description } = readProperties(schema, request);
    const { arn } = eventBridge.buses.create(Name, Description);
    return { ref: Name, attributes: { Arn: arn, Name } };
  };
}
