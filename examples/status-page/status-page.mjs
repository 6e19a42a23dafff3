import { createServer } from 'node:http';
import { QueryError } from 'sms-event-pipeline/client';

/**
 * Makes a server that shows signed-in users what became of the messages that your app sent for them.
 *
 * @param history the client of the query API
 * @param userOf returns the signed-in user of a request, or undefined: your sign-in decides this, and never a parameter of the request
 * @param messagesOf returns the ids of the messages that your app sent for a user, from your own database
 */
export function createStatusPage({ history, userOf, messagesOf }) {
  return createServer(async (request, response) => {
    const answer = await answerTo(request).catch((error) => {
      console.error('The history did not answer:', error instanceof QueryError ? error.status : error.name);
      return [503, { error: 'The delivery status is not available. Please try again in a minute.' }];
    });
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
  });

  async function answerTo(request) {
    const user = userOf(request);
    if (user === undefined) return [401, { error: 'Please sign in.' }];
    const own = await messagesOf(user);
    if (request.url === '/messages') return [200, await Promise.all(own.map(statusOf))];
    const [, id] = /^\/messages\/([^/?]+)$/.exec(request.url) ?? [];
    const messageId = own.find((each) => each === decodeURIComponent(id ?? ''));
    // The message of another user is answered as one that does not exist.
    return messageId === undefined ? [404, { error: 'No such message.' }] : [200, await statusOf(messageId)];
  }

  /** Returns what a user needs to know of a message: no number, no code and no word of the provider. */
  async function statusOf(messageId) {
    try {
      const { status, final } = await history.getMessage({ messageId });
      if (!final) return { messageId, status: 'on its way', final };
      const isDelivered = status === 'delivered' || status === 'read';
      return { messageId, status: isDelivered ? 'delivered' : 'not delivered', final };
    } catch (error) {
      // The first report has not arrived yet.
      if (error instanceof QueryError && error.status === 404)
        return { messageId, status: 'on its way', final: false };
      throw error;
    }
  }
}
