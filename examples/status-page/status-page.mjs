import { createServer } from 'node:http';
import { QueryError } from 'sms-event-pipeline/client';

const pageSize = 20;

/**
 * Makes a server that shows signed-in users what became of the messages that your app sent for them.
 *
 * @param history the client of the query API
 * @param userOf returns the signed-in user of a request, or undefined: your sign-in decides this, and never a parameter of the request
 * @param sent the messages that your app sent, in your own database: `newest(user, limit)` returns those of a user, `find(user, messageId)`
 *   returns one of them or undefined, and `remember(message, status)` stores a status that does not change any more
 */
export function createStatusPage({ history, userOf, sent }) {
  return createServer(async (request, response) => {
    const answer = await answerTo(request).catch((error) => {
      console.error('The history did not answer:', error instanceof QueryError ? error.status : error.name);
      return [503, { error: 'The delivery status is not available. Please try again in a minute.' }];
    });
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
  });

  async function answerTo({ url, headers }) {
    const user = userOf({ headers });
    if (user === undefined) return [401, { error: 'Please sign in.' }];
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/messages') return [200, await statusesOf(await sent.newest(user, pageSize))];
    const message = pathname === '/message' && (await sent.find(user, searchParams.get('id')));
    // The message of another user is answered as one that does not exist.
    return message ? [200, await statusOf(message)] : [404, { error: 'No such message.' }];
  }

  /** Asks for one message after the other, because all callers share the 20 requests a second of the query API. */
  async function statusesOf(messages) {
    const statuses = [];
    for (const message of messages) statuses.push(await statusOf(message));
    return statuses;
  }

  /** Returns what a user needs to know of a message: no number, no code and no word of the provider. */
  async function statusOf(message) {
    const { messageId } = message;
    if (message.status !== undefined) return { messageId, status: message.status, final: true };
    const { status, final } = await history.getMessage({ messageId }).catch((error) => {
      // The first report has not arrived yet.
      if (error instanceof QueryError && error.status === 404) return { final: false };
      throw error;
    });
    if (!final) return { messageId, status: 'on its way', final };
    const shown = status === 'delivered' || status === 'read' ? 'delivered' : 'not delivered';
    // The provider may still report a message whose outcome is unknown, so it is asked for again.
    if (status !== 'unknown') await sent.remember(message, shown);
    return { messageId, status: shown, final };
  }
}
