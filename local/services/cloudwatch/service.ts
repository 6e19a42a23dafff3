import { UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService } from '../definition/define-service.ts';

export const cloudWatch = defineService({
  name: 'cloudwatch',
  endpoint: { variable: 'CLOUDWATCH', port: 'aws' },
  targets: ['GraniteServiceVersion20100801'],
  permissions({ operation }) {
    if (operation !== 'DescribeAlarms') throw new UnknownCallError(`cloudwatch:${operation}`);
    // Composite alarms are shown only to those who may read all alarms.
    return [{ action: 'cloudwatch:DescribeAlarms', resource: '*' }];
  },
  errors: {
    refuse: { status: 403, name: 'AccessDenied' },
    throttle: { status: 400, name: 'Throttling' },
    fail: { status: 500, name: 'InternalServiceFault' },
  },
  errorFormat: 'json-1.0-query-error',
});
