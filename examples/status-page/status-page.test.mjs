import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { QueryError } from 'sms-event-pipeline/client';
import { history } from './history.mjs';
import { createAnswers, createStatusPage } from './status-page.mjs';

const { SANDBOX_URL } = process.env;

const users = ['ann', 'ben'];

/** Your app's own database, in memory: the messages that it sent, newest first. */
const rows = [];
const sent = {
  newest: (user, limit) => rows.filter((row) => row.user === user).slice(0, limit),
  find: (user, messageId) => rows.find((row) => row.user === user && row.messageId === messageId),
  remember: (row, status) => {
    row.status = status;
  },
};

/** Sends a message by the sandbox, in place of your provider. @param outcome such as { status: 'undelivered' } */
async function send(user, to, outcome) {
  const { messageId } = await ask('/sandbox/messages', { to, ...outcome });
  return add(user, `main/${messageId}`);
}

/** Lets the sandbox report to the webhook. */
async function ask(path, body) {
  const response = await fetch(SANDBOX_URL + path, { method: 'POST', body: JSON.stringify(body) });
  // A message that the pipeline did not get has no status, so the test ends here instead of waiting for one.
  assert.equal(response.status, 200, await response.clone().text());
  const answer = await response.json();
  assert.equal(answer.accepted, answer.sent, 'the webhook rejected a report: see logs/ingest.log of the run');
  return answer;
}

/** Stores that a message was sent for a user. Its id has the name of the source before it. */
function add(user, messageId, sentAt = new Date()) {
  rows.unshift({ user, messageId, sentAt: sentAt.toISOString() });
  return messageId;
}

const daysAgo = (days) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

let queries = 0;
/** The id of a message for which the query API answers that there are too many requests. */
let throttled;
const countedHistory = {
  async getMessage({ messageId }) {
    queries++;
    if (messageId === throttled)
      throw new QueryError({ title: 'Too Many Requests', status: 429, detail: '' });
    return history.getMessage({ messageId });
  },
};
const server = createStatusPage({
  history: countedHistory,
  userOf: ({ headers }) => users.find((user) => user === headers.authorization),
  sent,
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

function request(user, path) {
  const headers = user === undefined ? {} : { authorization: user };
  return fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers });
}

async function get(user, path) {
  const response = await request(user, path);
  return [response.status, await response.json()];
}

const pathOf = (messageId) => `/message?id=${encodeURIComponent(messageId)}`;

/** Asks until the message is as expected, as a page does. The pipeline needs a second or two. */
async function waitFor(user, messageId, isExpected) {
  for (let attempt = 0; attempt < 240; attempt++) {
    const [, message] = await get(user, pathOf(messageId));
    if (isExpected(message)) return message.status;
    await pause(500);
  }
  throw new Error(`${messageId} is not as expected after two minutes`);
}

const finalStatus = (user, messageId) => waitFor(user, messageId, ({ final }) => final);

test('a user sees what became of her messages', async () => {
  const arrived = await send('ann', '+12025550143', { status: 'delivered' });
  const failed = await send('ann', '+12025550144', { status: 'undelivered', errorCode: '30003' });
  assert.equal(await finalStatus('ann', arrived), 'delivered');
  assert.equal(await finalStatus('ann', failed), 'not delivered');
  const [, list] = await get('ann', '/messages');
  assert.deepEqual(
    list.map(({ messageId }) => messageId),
    [failed, arrived],
  );
  assert.doesNotMatch(JSON.stringify(list), /202555/);
});

test('a user does not see the messages of another user', async () => {
  const messageId = await send('ben', '+12025550145', { status: 'delivered' });
  await finalStatus('ben', messageId);
  assert.equal((await get('ann', pathOf(messageId)))[0], 404);
  assert.doesNotMatch(JSON.stringify(await get('ann', '/messages')), new RegExp(messageId));
  assert.equal((await get(undefined, pathOf(messageId)))[0], 401);
});

test('an address that cannot be read is answered with 400, and the server goes on', async () => {
  assert.equal((await get('ann', '//'))[0], 400);
  assert.equal((await get('ann', '/messages'))[0], 200);
});

test('a session without a user is not signed in', async () => {
  for (const noUser of [null, '', false]) {
    const answerTo = createAnswers({ userOf: () => noUser, sent });
    assert.equal((await answerTo({ path: '/messages', id: null, headers: {} }))[0], 401);
  }
});

test('no cache keeps an answer', async () => {
  for (const [user, path] of [
    ['ann', '/messages'],
    ['ann', '/message?id=none'],
    [undefined, '/messages'],
    ['ann', '//'],
  ])
    assert.equal((await request(user, path)).headers.get('cache-control'), 'private, no-store');
});

test('a message without a report is on its way', async () => {
  const messageId = add('ben', 'main/not-reported-yet');
  const [, message] = await get('ben', pathOf(messageId));
  assert.deepEqual(message, { messageId, status: 'on its way', final: false });
});

test('a failed message becomes delivered if the provider reports so later', async () => {
  const recipient = '+12025550147';
  const messageId = await send('ben', recipient, { status: 'undelivered' });
  assert.equal(await finalStatus('ben', messageId), 'not delivered');
  const report = { messageId: messageId.slice('main/'.length), recipient, status: 'delivered' };
  const fields = { ...report, occurredAt: new Date().toISOString() };
  await ask('/sandbox/events', [{ kind: 'sms.status', fields }]);
  await waitFor('ben', messageId, ({ status }) => status === 'delivered');
});

test('the history is not asked again for a delivered message', async () => {
  const messageId = await send('ben', '+12025550146', { status: 'delivered' });
  await finalStatus('ben', messageId);
  const before = queries;
  assert.equal(await finalStatus('ben', messageId), 'delivered');
  assert.equal(queries, before);
});

test('the history is asked once for a message that is older than five days', async () => {
  const messageId = add('ben', 'main/never-reported', daysAgo(6));
  const before = queries;
  assert.equal(await finalStatus('ben', messageId), 'not known');
  assert.equal(await finalStatus('ben', messageId), 'not known');
  assert.equal(queries, before + 1);
});

test('a list shows the other messages if the history does not answer for one', async () => {
  const delivered = await send('ann', '+12025550148', { status: 'delivered' });
  await finalStatus('ann', delivered);
  throttled = add('ann', 'main/throttled');
  const [status, list] = await get('ann', '/messages');
  assert.equal(status, 200);
  assert.deepEqual(list.slice(0, 2), [
    { messageId: throttled, status: 'on its way', final: false },
    { messageId: delivered, status: 'delivered', final: true },
  ]);
});

test('a list has the newest 20 messages', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => add('ben', `main/not-reported-${index}`));
  const [, list] = await get('ben', '/messages');
  assert.deepEqual(
    list.map(({ messageId }) => messageId),
    ids.reverse().slice(0, 20),
  );
});
