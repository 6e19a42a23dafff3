import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readBody, sendJson } from '../services/http.ts';
import type { EventBridge } from './event-bridge.ts';

export const CONTROL_PATH = '/local/event-bridge/';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * What the stand-in has beyond AWS, to look in and to make it behave badly: `GET .../events` answers the events that
 * were published, oldest first; `PUT` and `DELETE .../faults` replace and end its faults,
 * and `GET` shows them, with how many entries were asked and how many they refused since they were set.
 */
export async function handleControl(
  { published, faults }: EventBridge,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (`${request.method} ${path.slice(CONTROL_PATH.length)}`) {
    case 'GET events':
      return sendJson(response, 200, published);
    case 'DELETE faults':
      faults.replace({});
      break;
    case 'PUT faults':
      try {
        faults.replace(JSON.parse(String(await readBody(request, MAX_BODY_BYTES))));
      } catch (error) {
        return sendJson(response, 400, { message: problemOf(error) });
      }
      break;
    case 'GET faults':
      break;
    default:
      return sendJson(response, 404, { message: 'There is no such address.' });
  }
  sendJson(response, 200, faults.state);
}

function problemOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'The body is not JSON.';
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
