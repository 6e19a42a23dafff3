import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { parseJson } from '../../../contract/text/json.ts';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import type { FunctionRegistry } from './functions.ts';

/** The only variable that changes. Each user of this machine can send the request, and others, such as NODE_OPTIONS, make Node execute code. */
const changeable = 'CAPTURE_UNTIL';

const maxBodyBytes = 64 * 1024;

type Variables = Readonly<Record<string, string>>;

const change = z.strictObject({
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
  /** Left unread: on this machine one person changes functions. */
  RevisionId: z.string().optional(),
});

/** Handles Lambda's GetFunctionConfiguration, and UpdateFunctionConfiguration of the variable that ends a capture. */
export async function handleConfiguration(
  functions: FunctionRegistry,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { definition, arn, pool } = functions.find(nameOrArn);
    if (request.method === 'PUT')
      pool.setVariables(changed(pool.variables, await readBody(request, maxBodyBytes)));
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

/** @throws AwsError for anything but another value of the changeable variable */
function changed(variables: Variables, body: Buffer | undefined): Variables {
  const value = requestedValue(variables, body);
  if (value !== undefined) return { ...variables, [changeable]: value };
  throw new AwsError(
    'InvalidParameterValueException',
    `On one machine only the environment variable ${changeable} can be changed, to a time, of a function that has it.`,
  );
}

function requestedValue(variables: Variables, body: Buffer | undefined): string | undefined {
  const { data } = change.safeParse(parseJson(String(body)));
  if (data === undefined) return undefined;
  const { [changeable]: value, ...others } = data.Environment.Variables;
  const { [changeable]: current, ...otherVariables } = variables;
  const isTime = value === '' || z.iso.datetime().safeParse(value).success;
  return current !== undefined && isTime && isDeepStrictEqual(others, otherVariables) ? value : undefined;
}
