import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import type { FunctionRegistry } from './functions.ts';

const maxBodyBytes = 64 * 1024;

const change = z.strictObject({
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
  /** Left unread: on this machine one person changes functions. */
  RevisionId: z.string().optional(),
});

/** Handles Lambda's GetFunctionConfiguration, and UpdateFunctionConfiguration of environment variables. */
export async function handleConfiguration(
  functions: FunctionRegistry,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { definition, arn, pool } = functions.find(nameOrArn);
    if (request.method === 'PUT') pool.setVariables(readChange(await readBody(request, maxBodyBytes)));
    sendJson(response, 200, {
      FunctionName: definition.name,
      FunctionArn: arn,
      Environment: { Variables: pool.variables },
    });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { type, message, status } = error;
    sendJson(response, status, { Type: 'User', Message: message }, { 'x-amzn-errortype': type });
  }
}

/** @throws AwsError for anything but environment variables */
function readChange(body: Buffer | undefined): Record<string, string> {
  try {
    return change.parse(JSON.parse(String(body))).Environment.Variables;
  } catch {
    throw new AwsError(
      'InvalidParameterValueException',
      'On one machine only the environment variables of a function can be changed.',
    );
  }
}
