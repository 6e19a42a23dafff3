import { z } from 'zod';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, wholeNumber } from '../../cloudformation/properties.ts';
import { TemplateError } from '../../cloudformation/template.ts';
import { compilePattern } from '../../event-patterns/compile-pattern.ts';
import { PatternError } from '../../event-patterns/value-patterns.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Compiles a template's EventPattern.
 *
 * @throws TemplateError for what is not supported on one machine
 */
export function eventMatcher(pattern: unknown): (event: unknown) => boolean {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new TemplateError(`EventPattern: ${error.message}`);
    throw error;
  }
}

const eventBusSchema = z.strictObject({
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
    const { Name, Description } = readProperties(eventBusSchema, request);
    const { arn } = eventBridge.buses.create(Name, Description);
    return { ref: Name, attributes: { Arn: arn, Name } };
  };
}

const archiveSchema = z.strictObject({
  ArchiveName: z.string().max(48).optional(),
  Description: z.string().optional(),
  SourceArn: z.string(),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  RetentionDays: wholeNumber.min(0).default(0),
  KmsKeyIdentifier: inert,
});

export function eventArchiveCreator({ eventBridge }: Pick<Runtime, 'eventBridge'>): CreateResource {
  return async (request) => {
    const properties = readProperties(archiveSchema, request);
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
