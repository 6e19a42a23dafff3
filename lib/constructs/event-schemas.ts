import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { Construct } from 'constructs';
import { z } from 'zod';
import { eventSource } from '../../functions/core/bus/detail-types.ts';
import { detailSchemas } from '../../functions/core/bus/details.ts';

/** A schema registry of EventBridge with a schema for each detail type, of the whole event as a rule's target gets it. */
export class EventSchemas extends Construct {
  readonly registryName: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const registry = new CfnRegistry(this, 'Registry', { description: 'Events of the SMS pipeline.' });
    this.registryName = registry.attrRegistryName;
    for (const [detailType, detail] of Object.entries(detailSchemas)) {
      const name = detailType.replaceAll(/[^A-Za-z]/g, '');
      new CfnSchema(this, name, {
        registryName: this.registryName,
        // As EventBridge names those it discovers.
        schemaName: `${eventSource}@${name}`,
        type: 'JSONSchemaDraft4',
        description: `"${detailType}", version 1.`,
        content: JSON.stringify(eventSchema(detailType, detail)),
      });
    }
  }
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
