import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { reasonOf } from '../terminal/terminal.ts';
import { parseJson, readBody, sendJson } from './http.ts';

/** An error of the AWS JSON 1.1 protocol. SDKs make its type the name of the exception. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Operations by the whole value of `X-Amz-Target`, for example `secretsmanager.GetSecretValue`. */
export type Operations = ReadonlyMap<string, (input: unknown) => object | Promise<object>>;

/** Answers one request of the AWS JSON 1.1 protocol. */
export async function handleAwsJson(
  operations: Operations,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  const answer = (status: number, body: unknown): void =>
    sendJson(response, status, body, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': requestId,
    });
  try {
    const body = await readBody(request, MAX_BODY_BYTES);
    const operation = operations.get(String(request.headers['x-amz-target']));
    if (!operation)
      throw new AwsError('UnknownOperationException', 'The operation is not supported on one machine.');
    answer(200, await operation(parseInput(body)));
  } catch (error) {
    const { type, message, status } = asAwsError(error);
    // AWS services differ in the spelling of the message's name; SDKs accept both.
    answer(status, { __type: type, Message: message, message });
  }
}

function parseInput(body: Buffer | undefined): unknown {
  const input = parseJson(body?.toString('utf8') || '{}');
  if (input === undefined) throw new AwsError('SerializationException', 'The request body is not JSON.');
  return input;
}

function asAwsError(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) {
    const wrong = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    return new AwsError('ValidationException', `Invalid input: ${wrong}`);
  }
  return new AwsError('InternalServiceError', reasonOf(error), 500);
}
