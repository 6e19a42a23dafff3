import { type Permission, UnknownCallError } from '../../aws-protocol/call.ts';

/** Both need `sns:Publish`. */
const PUBLISHING = new Set(['Publish', 'PublishBatch']);

/**
 * @param input the form of SNS's query protocol
 * @throws UnknownCallError
 */
export function snsPermissions(operation: string, input: URLSearchParams): Permission[] {
  const resource = input.get('TopicArn') ?? input.get('TargetArn');
  if (!PUBLISHING.has(operation) || resource === null) {
    throw new UnknownCallError(`sns:${operation}${resource === null ? ' without a topic' : ''}`, 'sns.ts');
  }
  return [{ action: 'sns:Publish', resource }];
}
