import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwsRoute } from '../../aws-protocol/aws-endpoint.ts';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import { handleSettings } from '../../aws-protocol/settings-endpoint.ts';
import { throttledOutcome } from '../../function-hosts/pool.ts';
import { handleConfiguration } from './configuration.ts';
import { handleConcurrency, LambdaFaults, showMetrics } from './control-endpoint.ts';
import type { LambdaParts } from './functions.ts';
import { INVOKE_PATH } from './service.ts';

/** Lambda's quotas for a synchronous and an asynchronous invocation. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;
const MAX_ASYNC_PAYLOAD_BYTES = 1024 * 1024;

/** The addresses of Lambda, and those below /local/ that AWS does not have. */
export function lambdaRoutes(lambda: LambdaParts): AwsRoute[] {
  const { functions } = lambda;
  return [
    {
      method: 'POST',
      path: INVOKE_PATH,
      answer: (name, request, response) => handleInvoke(lambda, name, request, response),
    },
    {
      path: /^\/2017-10-31\/functions\/([^/]+)\/concurrency$/,
      answer: (name, request, response) => handleConcurrency(functions, name, request, response),
    },
    {
      path: /^\/2015-03-31\/functions\/([^/]+)\/configuration$/,
      answer: (name, request, response) => handleConfiguration(functions, name, request, response),
    },
    {
      method: 'GET',
      path: /^\/local\/lambda\/metrics$/,
      answer: (_, __, response) => showMetrics(functions, response),
    },
    {
      path: /^\/local\/lambda\/faults$/,
      answer: (_, request, response) =>
        handleSettings(new LambdaFaults(functions), { functions: {} }, request, response),
    },
  ];
}

/** Handles Lambda's Invoke for the invocation types `RequestResponse` and `Event`. */
async function handleInvoke(
  { functions, asyncInvocations }: LambdaParts,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = { 'x-amzn-requestid': randomUUID() };
  try {
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    const limit = type === 'Event' ? MAX_ASYNC_PAYLOAD_BYTES : MAX_PAYLOAD_BYTES;
    const payload = payloadOf(await readBody(request, limit), limit);
    if (type !== 'RequestResponse' && type !== 'Event') {
      throw new AwsError(
        'InvalidParameterValueException',
        `The invocation type ${type} is not supported on one machine.`,
      );
    }
    const target = functions.find(nameOrArn);
    if (type === 'Event') {
      asyncInvocations.start(target, payload);
      response.writeHead(202, { ...requestId, 'content-length': 0 }).end();
      return;
    }
    const outcome = await target.pool.invoke(payload);
    if (outcome === throttledOutcome)
      throw new AwsError('TooManyRequestsException', throttledOutcome.error.errorMessage, 429);
    const headers = { ...requestId, 'x-amz-executed-version': '$LATEST' };
    if (outcome.kind === 'ok') sendJson(response, 200, outcome.value, headers);
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

function payloadOf(body: Buffer | undefined, limit: number): unknown {
  if (!body)
    throw new AwsError('RequestTooLargeException', `Request must be smaller than ${limit} bytes`, 413);
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json');
  }
}
