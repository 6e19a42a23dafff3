import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from '../services/aws-error.ts';
import { readBody, sendJson } from '../services/http.ts';
import type { FunctionRegistry } from './registry.ts';

/** Lambda's quota for a synchronous invocation. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Answers Lambda's Invoke for the invocation type `RequestResponse`. */
export async function handleInvoke(
  functions: FunctionRegistry,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = { 'x-amzn-requestid': randomUUID() };
  try {
    const body = await readBody(request, MAX_PAYLOAD_BYTES);
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (type !== 'RequestResponse') {
      throw new AwsError(
        'InvalidParameterValueException',
        `The invocation type ${type} is not supported on one machine.`,
      );
    }
    const outcome = await functions.find(nameOrArn).pool.invoke(payloadOf(body));
    const headers = { ...requestId, 'x-amz-executed-version': '$LATEST' };
    if (outcome.ok) sendJson(response, 200, outcome.result, headers);
    else sendJson(response, 200, outcome.error, { ...headers, 'x-amz-function-error': 'Unhandled' });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { type, message, status } = error;
    sendJson(
      response,
      status,
      { Type: 'User', Message: message },
      { ...requestId, 'x-amzn-errortype': type },
    );
  }
}

function payloadOf(body: Buffer | undefined): unknown {
  if (!body)
    throw new AwsError(
      'RequestTooLargeException',
      `Request must be smaller than ${MAX_PAYLOAD_BYTES} bytes`,
      413,
    );
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json');
  }
}
