import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { AwsError } from './aws-json.ts';
import { readBody, sendJson } from './http.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Settings of a stand-in that a run can be given while it is up. */
export interface Settings {
  /** What is in force, with what came of it. */
  readonly state: object;
  /**
   * Puts others in force.
   * @throws ZodError
   * @throws AwsError for what is well formed and can't be done
   */
  replace(input: unknown): void;
}

/**
 * Serves settings: `GET` shows them, `PUT` replaces them all, `DELETE` puts the defaults back. Each answers with what is in
 * force then; 400 says what is wrong with a body.
 *
 * @param defaults the body that stands for no settings
 */
export async function handleSettings(
  settings: Settings,
  defaults: object,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === 'PUT') {
      settings.replace(JSON.parse(String(await readBody(request, MAX_BODY_BYTES))));
    } else if (request.method === 'DELETE') {
      settings.replace(defaults);
    } else if (request.method !== 'GET') {
      return sendJson(response, 404, { message: 'There is no such address.' });
    }
  } catch (error) {
    const { status, message } = problemOf(error);
    return sendJson(response, status, { message });
  }
  sendJson(response, 200, settings.state);
}

/** @throws what is not about the body */
function problemOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof AwsError) return error;
  if (error instanceof SyntaxError) return { status: 400, message: 'The body is not JSON.' };
  if (!(error instanceof z.ZodError)) throw error;
  const message = error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
  return { status: 400, message };
}
