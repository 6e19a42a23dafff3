import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Service } from '../aws-protocol/call.ts';

/** A service of AWS, or the SMS service. */
export type AnyService = Service | 'sms-service';

/** Why a service does not do what it was asked. */
export type ErrorKind = 'refuse' | 'throttle' | 'fail';

interface NamedError {
  readonly status: number;
  /** As the service calls it. */
  readonly name: string;
}

/** Status and name of each service's errors, from its API reference, common errors included. */
const ERRORS: Readonly<Record<AnyService, Readonly<Record<ErrorKind, NamedError>>>> = {
  dynamodb: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ProvisionedThroughputExceededException' },
    fail: { status: 500, name: 'InternalServerError' },
  },
  sqs: {
    refuse: { status: 403, name: 'AccessDenied' },
    throttle: { status: 403, name: 'RequestThrottled' },
    fail: { status: 500, name: 'InternalFailure' },
  },
  sns: {
    refuse: { status: 403, name: 'AuthorizationError' },
    throttle: { status: 400, name: 'Throttling' },
    fail: { status: 500, name: 'InternalFailure' },
  },
  secretsmanager: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ThrottlingException' },
    fail: { status: 500, name: 'InternalServiceError' },
  },
  events: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ThrottlingException' },
    fail: { status: 500, name: 'InternalException' },
  },
  lambda: {
    refuse: { status: 403, name: 'AccessDeniedException' },
    throttle: { status: 429, name: 'TooManyRequestsException' },
    fail: { status: 500, name: 'ServiceException' },
  },
  'sms-service': {
    refuse: { status: 401, name: 'Unauthorized' },
    throttle: { status: 429, name: 'TooManyRequests' },
    fail: { status: 500, name: 'InternalServerError' },
  },
};

/** Answers a call with an error as its service tells it. */
export function answerError(
  response: ServerResponse,
  service: AnyService,
  kind: ErrorKind,
  message: string,
): void {
  const requestId = randomUUID();
  const { status, name } = ERRORS[service][kind];
  const { headers, body } = protocolOf(service, { name, message, requestId, isOurs: status >= 500 });
  response.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    ...(service !== 'sms-service' && { 'x-amzn-requestid': requestId }),
    ...(service === 'sms-service' && kind === 'throttle' && { 'retry-after': '1' }),
    ...headers,
  });
  response.end(body);
}

interface ToldError {
  readonly name: string;
  readonly message: string;
  readonly requestId: string;
  /** Not the caller's fault. */
  readonly isOurs: boolean;
}

function protocolOf(service: AnyService, { name, message, requestId, isOurs }: ToldError) {
  const awsJson = JSON.stringify({
    __type: `com.amazon.coral.service#${name}`,
    Message: message,
    message,
  });
  const fault = isOurs ? 'Receiver' : 'Sender';
  switch (service) {
    case 'dynamodb':
      return { headers: { 'content-type': 'application/x-amz-json-1.0' }, body: awsJson };
    case 'sqs': {
      // SDKs take the name of SQS's errors from before it spoke JSON.
      const queryError = { 'x-amzn-query-error': `${name};${fault}` };
      return { headers: { 'content-type': 'application/x-amz-json-1.0', ...queryError }, body: awsJson };
    }
    case 'sns': {
      const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const error = `<Type>${fault}</Type><Code>${name}</Code><Message>${text}</Message>`;
      const body = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error>${error}</Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
      return { headers: { 'content-type': 'text/xml' }, body };
    }
    case 'lambda': {
      const headers = { 'content-type': 'application/json', 'x-amzn-errortype': name };
      return { headers, body: JSON.stringify({ Message: message }) };
    }
    case 'events':
    case 'secretsmanager':
      return { headers: { 'content-type': 'application/x-amz-json-1.1' }, body: awsJson };
    case 'sms-service':
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ error: { name, message } }),
      };
  }
}
