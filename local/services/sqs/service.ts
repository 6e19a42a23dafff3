import * as z from 'zod';
import { arnOf, type Permission, UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService, jsonOf } from '../definition/define-service.ts';

export const sqs = defineService({
  name: 'sqs',
  endpoint: { variable: 'SQS', port: 'sqs' },
  targets: ['AmazonSQS'],
  permissions: ({ operation, body }) => permissionsOf(operation, jsonOf(body)),
  errors: {
    refuse: { status: 403, name: 'AccessDenied' },
    throttle: { status: 403, name: 'RequestThrottled' },
    fail: { status: 500, name: 'InternalFailure' },
  },
  errorFormat: 'json-1.0-query-error',
});

const queue = z.object({ QueueUrl: z.string() });

/**
 * The actions of operations on a queue. A batch needs the permission of its single operation (SQS Developer Guide, "Amazon SQS
 * API permissions").
 */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['ChangeMessageVisibility', 'ChangeMessageVisibility'],
  ['ChangeMessageVisibilityBatch', 'ChangeMessageVisibility'],
  ['DeleteMessage', 'DeleteMessage'],
  ['DeleteMessageBatch', 'DeleteMessage'],
  ['GetQueueAttributes', 'GetQueueAttributes'],
  ['ReceiveMessage', 'ReceiveMessage'],
  ['SendMessage', 'SendMessage'],
  ['SendMessageBatch', 'SendMessage'],
]);

/**
 * @param operation what follows `AmazonSQS.` in `X-Amz-Target`
 * @throws UnknownCallError
 * @throws ZodError for an input that names no queue
 */
function permissionsOf(operation: string, input: unknown): Permission[] {
  const action = ACTIONS.get(operation);
  if (action === undefined) throw new UnknownCallError(`sqs:${operation}`);
  const queueName = queue.parse(input).QueueUrl.split('/').at(-1) ?? '';
  return [{ action: `sqs:${action}`, resource: arnOf('sqs', queueName) }];
}
