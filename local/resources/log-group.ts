import { z } from 'zod';
import { arnOf } from '../account.ts';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { readProperties } from './properties.ts';

const schema = z.looseObject({ LogGroupName: z.string().optional() });

/** A log group, in name only: what functions log goes to files. */
export const logGroupCreator: CreateResource = async (request) => {
  const name = readProperties(schema, request).LogGroupName ?? physicalName(request, 512);
  return { ref: name, attributes: { Arn: arnOf('logs', `log-group:${name}:*`) } };
};
