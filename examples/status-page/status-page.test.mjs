import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { history } from './history.mjs';
import { createStatusPage } from './status-page.mjs';

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
  const body = JSON.stringify({ to, ...outcome });
  const response = await fetch(`${SANDBOX_URL}/sandbox/messages`, { method: 'POST', body });
  // A message that the pipeline did not get has no status, so the test ends here instead of waiting for one.
  assert.equal(response.status, 200, await response.clone().text());
  const { messageId, sent: reports, accepted } = await response.json();
  assert.equal(accepted, reports, 'the webhook rejected a report: see logs/ingest.log of the run');
  return add(user, `main/${messageId}`);
}

/** Stores that a message was sent for a user. Its id has the name of the source before it. */
function add(user, messageId) {
  rows.unshift({ user, messageId });
  return messageId;
}

let queries = 0;
const countedHistory = {
  getMessage(query) {
    queries++;
    return history.getMessage(query);
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

async function get(user, path) {
  const headers = user === undefined ? {} : { authorization: user };
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers });
  return [response.status, await response.json()];
}

const pathOf = (messageId) => `/message?id=${encodeURIComponent(messageId)}`;

/** Asks until the status is final, as a page does. The pipeline needs a second or two. */
async function finalStatus(user, messageId) {
  for (let attempt = 0; attempt < 240; attempt++) {
    const [, message] = await get(user, pathOf(messageId));
    if (message.final) return message.status;
    await pause(500);
  }
  throw new Error(`${messageId} has no final status after two minutes`);
}

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

test('a message without a report is on its way', async () => {
  const messageId = add('ben', 'main/not-reported-yet');
  const [, message] = await get('ben', pathOf(messageId));
  assert.deepEqual(message, { messageId, status: 'on its way', final: false });
});

test('the history is not asked again for a final status', async () => {
  const messageId = await send('ben', '+12025550146', { status: 'delivered' });
  await finalStatus('ben', messageId);
  const before = queries;
  assert.equal(await finalStatus('ben', messageId), 'delivered');
  assert.equal(queries, before);
});

test('a list has the newest 20 messages', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => add('ben', `main/not-reported-${index}`));
  const [, list] = await get('ben', '/messages');
  assert.deepEqual(
    list.map(({ messageId }) => messageId),
    ids.reverse().slice(0, 20),
  );
});
