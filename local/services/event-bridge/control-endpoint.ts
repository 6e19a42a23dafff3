import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { AwsRoute } from '../../aws-protocol/aws-endpoint.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import type { EventBridge } from './api.ts';

const CONTROL_PATH = '/local/event-bridge/';

const MAX_BODY_BYTES = 64 * 1024;

/** The addresses below {@link CONTROL_PATH}. */
export function eventBridgeRoutes(eventBridge: EventBridge): AwsRoute[] {
  return [
    {
      path: new RegExp(`^${CONTROL_PATH}(.*)$`),
      answer: (name, request, response) => handleControl(eventBridge, name, request, response),
    },
  ];
}

/**
 * What the stand-in has beyond AWS, to look in and to make it behave badly: `GET .../events` answers the events that
 * were published, oldest first; `?after=<count>` only those that came after so many, each with when it came (ms since the
 * epoch), and in `next` the count to ask with next time. Only the newest are kept. `PUT` and `DELETE .../faults` replace and
 * end its faults, and `GET` shows them, with how many entries were asked and how many they refused since they were set.
 */
async function handleControl(
  { published, faults }: EventBridge,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (`${request.method} ${name}`) {
    case 'GET events':
      return showEvents(published, new URL(request.url ?? '/', 'http://local').searchParams, response);
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

function showEvents(
  published: EventBridge['published'],
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const after = query.get('after');
  if (after === null) {
    const events = published.items.map(({ event }) => event);
    sendJson(response, 200, events);
  } else if (!/^\d+$/.test(after)) {
    sendJson(response, 400, { message: 'after: expected a count.' });
  } else {
    sendJson(response, 200, { next: published.total, events: published.after(Number(after)) });
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'The body is not JSON.';
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
