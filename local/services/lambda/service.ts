import { arnOf, UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService } from '../definition/define-service.ts';

/** The path of Invoke, which is the only operation that functions may call. */
export const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export const lambda = defineService({
  name: 'lambda',
  endpoint: { variable: 'LAMBDA', port: 'aws' },
  operationOf: () => 'Invoke',
  permissions({ request: { method, url } }) {
    const nameOrArn = decodeURIComponent(INVOKE_PATH.exec(url)?.[1] ?? '');
    if (method !== 'POST' || nameOrArn === '') throw new UnknownCallError(`${method} ${url}`);
    const resource = nameOrArn.startsWith('arn:') ? nameOrArn : arnOf('lambda', `function:${nameOrArn}`);
    return [{ action: 'lambda:InvokeFunction', resource }];
  },
  errors: {
    refuse: { status: 403, name: 'AccessDeniedException' },
    throttle: { status: 429, name: 'TooManyRequestsException' },
    fail: { status: 500, name: 'ServiceException' },
  },
  errorFormat: 'rest-json',
});
