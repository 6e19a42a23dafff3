import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { eventSource } from '../../functions/publish/shapes.ts';

/** Selects events of a pipeline by their type and by fields of their detail. */
export type Selection = Pick<EventPattern, 'detailType' | 'detail'>;

/**
 * The pattern of a rule for events of a pipeline. Its bus may have the events of others, so each names its pipeline.
 *
 * @param pipeline its name; undefined for those of every pipeline on the bus
 */
export function eventsOf(pipeline: string | undefined, { detailType, detail }: Selection = {}): EventPattern {
  const fields = { ...(pipeline !== undefined && { pipeline: [pipeline] }), ...detail };
  return {
    source: [eventSource],
    ...(detailType && { detailType }),
    ...(Object.keys(fields).length > 0 && { detail: fields }),
  };
}
