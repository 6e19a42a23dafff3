import * as z from 'zod';
import { arnOf, type Permission, UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService, jsonOf } from '../definition/define-service.ts';

export const eventBridge = defineService({
  name: 'events',
  endpoint: { variable: 'EVENTBRIDGE', port: 'aws' },
  targets: ['AWSEvents'],
  permissions: ({ operation, body }) => permissionsOf(operation, jsonOf(body)),
  errors: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ThrottlingException' },
    fail: { status: 500, name: 'InternalException' },
  },
  errorFormat: 'json-1.1',
});

const putEvents = z.object({
  Entries: z.array(
    z.object({
      EventBusName: z.string().default('default'),
      Source: z.string().default(''),
      DetailType: z.string().default(''),
    }),
  ),
});

/**
 * Each entry needs its permission; one that lacks it fails the whole call.
 *
 * @param operation what follows `AWSEvents.` in `X-Amz-Target`
 * @throws UnknownCallError
 * @throws ZodError for an input without entries
 */
function permissionsOf(operation: string, input: unknown): Permission[] {
  const action = `events:${operation}`;
  if (operation !== 'PutEvents') throw new UnknownCallError(action);
  return putEvents.parse(input).Entries.map(({ EventBusName, Source, DetailType }) => ({
    action,
    resource: EventBusName.startsWith('arn:') ? EventBusName : arnOf('events', `event-bus/${EventBusName}`),
    context: { 'events:source': Source, 'events:detail-type': DetailType },
  }));
}
