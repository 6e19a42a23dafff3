import type { ServerResponse } from 'node:http';
import type { AwsRoute } from '../../aws-protocol/aws-endpoint.ts';
import { sendJson } from '../../aws-protocol/http.ts';
import { handleSettings } from '../../aws-protocol/settings-endpoint.ts';
import type { EventBridge } from './api.ts';

/** The addresses that AWS does not have. They show the published events and set faults. */
export function eventBridgeRoutes({ published, faults }: EventBridge): AwsRoute[] {
  return [
    {
      method: 'GET',
      path: /^\/local\/event-bridge\/events$/,
      answer: (_, request, response) =>
        showEvents(published, new URL(request.url ?? '/', 'http://local').searchParams, response),
    },
    {
      path: /^\/local\/event-bridge\/faults$/,
      answer: (_, request, response) => handleSettings(faults, {}, request, response),
    },
  ];
}

/**
 * Answers the published events, oldest first. With `?after=<count>` it answers only those after the first `count`, each with its arrival time (ms
 * since the epoch), and in `next` the count for the next request. Only the newest events are kept.
 */
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
