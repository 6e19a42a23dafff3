import { z } from 'zod';
import { type Call, type Service, UnknownCallError } from '../aws-protocol/call.ts';
import { dynamoDbPermissions } from '../services/dynamodb/permissions.ts';
import { eventBridgePermissions } from '../services/event-bridge/permissions.ts';
import { lambdaPermissions } from '../services/lambda/permissions.ts';
import { type SecretArnOf, secretsManagerPermissions } from '../services/secrets-manager/permissions.ts';
import { snsPermissions } from '../services/sns/permissions.ts';
import { sqsPermissions } from '../services/sqs/permissions.ts';

/** A request to an AWS service, as HTTP has it. */
export interface AwsRequest {
  readonly method: string;
  /** With the query, if there is one. */
  readonly url: string;
  /** `X-Amz-Target`, where the protocol has it. */
  readonly target: string | undefined;
  readonly contentType: string | undefined;
}

/** The services by what precedes the operation in `X-Amz-Target`. */
const SERVICES: ReadonlyMap<string, Service> = new Map([
  ['DynamoDB_20120810', 'dynamodb'],
  ['DynamoDBStreams_20120810', 'dynamodb'],
  ['AmazonSQS', 'sqs'],
  ['secretsmanager', 'secretsmanager'],
  ['AWSEvents', 'events'],
]);

/** Which service a request is for, and what it asks of it. */
export interface Addressee {
  readonly service: Service;
  readonly operation: string;
}

/** Undefined for a service that is not known here. */
export function addresseeOf(request: AwsRequest, body: Buffer): Addressee | undefined {
  if (request.target !== undefined) {
    const [prefix = '', operation = ''] = request.target.split('.');
    const service = SERVICES.get(prefix);
    return service && { service, operation };
  }
  if (request.contentType?.startsWith('application/x-www-form-urlencoded')) {
    return { service: 'sns', operation: formOf(body).get('Action') ?? '' };
  }
  return { service: 'lambda', operation: 'Invoke' };
}

/**
 * Works out which permissions a request needs.
 * @throws UnknownCallError where nobody said it yet, or the request does not name its resource
 */
export async function readCall(
  request: AwsRequest,
  { service, operation }: Addressee,
  body: Buffer,
  secretArnOf: SecretArnOf,
): Promise<Call> {
  try {
    return { service, operation, permissions: await permissionsOf() };
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      throw new UnknownCallError(`${service}:${operation} with such an input (${error.message})`, '');
    }
    throw error;
  }

  async function permissionsOf() {
    switch (service) {
      case 'dynamodb':
        return dynamoDbPermissions(operation, jsonOf(body));
      case 'sqs':
        return sqsPermissions(operation, jsonOf(body));
      case 'sns':
        return snsPermissions(operation, formOf(body));
      case 'secretsmanager':
        return secretsManagerPermissions(operation, jsonOf(body), secretArnOf);
      case 'events':
        return eventBridgePermissions(operation, jsonOf(body));
      case 'lambda':
        return lambdaPermissions(request.method, request.url);
    }
  }
}

/** @throws SyntaxError */
function jsonOf(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}

function formOf(body: Buffer): URLSearchParams {
  return new URLSearchParams(body.toString('utf8'));
}
