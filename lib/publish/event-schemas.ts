import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { Construct } from 'constructs';
import * as z from 'zod';
import { detailSchemas, eventSource } from '../../functions/publish/shapes.ts';

/** Adds a schema registry of EventBridge, with a schema for each detail type: of the whole event as a rule's target receives it. */
export function addEventSchemas(stack: Construct, id: string): CfnRegistry {
  const scope = new Construct(stack, id);
  const registry = new CfnRegistry(scope, 'Registry', { description: 'Events of the SMS pipeline.' });
  for (const [detailType, detail] of Object.entries(detailSchemas)) {
    const name = detailType.replaceAll(/[^A-Za-z]/g, '');
    new CfnSchema(scope, name, {
      registryName: registry.attrRegistryName,
      // EventBridge gives such names to schemas it discovers.
      schemaName: `${eventSource}@${name}`,
      type: 'JSONSchemaDraft4',
      description: `"${detailType}", version 1.`,
      content: JSON.stringify(eventSchema(detailType, detail)),
    });
  }
  return registry;
}

/** The envelope is EventBridge's (EventBridge User Guide, "Event structure"). */
function eventSchema(detailType: string, detail: z.ZodType): object {
  const { $schema, ...schema } = z.toJSONSchema(detail, { target: 'draft-4', io: 'input' });
  const properties = {
    version: { type: 'string' },
    id: { type: 'string' },
    'detail-type': { type: 'string', enum: [detailType] },
    source: { type: 'string', enum: [eventSource] },
    account: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    region: { type: 'string' },
    resources: { type: 'array', items: { type: 'string' } },
    detail: schema,
  };
  return { $schema, title: detailType, type: 'object', properties, required: Object.keys(properties) };
}
