import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AwsError } from './aws-json.ts';
import { parseJson, readBody, sendJson } from './http.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Settings of a stand-in that can be changed during a run. */
export interface Settings {
  /** The current settings, with their counts. */
  readonly state: object;
  /**
   * Replaces the settings.
   * @throws ZodError
   * @throws AwsError for valid settings that cannot be applied
   */
  replace(input: unknown): void;
}

/**
 * Serves settings: `GET` shows them, `PUT` replaces them all, `DELETE` restores the defaults. Each answers the current settings, or 400 with the
 * problem of a body.
 *
 * @param defaults the body of the default settings
 */
export async function handleSettings(
  settings: Settings,
  defaults: object,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === 'PUT') {
      const input = parseJson(await readBody(request, MAX_BODY_BYTES));
      if (input === undefined) return sendJson(response, 400, { message: 'The body is not JSON.' });
      settings.replace(input);
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

/** @throws every error that is not a problem of the body */
function problemOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof AwsError) return error;
  if (!(error instanceof z.ZodError)) throw error;
  const message = error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
  return { status: 400, message };
}
