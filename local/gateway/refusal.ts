import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Service } from './call.ts';

/** Answers a call that is not allowed with the error that its service has for that. */
export function refuse(response: ServerResponse, service: Service, message: string): void {
  const requestId = randomUUID();
  const answer = (status: number, headers: Readonly<Record<string, string>>, body: string): void => {
    response.writeHead(status, {
      'x-amzn-requestid': requestId,
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };
  const json = JSON.stringify({
    __type: 'com.amazon.coral.service#AccessDeniedException',
    Message: message,
    message,
  });
  switch (service) {
    case 'dynamodb':
      answer(400, { 'content-type': 'application/x-amz-json-1.0' }, json);
      break;
    case 'sqs':
      // SDKs take the name of SQS's errors from before it spoke JSON.
      answer(
        403,
        { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-query-error': 'AccessDenied;Sender' },
        json,
      );
      break;
    case 'sns':
      answer(403, { 'content-type': 'text/xml' }, queryError(message, requestId));
      break;
    case 'lambda':
      answer(
        403,
        { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' },
        JSON.stringify({ Message: message }),
      );
      break;
    case 'events':
    case 'secretsmanager':
      answer(400, { 'content-type': 'application/x-amz-json-1.1' }, json);
  }
}

function queryError(message: string, requestId: string): string {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>${text}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
}
