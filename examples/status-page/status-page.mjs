import { createServer } from 'node:http';
import { QueryError } from 'sms-event-pipeline/client';

const pageSize = 20;

/** A failed message may still be reported as delivered. After this time, the history is not asked about it again. */
const settledAfterMs = 5 * 24 * 60 * 60 * 1000;

/** What a user sees for a final status of the history. All others are failures. */
const shown = new Map([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['unknown', 'not known'],
]);

/** The headers of each answer. No browser and no proxy may keep what belongs to one user. */
export const answerHeaders = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };

/**
 * Makes a server that shows signed-in users what became of the messages that your app sent for them. The options are those of `createAnswers`.
 */
export function createStatusPage(options) {
  const answerTo = createAnswers(options);
  return createServer(async ({ url, headers }, response) => {
    // Anyone can send an address that is not one, such as `//`, for which `new URL` would throw and end the process.
    const address = URL.parse(url, 'http://localhost');
    const [status, body] =
      address === null
        ? [400, { error: 'This is not an address.' }]
        : await answerTo({ path: address.pathname, id: address.searchParams.get('id'), headers });
    response.writeHead(status, answerHeaders).end(JSON.stringify(body));
  });
}

/**
 * Makes the function that answers a request, for a server or a Lambda function: it takes `{ path, id, headers }`, and returns the HTTP status
 * and the body.
 *
 * @param history the client of the query API; without it, the page shows what on-status.mjs wrote into your database
 * @param userOf returns the signed-in user of a request, or a promise of it: your sign-in decides this, and never a parameter of the request.
 *   Anything falsy, such as undefined, null or an empty text, is no user
 * @param sent the messages that your app sent, in your own database, each `{ messageId, sentAt, status }`: `newest(user, limit)` returns
 *   those of a user, `find(user, messageId)` returns one of them or undefined, and `remember(message, status)` stores the status "delivered",
 *   or the status that a message has five days after it was sent
 */
export function createAnswers({ history, userOf, sent }) {
  return (request) =>
    answerTo(request).catch((error) => {
      console.error('The sign-in or the database of the app failed:', error?.name);
      return [503, { error: 'The delivery status is not available. Please try again in a minute.' }];
    });

  async function answerTo({ path, id, headers }) {
    const user = await userOf({ headers });
    if (!user) return [401, { error: 'Please sign in.' }];
    if (path === '/messages') return [200, await answersFor(await sent.newest(user, pageSize))];
    const message = path === '/message' && id && (await sent.find(user, id));
    // The message of another user is answered as one that does not exist.
    return message ? [200, await answerFor(message)] : [404, { error: 'No such message.' }];
  }

  /** Asks for one message after the other, because all callers share the 20 requests a second of the query API. */
  async function answersFor(messages) {
    const answers = [];
    for (const message of messages) answers.push(await answerFor(message));
    return answers;
  }

  /** Returns what a user needs to know of a message: no number, no code and no word of the provider. */
  async function answerFor(message) {
    const status = await statusOf(message);
    return { messageId: message.messageId, status, final: status !== 'on its way' };
  }

  async function statusOf(message) {
    const { messageId, sentAt, status: stored } = message;
    const isOld = Date.now() - Date.parse(sentAt) > settledAfterMs;
    const unreported = isOld ? 'not known' : 'on its way';
    const isSettled = stored === 'delivered' || (isOld && stored !== undefined);
    if (history === undefined || isSettled) return stored ?? unreported;
    let report;
    try {
      report = await history.getMessage({ messageId });
    } catch (error) {
      // 404: no report has arrived.
      if (!(error instanceof QueryError && error.status === 404)) {
        console.error(
          'The history did not answer:',
          error instanceof QueryError ? error.status : error?.name,
        );
        return 'on its way';
      }
    }
    const status = report?.final ? (shown.get(report.status) ?? 'not delivered') : unreported;
    // Of a long message whose parts have reports of their own, a later part may fail.
    const isLasting = status === 'delivered' && !report.events.some(({ partId }) => partId !== undefined);
    if (isLasting || isOld) await sent.remember(message, status);
    return status;
  }
}
