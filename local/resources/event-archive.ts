import { z } from 'zod';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { eventMatcher } from './event-matcher.ts';
import { inert, readProperties, wholeNumber } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  ArchiveName: z.string().max(48).optional(),
  Description: z.string().optional(),
  SourceArn: z.string(),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  RetentionDays: wholeNumber.min(0).default(0),
  KmsKeyIdentifier: inert,
});

export function eventArchiveCreator({ eventBridge }: Pick<Runtime, 'eventBridge'>): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const { EventPattern } = properties;
    const name = properties.ArchiveName ?? physicalName(request, 48);
    const { options } = eventBridge.archives.create({
      name,
      busArn: properties.SourceArn,
      description: properties.Description,
      retentionDays: properties.RetentionDays,
      matches: EventPattern ? eventMatcher(EventPattern) : () => true,
      eventPattern: EventPattern && JSON.stringify(EventPattern),
    });
    return { ref: name, attributes: { Arn: options.arn } };
  };
}
