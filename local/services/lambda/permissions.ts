import { arnOf, type Permission, UnknownCallError } from '../../aws-protocol/call.ts';

const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** @throws UnknownCallError for whatever is not Invoke */
export function lambdaPermissions(method: string, path: string): Permission[] {
  const nameOrArn = decodeURIComponent(INVOKE_PATH.exec(path)?.[1] ?? '');
  if (method !== 'POST' || nameOrArn === '') throw new UnknownCallError(`${method} ${path}`, 'lambda.ts');
  const resource = nameOrArn.startsWith('arn:') ? nameOrArn : arnOf('lambda', `function:${nameOrArn}`);
  return [{ action: 'lambda:InvokeFunction', resource }];
}
