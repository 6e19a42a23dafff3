import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import type { FunctionRegistry } from './functions.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Only the switch that stops a function: with any other number events would have to be refused that wait here. */
const concurrency = z.strictObject({ ReservedConcurrentExecutions: z.literal(0) });

/** `GET /local/lambda/metrics`: what Lambda would tell CloudWatch of each function, by the function's label. */
export function showMetrics(functions: FunctionRegistry, response: ServerResponse): void {
  const counts = functions.all().map(({ definition, pool }) => [definition.label, pool.metrics.counts]);
  sendJson(response, 200, { functions: Object.fromEntries(counts) });
}

/**
 * Lambda's PutFunctionConcurrency and DeleteFunctionConcurrency. With a reserved concurrency of 0 a function is not started any
 * more: each invocation is throttled.
 */
export async function handleConcurrency(
  functions: FunctionRegistry,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { pool } = functions.find(nameOrArn);
    if (request.method === 'DELETE') {
      pool.isThrottled = false;
      response.writeHead(204).end();
      return;
    }
    if (request.method !== 'PUT') throw unsupported('this method');
    pool.isThrottled = wantsNone(await readBody(request, MAX_BODY_BYTES));
    sendJson(response, 200, { ReservedConcurrentExecutions: 0 });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { type, message, status } = error;
    sendJson(response, status, { Type: 'User', Message: message }, { 'x-amzn-errortype': type });
  }
}

/** @throws AwsError for any other concurrency */
function wantsNone(body: Buffer | undefined): true {
  try {
    concurrency.parse(JSON.parse(String(body)));
  } catch {
    throw unsupported('a ReservedConcurrentExecutions other than 0');
  }
  return true;
}

function unsupported(what: string): AwsError {
  return new AwsError('InvalidParameterValueException', `${what} is not supported on one machine.`);
}
