import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ErrorFormat, ErrorKind, ServiceErrors } from '../services/definition/define-service.ts';
import { services } from '../services/services.ts';

const smsServiceErrors: ServiceErrors = {
  refuse: { status: 401, name: 'Unauthorized' },
  throttle: { status: 429, name: 'TooManyRequests' },
  fail: { status: 500, name: 'InternalServerError' },
};

/** The SMS service as faults and call counts name it. */
export const SMS_SERVICE = 'sms-service';

const smsService = { name: SMS_SERVICE, errors: smsServiceErrors, errorFormat: SMS_SERVICE } as const;

const byName = new Map([...services, smsService].map((service) => [service.name, service]));

/** Answers a call with an error in the format of its service. */
export function answerError(
  response: ServerResponse,
  serviceName: string,
  kind: ErrorKind,
  message: string,
): void {
  const service = byName.get(serviceName);
  if (!service) throw new Error(`there is no service ${serviceName}`);
  const requestId = randomUUID();
  const { status, name } = service.errors[kind];
  const isServerFault = status >= 500;
  const { headers, body } = formatted(service.errorFormat, { name, message, requestId, isServerFault });
  const isSmsService = serviceName === SMS_SERVICE;
  response.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    ...(!isSmsService && { 'x-amzn-requestid': requestId }),
    ...(isSmsService && kind === 'throttle' && { 'retry-after': '1' }),
    ...headers,
  });
  response.end(body);
}

interface NamedError {
  readonly name: string;
  readonly message: string;
  readonly requestId: string;
  readonly isServerFault: boolean;
}

function formatted(
  format: ErrorFormat | typeof SMS_SERVICE,
  { name, message, requestId, isServerFault }: NamedError,
) {
  const awsJson = JSON.stringify({
    __type: `com.amazon.coral.service#${name}`,
    Message: message,
    message,
  });
  const fault = isServerFault ? 'Receiver' : 'Sender';
  switch (format) {
    case 'json-1.0':
      return { headers: { 'content-type': 'application/x-amz-json-1.0' }, body: awsJson };
    case 'json-1.0-query-error': {
      // SDKs read the names that SQS's errors had in its query protocol.
      const queryError = { 'x-amzn-query-error': `${name};${fault}` };
      return { headers: { 'content-type': 'application/x-amz-json-1.0', ...queryError }, body: awsJson };
    }
    case 'query-xml': {
      const error = `<Type>${fault}</Type><Code>${name}</Code><Message>${escapeXml(message)}</Message>`;
      const body = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error>${error}</Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
      return { headers: { 'content-type': 'text/xml' }, body };
    }
    case 'rest-json': {
      const headers = { 'content-type': 'application/json', 'x-amzn-errortype': name };
      return { headers, body: JSON.stringify({ Message: message }) };
    }
    case 'json-1.1':
      return { headers: { 'content-type': 'application/x-amz-json-1.1' }, body: awsJson };
    case SMS_SERVICE:
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ error: { name, message } }),
      };
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
