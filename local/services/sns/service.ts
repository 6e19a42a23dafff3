import { UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService, formOf } from '../definition/define-service.ts';

/** Both operations need `sns:Publish`. */
const PUBLISHING = new Set(['Publish', 'PublishBatch']);

export const sns = defineService({
  name: 'sns',
  // The process that serves SQS serves SNS too.
  endpoint: { variable: 'SNS', port: 'sqs' },
  operationOf({ contentType }, body) {
    if (!contentType?.startsWith('application/x-www-form-urlencoded')) return undefined;
    return formOf(body).get('Action') ?? '';
  },
  permissions({ operation, body }) {
    const form = formOf(body);
    const resource = form.get('TopicArn') ?? form.get('TargetArn');
    if (!PUBLISHING.has(operation) || resource === null) {
      throw new UnknownCallError(`sns:${operation}${resource === null ? ' without a topic' : ''}`);
    }
    return [{ action: 'sns:Publish', resource }];
  },
  errors: {
    refuse: { status: 403, name: 'AuthorizationError' },
    throttle: { status: 400, name: 'Throttling' },
    fail: { status: 500, name: 'InternalFailure' },
  },
  errorFormat: 'query-xml',
});
